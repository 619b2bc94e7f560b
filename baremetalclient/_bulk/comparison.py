"""Comparisons of a decoded value with a value that is written in an expression."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias

from baremetalclient import exc
from baremetalclient._resource.arguments import is_uuid, json_or_text, parse_boolean, parse_duration
from baremetalclient._suggestion import quoted

Test: TypeAlias = Callable[[Any], bool]

UNSET = ("null", "None")
"""The words for the value of a field that is not set."""

_ORDER: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def test_of(sign: str, value: str, type_: str) -> Test:
    """Return the function that compares a decoded value.

    :param sign: ``=``, ``~=``, ``contains``, or ``<`` and the like.
    :param value: the value as it was written.
    :param type_: the type of the field, empty if it is unknown.
    :raises ValidationError: if the value is wrong for the comparison.
    """
    if sign == "=":
        return lambda found: _equals(found, value, type_)
    if sign == "~=":
        return _pattern(value)
    if sign == "contains":
        return lambda found: _contains(found, value)
    return _order(sign, value, type_)


def is_set(found: Any) -> bool:
    """Return whether a decoded value is neither unset, nor empty, nor false."""
    return found not in (None, "", [], {}, False)


def _equals(found: Any, value: str, type_: str = "") -> bool:
    if not value:
        return found in (None, "", [], {})
    if found is None:
        return value in UNSET
    if isinstance(found, bool):
        return parse_boolean(value) is found
    if isinstance(found, str):
        same = found == value or (is_uuid(value) and found.lower() == value.lower())
        return same or (type_ == "datetime" and _time(found) == (_time(value) or ""))
    wanted = json_or_text(value)
    if isinstance(found, list) and not isinstance(wanted, list):
        return _contains(found, value)
    return bool(found == wanted) and not isinstance(wanted, bool)


def _contains(found: Any, value: str) -> bool:
    if isinstance(found, list):
        return any(_equals(item, value) for item in found)
    return isinstance(found, str | Mapping) and value in found


def _pattern(value: str) -> Test:
    try:
        pattern = re.compile(value)
    except (re.error, OverflowError, RecursionError) as error:
        why = "it is nested too deeply" if isinstance(error, RecursionError) else error
        raise exc.ValidationError(
            f"{quoted(value)} is not a Python regular expression: {why}"
        ) from None

    def fits(found: Any) -> bool:
        texts = found if isinstance(found, list) else [found]
        return any(pattern.fullmatch("" if one is None else str(one)) for one in texts)

    return fits


def _order(sign: str, value: str, type_: str) -> Test:
    holds = _ORDER[sign]
    age = parse_duration(value[1:]) if value[:1] == "-" and value[-1:].isalpha() else None
    number = None if age is not None or type_ == "datetime" else _number(value)
    moment = None if age is not None else _time(value)
    if number is not None:
        return lambda found: (one := _number(found)) is not None and holds(one, number)
    if (age is not None or moment) and type_ in ("", "datetime"):

        def compare(found: Any) -> bool:
            # An age is that at the time of the comparison: a wait goes on for long.
            wanted = moment or datetime.now(UTC) - timedelta(seconds=age or 0)
            one = _time(found)
            return one is not None and holds(one, wanted)

        return compare
    raise exc.ValidationError(
        f"{sign!r} compares numbers and times, and {quoted(value)} does not fit. Times are "
        "written as 2026-11-24T10:00:00Z, or as ages such as -30m, -2h or -7d"
    )


def _number(value: Any) -> float | None:
    """Return a number, which may be stored as text."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except ValueError:
        return None


def _time(value: Any) -> datetime | None:
    try:
        found = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
