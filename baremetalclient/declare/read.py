"""Where labs are read from: files, folders, standard input, and dictionaries of programs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from baremetalclient import _documents, exc
from baremetalclient.declare import spelling
from baremetalclient.declare.secrets import TAG, Reference, Secret, SecretError, resolved
from baremetalclient.declare.source import Source

if TYPE_CHECKING:
    from collections.abc import Sequence

    LabSource = Mapping[str, Any] | str | os.PathLike[str] | Sequence[str | os.PathLike[str]]

UNREADABLE = object()
"""Stands for a value with a problem, which is told already."""

SUFFIXES = (".yaml", ".yml", ".json")


@dataclass(frozen=True)
class Document:
    """The content of a file.

    :param source: where it is from.
    :param content: the decoded JSON or YAML, with secrets instead of references to them.
    :param problems: the problems of its secrets, and of values that JSON lacks; each begins with
        its place.
    :param variables: the variables of the environment that secrets are from.
    """

    source: Source
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
        return [_Reader(Source("lab"), Path(), allow_secrets).document(dict(lab))]
    paths = [lab] if isinstance(lab, str | os.PathLike) else lab
    return [_decoded(name, allow_secrets) for path in paths for name in _files(path)]


def _files(path: str | os.PathLike[str]) -> list[str]:
    name = os.fspath(path)
    if name == "-" or not os.path.isdir(name):
        return [name]
    found = sorted(str(file) for file in Path(name).iterdir() if file.suffix in SUFFIXES)
    if not found:
        raise exc.ValidationError(f"The folder {name!r} has no files with {', '.join(SUFFIXES)}.")
    # To read a named pipe or a device may never end.
    odd = [file for file in found if not os.path.isfile(file)]
    if odd:
        raise exc.ValidationError(f"cannot read {odd[0]!r}: it is no regular file")
    return found


def _decoded(name: str, allow_secrets: Sequence[str]) -> Document:
    def loader() -> type[Any]:
        from baremetalclient.declare.yaml_format import LabLoader

        return LabLoader

    try:
        text = _documents.read_text(name)
    except _documents.DocumentError as error:
        raise exc.ValidationError(str(error)) from error
    try:
        content = _documents.decode(text, loader)
    except _documents.DocumentError as error:
        raise exc.ValidationError(f"{name} {error}") from None
    return _Reader(Source(name, text), Path(name).parent, allow_secrets).document(content)


class _Reader:
    """Resolves the secrets of a document, and finds what JSON lacks."""

    def __init__(self, source: Source, directory: Path, allowed: Sequence[str]) -> None:
        self._source = source
        self._directory = directory
        self._allowed = allowed
        self._problems: list[str] = []
        self._variables: list[str] = []

    def document(self, content: Any) -> Document:
        """Return the document."""
        found = self._read(content, "")
        return Document(self._source, found, self._problems, self._variables)

    def _read(self, value: Any, place: str, name: str = "") -> Any:
        if isinstance(value, dict) and value.keys() == {TAG}:
            value = Reference(value[TAG])
        if isinstance(value, dict):
            self._check_keys(value, place)
            return {
                key: self._read(item, f"{place}.{key}" if place else key, key)
                for key, item in value.items()
                if isinstance(key, str)
            }
        if isinstance(value, list):
            return [self._read(item, f"{place}[{at}]", name) for at, item in enumerate(value)]
        if isinstance(value, Reference):
            return self._resolved(value, place)
        problem = spelling.problem(name, value, self._source, place)
        if problem:
            self._problems.append(f"{place} {problem}")
            return UNREADABLE
        return value

    def _check_keys(self, value: dict[Any, Any], place: str) -> None:
        for key in value:
            if not isinstance(key, str):
                written = self._source.key(place, key)
                where = f"{place} has" if place else "there is"
                self._problems.append(
                    f"{where} a key that is no text: {written}. Quote it: '{written}'"
                )

    def _resolved(self, reference: Reference, place: str) -> Secret:
        source, _, name = str(reference.text).partition(":")
        if source == "env":
            self._variables.append(name)
        try:
            return resolved(reference, self._directory, self._allowed)
        except SecretError as error:
            self._problems.append(f"{place}: {error}")
            return Secret("")
