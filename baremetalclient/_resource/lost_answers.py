"""Whether a change was made whose response was lost, as the server tells when it is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, TypeVar

from baremetalclient import exc
from baremetalclient._http.redact import MASK

FoundT = TypeVar("FoundT")


def settled(change: Callable[[], FoundT], look: Callable[[], FoundT | None]) -> FoundT:
    """Make a change, and look whether it was made if its response is lost.

    :param change: makes the change.
    :param look: returns what the change would return if it was made, None if nobody can tell.
    :raises OutcomeUnknown: if nobody can tell.
    """
    try:
        return change()
    except exc.OutcomeUnknown:
        found = None
        with suppress(exc.ClientException):
            found = look()
        if found is None:
            raise
        return found


def is_gone(get: Callable[[], object]) -> bool | None:
    """Return True if what ``get`` asks for isn't there, None if it is."""
    try:
        get()
    except exc.NotFound:
        return True
    return None


def has(found: object, wanted: object, *, masked: bool = False) -> bool:
    """Return whether a value has all of another one.

    :param masked: whether what the server masks counts as what is wanted.
    """
    if isinstance(wanted, Mapping) and isinstance(found, Mapping):
        return all(has(found.get(name), value, masked=masked) for name, value in wanted.items())
    return found == wanted or (masked and found == MASK)


def is_patched(found: Mapping[str, Any], patch: Iterable[Mapping[str, Any]]) -> bool:
    """Return whether a resource is as a JSON patch leaves it; a masked secret never is."""
    return all(_is_done(found, one) for one in patch)


def _is_done(found: Any, operation: Mapping[str, Any]) -> bool:
    steps = [_unescaped(step) for step in str(operation["path"]).lstrip("/").split("/")]
    missing = object()
    for step in steps:
        found = found.get(step, missing) if isinstance(found, Mapping) else missing
    if operation["op"] == "remove":
        # Of a field of the resource, no value is left.
        return found is missing or (len(steps) == 1 and not found)
    return operation["op"] in ("add", "replace") and has(found, operation["value"])


def _unescaped(step: str) -> str:
    return step.replace("~1", "/").replace("~0", "~")
