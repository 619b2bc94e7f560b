"""Checks of request bodies that the controls share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def known(values: Mapping[str, Any], names: Iterable[str]) -> Mapping[str, Any]:
    """Return values with known names; raise ValueError for an unknown one."""
    names = list(names)
    unknown = [name for name in values if name not in names]
    if unknown:
        raise ValueError(f"Unknown name {', '.join(unknown)}. Known names: {', '.join(names)}.")
    return values


def number(name: str, value: Any) -> float:
    """Return a value that has to be a number; raise ValueError if it isn't."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{name} has to be a number, not {value!r}.")
    return value
