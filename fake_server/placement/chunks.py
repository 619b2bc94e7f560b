"""Lists in chunks, so that a query never names too many values."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

T = TypeVar("T")
_SIZE = 500


def chunks(values: Iterable[T]) -> Iterator[list[T]]:
    """Return values in lists that are short enough."""
    found = list(values)
    for start in range(0, len(found), _SIZE):
        yield found[start : start + _SIZE]
