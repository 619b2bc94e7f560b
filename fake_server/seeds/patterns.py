"""Entries of a seed with ``count``, which stand for many, with numbers in their texts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fake_server.seeds import schema, services

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

#: The maximum of ``count``, and of the entries of a seed with what is nested in them.
MOST = 1_000_000
_BELONGINGS = frozenset(
    child.key for kind in (*schema.LISTS, *services.LISTS) for child in kind.children
)
_PATTERN = re.compile(r"\{(index|number)(?::(mac|0?[0-9]{0,2}[dxX]?))?\}")


def expand(
    entry: Mapping[str, Any], variable: str, numbers: Mapping[str, int]
) -> Iterator[tuple[dict[str, Any], dict[str, int]]]:
    """Return the entries that an entry stands for, each with its numbers.

    :param variable: name of its number in patterns, ``index`` or ``number``.
    :param numbers: numbers of the entry that it belongs to.
    :raises ValueError: for an invalid ``count`` or ``start``.
    """
    if "count" not in entry:
        if "start" in entry:
            raise ValueError("start can only be used together with count")
        yield _entry(entry, numbers) if numbers else dict(entry), dict(numbers)
        return
    count, start = entry["count"], entry.get("start", 0)
    for name, value in (("count", count), ("start", start)):
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST:
            raise ValueError(f"{name} has to be an integer from 0 to {MOST}, not {value!r}")
    rest = {key: value for key, value in entry.items() if key not in ("count", "start")}
    for number in range(start, start + count):
        mine = {**numbers, variable: number}
        yield _entry(rest, mine), mine


def number_of_entries(value: Any) -> int:
    """Return how many entries a list stands for, with what is nested in them."""
    total = 0
    for item in value if isinstance(value, list) else ():
        if isinstance(item, dict):
            count = item.get("count", 1)
            nested = sum(map(number_of_entries, item.values()))
            # An invalid one is told where it is.
            valid = type(count) is int and 0 <= count <= MOST
            total += (1 + nested) * (count if valid else 1)
    return total


def _entry(entry: Mapping[str, Any], numbers: Mapping[str, int]) -> dict[str, Any]:
    # What belongs to it is filled in when its own numbers are known.
    return {
        key: value if key in _BELONGINGS else _filled(value, numbers)
        for key, value in entry.items()
    }


def _filled(value: Any, numbers: Mapping[str, int]) -> Any:
    if isinstance(value, str):
        return _PATTERN.sub(lambda found: _written(found, numbers), value)
    if isinstance(value, dict):
        return {key: _filled(item, numbers) for key, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, numbers) for item in value]
    return value


def _written(found: re.Match[str], numbers: Mapping[str, int]) -> str:
    name, form = found.groups()
    if name not in numbers:
        return found[0]
    if form == "mac":
        digits = f"{numbers[name]:06x}"
        return ":".join(digits[place : place + 2] for place in (0, 2, 4))
    return format(numbers[name], form or "d")
