"""Arguments in the forms in which callers give them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient import exc

if TYPE_CHECKING:
    from collections.abc import Iterable

_TRUE = frozenset({"1", "t", "true", "on", "y", "yes"})
_FALSE = frozenset({"0", "f", "false", "off", "n", "no"})


def boolean(value: object, name: str) -> bool:
    """Return a boolean that may be written as text.

    :param value: a boolean, or text such as ``true``, ``on``, ``no`` or ``0``.
    :param name: the name of the argument, for the message.
    :raises InvalidAttribute: if it is neither.
    """
    if isinstance(value, bool):
        return value
    text = str(value).strip().lower()
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    raise exc.InvalidAttribute(
        f"Argument {name!r}: {value!r} is neither true nor false. It can be written as "
        f"{', '.join(sorted(_TRUE | _FALSE))}."
    )


def text(value: object, name: str) -> str:
    """Return text that has to say something.

    :param value: what was given.
    :param name: the name of the argument, for the message.
    :raises ValidationError: if it is empty or no text.
    """
    if not isinstance(value, str) or not value.strip():
        raise exc.ValidationError(f"Argument {name!r}: {value!r} is no text or is empty.")
    return value


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a question for the known name that is most like an unknown one, or nothing.

    :param name: the unknown name.
    :param known: the names that are known.
    """
    import difflib

    close = difflib.get_close_matches(name, known, n=1)
    return f" Did you mean {close[0]!r}?" if close else ""
