"""Where labs are read from: files, folders, standard input, and dictionaries of programs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from baremetalclient import _documents, exc
from baremetalclient.declare.secrets import TAG, Reference, Secret, SecretError, resolved

if TYPE_CHECKING:
    from collections.abc import Sequence

    LabSource = Mapping[str, Any] | str | os.PathLike[str] | Sequence[str | os.PathLike[str]]

SUFFIXES = (".yaml", ".yml", ".json")


@dataclass(frozen=True)
class Document:
    """The content of a file.

    :param content: the decoded JSON or YAML, with secrets instead of references to them.
    :param problems: the problems of its secrets.
    :param variables: the variables of the environment that they are from.
    """

    name: str
    content: Any
    problems: list[str]
    variables: list[str]


def read(lab: LabSource, allow_secrets: Sequence[str] = ()) -> list[Document]:
    """Return the documents of a lab.

    :param lab: a path, several, or what a file would say as a dictionary. A folder means its files
        with the suffixes ``.yaml``, ``.yml`` and ``.json``; ``-`` is standard input.
    :param allow_secrets: patterns of references to secrets that are allowed besides the usual ones.
    :raises ValidationError: if a file cannot be read or decoded.
    """
    if isinstance(lab, Mapping):
        return [_document("lab", dict(lab), Path(), allow_secrets)]
    paths = [lab] if isinstance(lab, str | os.PathLike) else lab
    return [
        _document(name, _decoded(name), Path(name).parent, allow_secrets)
        for path in paths
        for name in _files(path)
    ]


def _files(path: str | os.PathLike[str]) -> list[str]:
    name = os.fspath(path)
    if name == "-" or not os.path.isdir(name):
        return [name]
    found = sorted(str(file) for file in Path(name).iterdir() if file.suffix in SUFFIXES)
    if not found:
        raise exc.ValidationError(f"The folder {name!r} has no files with {', '.join(SUFFIXES)}.")
    return found


def _decoded(name: str) -> Any:
    def loader() -> type[Any]:
        from baremetalclient.declare.yaml_format import Loader

        return Loader

    try:
        text = _documents.read_text(name)
    except _documents.DocumentError as error:
        raise exc.ValidationError(str(error)) from error
    try:
        return _documents.decode(text, loader)
    except _documents.DocumentError as error:
        raise exc.ValidationError(f"{name} is neither JSON nor YAML: {error}") from None


def _document(name: str, content: Any, directory: Path, allowed: Sequence[str]) -> Document:
    problems: list[str] = []
    variables: list[str] = []

    def with_secrets(value: Any, place: str) -> Any:
        if isinstance(value, dict) and value.keys() == {TAG}:
            value = Reference(value[TAG])
        if isinstance(value, dict):
            return {
                key: with_secrets(item, f"{place}.{key}" if place else str(key))
                for key, item in value.items()
            }
        if isinstance(value, list):
            return [with_secrets(item, f"{place}[{at}]") for at, item in enumerate(value)]
        if isinstance(value, Reference):
            source, _, name = str(value.text).partition(":")
            if source == "env":
                variables.append(name)
            try:
                return resolved(value, directory, allowed)
            except SecretError as error:
                problems.append(f"{place}: {error}")
                return Secret("")
        return value

    return Document(name, with_secrets(content, ""), problems, variables)
