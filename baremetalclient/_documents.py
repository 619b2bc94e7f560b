"""JSON and YAML that users write."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from baremetalclient._nesting import is_too_deep

if TYPE_CHECKING:
    from collections.abc import Callable


class DocumentError(ValueError):
    """A text can't be read, or is neither JSON nor YAML; the message holds no value of it.

    If it could be read, the message goes on after the name of what it is from.
    """


def read_text(name: str) -> str:
    """Return the text of a file, or of standard input.

    :param name: the path of the file, or ``-``.
    :raises DocumentError: if it cannot be read.
    """
    if name == "-" and sys.stdin is None:
        raise DocumentError("cannot read '-': standard input is closed")
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text("utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise DocumentError(f"cannot read {name!r}: {reason}") from error


def decode(text: str, loader: Callable[[], type[Any]] | None = None) -> Any:
    """Return what a text of JSON or YAML says.

    :param loader: returns the loader of YAML; it is called if the text is no JSON.
    :raises DocumentError: if it is neither, an object has a key twice, or aliases repeat too many
        values.
    """
    # JSON is almost always YAML too, but decoding it as JSON is much faster.
    try:
        return from_json(text, object_pairs_hook=_without_duplicates)
    except ValueError:
        pass
    import yaml

    from baremetalclient import _yaml

    try:
        return _yaml.load(text, loader and loader())
    except (yaml.YAMLError, ValueError) as error:
        # Without the line itself, which may hold a secret.
        mark = getattr(error, "problem_mark", None)
        where = f" in line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        reason = getattr(error, "problem", None) or "it cannot be decoded"
        refused = isinstance(error, _yaml.Refused)
        why = "is not accepted" if refused else "is neither JSON nor YAML"
        raise DocumentError(f"{why}: {reason}{where}") from None


def from_json(text: str | bytes, **options: Any) -> Any:
    """Return what a text of JSON says.

    :param options: those of :func:`json.loads`.
    :raises ValueError: if it is no JSON, or is nested more than 200 levels deep.
    """
    if isinstance(text, bytes):
        text = text.decode(json.detect_encoding(text))
    # Python 3.13 decodes more levels than other code can go through.
    if is_too_deep(text):
        raise ValueError("it is nested too deeply")
    return json.loads(text, **options)


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("The loader of YAML names the lines.")
    return found
