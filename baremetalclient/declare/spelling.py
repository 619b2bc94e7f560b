"""Values that YAML reads as something else than what was meant, and how to write them."""

from __future__ import annotations

import math
import re
from datetime import date
from typing import TYPE_CHECKING, Any

from baremetalclient._http.redact import is_secret
from baremetalclient.declare.lab_kinds import MAC_FIELDS

if TYPE_CHECKING:
    from baremetalclient.declare.source import Source

MAC = re.compile(r"[0-9a-f]{2}(:[0-9a-f]{2}){5}", re.IGNORECASE)
_DIGITS = re.compile(r"[0-9a-f]{12}", re.IGNORECASE)
_SEPARATORS = re.compile(r"[:.-]")
_GROUPS = 6


def problem(name: str, value: Any, source: Source, place: str) -> str | None:
    """Return what is wrong with a value that is neither a list nor an object, None if it is fine.

    :param name: the name of the field, or the key of the object, that it is in.
    :param source: what it is from.
    :param place: where it is.
    """
    if value is None or isinstance(value, str | bool):
        return None
    if isinstance(value, date):
        return f"is a date, which JSON lacks.{quoted(name, value, source, place)}"
    if not isinstance(value, int | float):
        return f"is of the type {type(value).__name__}, which JSON lacks"
    if isinstance(value, float) and not math.isfinite(value):
        return f"is {value}, which JSON lacks"
    if name in MAC_FIELDS:
        return _mac_problem(value, source, place)
    written = getattr(value, "written", None)
    if written is None:
        return None
    what = "a number with the base 60" if ":" in written else "an octal number"
    shown = "" if is_secret(name) else f", {int(value)}"
    return f"is {what} in YAML{shown}.{quoted(name, value, source, place)}"


def quoted(name: str, value: Any, source: Source, place: str) -> str:
    """Return how to write a value as text, unless it may be a secret.

    :returns: a sentence without its stop, with a blank before it.
    """
    found = source.find(place)
    text = found.written if found and found.written else str(value)
    return f" Quote it: {name}: '…'" if is_secret(name) else f" Quote it: '{text}'"


def mac_address(text: str) -> str | None:
    """Return the MAC address that a text may stand for, None if there is none."""
    digits = _SEPARATORS.sub("", text)
    if not _DIGITS.fullmatch(digits):
        return None
    return ":".join(digits[at : at + 2] for at in range(0, len(digits), 2))


def _mac_problem(value: float, source: Source, place: str) -> str:
    found = source.find(place)
    written = found and found.written
    meant = mac_address(written or str(value)) or (None if written else _of_base_60(value))
    hint = f" Quote it: '{meant}'" if meant else ""
    return (
        f"is the number {written or value}, which is what an unquoted MAC address is in YAML.{hint}"
    )


def _of_base_60(value: float) -> str | None:
    """Return the MAC address that YAML has read as a number with the base 60."""
    number, groups = int(value), []
    for _ in range(_GROUPS - 1):
        number, group = divmod(number, 60)
        groups.append(group)
    text = ":".join(f"{group:02}" for group in [number, *reversed(groups)])
    # What begins with 0 is text in YAML.
    return text if number >= 10 and MAC.fullmatch(text) else None
