"""Entries of a file with ``count``, which stand for many, with numbers in their texts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from baremetalclient.declare.secrets import Secret

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MOST = 1_000_000
"""The maximum of ``count``, and of the entries of a file with what is nested in them."""

_PATTERN = re.compile(r"\{(index|number)(?::(mac|0?[0-9]{0,2}[dxX]?))?\}")
_ANY = re.compile(r"\{[A-Za-z_]\w*(?::[^{}]*)?\}")


def expanded(
    item: Mapping[str, Any], variable: str, numbers: Mapping[str, int]
) -> Iterator[tuple[dict[str, Any], dict[str, int]]]:
    """Yield the entries that an entry with ``count`` stands for, each with its numbers.

    :param variable: what patterns call its number, ``index`` or ``number``.
    :param numbers: numbers of the entries that it is nested in.
    :raises ValueError: for an invalid ``count`` or ``start``.
    """
    if "count" not in item:
        yield dict(item), dict(numbers)
        return
    count, start = item["count"], item.get("start", 0)
    if not all(type(value) is int and 0 <= value <= MOST for value in (count, start)):
        raise ValueError(f"count and start have to be integers from 0 to {MOST}")
    rest = {name: value for name, value in item.items() if name not in ("count", "start")}
    for number in range(start, start + count):
        yield rest, {**numbers, variable: number}


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


def filled(value: Any, numbers: Mapping[str, int]) -> Any:
    """Return a value with numbers instead of the patterns in its texts."""
    if not numbers or isinstance(value, Secret):
        return value
    if isinstance(value, str):
        return _PATTERN.sub(lambda found: _written(found, numbers), value)
    if isinstance(value, dict):
        return {key: filled(item, numbers) for key, item in value.items()}
    if isinstance(value, list):
        return [filled(item, numbers) for item in value]
    return value


def unknown(value: Any, numbers: Mapping[str, int]) -> Iterator[str]:
    """Yield the unknown patterns in the texts of a value.

    Outside of entries with ``count``, a text may have any other braces.

    :param value: a value as :func:`filled` has returned it.
    :param numbers: the numbers that it was filled with.
    """
    if isinstance(value, Secret):
        return
    if isinstance(value, str):
        pattern = _ANY if numbers else _PATTERN
        yield from (found[0] for found in pattern.finditer(value))
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from unknown(item, numbers)


def _written(found: re.Match[str], numbers: Mapping[str, int]) -> str:
    name, form = found.groups()
    if name not in numbers:
        return found[0]
    if form == "mac":
        digits = f"{numbers[name]:06x}"
        return ":".join(digits[place : place + 2] for place in (0, 2, 4))
    return format(numbers[name], form or "d")
