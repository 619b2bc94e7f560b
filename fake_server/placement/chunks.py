"""Lists in pieces that the condition of a query can name."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

T = TypeVar("T")
_PIECE = 500


def pieces(values: Iterable[T]) -> Iterator[list[T]]:
    """Return values in lists that are short enough."""
    found = list(values)
    for start in range(0, len(found), _PIECE):
        yield found[start : start + _PIECE]
