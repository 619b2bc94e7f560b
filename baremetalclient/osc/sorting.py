"""Sorting of lists: ``--sort KEY[:asc|desc][,...]``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from baremetalclient import exc

if TYPE_CHECKING:
    from collections.abc import Sequence


class SortKey(NamedTuple):
    """A field to sort by, and the direction."""

    field: str
    direction: str = "asc"


def parse_sort(text: str | None) -> list[SortKey]:
    """Read the value of ``--sort``.

    :param text: keys with optional directions, separated by commas, or None.
    :returns: the keys, the most significant first.
    :raises CommandError: a direction is neither ``asc`` nor ``desc``, or a key is missing.
    """
    keys = []
    for part in text.split(",") if text else ():
        field, colon, direction = part.strip().partition(":")
        if not field or (colon and direction not in {"asc", "desc"}):
            raise exc.CommandError(
                f"Invalid value {text!r} of --sort. Use <key>[:asc|desc][,...], as in 'name:desc'."
            )
        keys.append(SortKey(field, direction or "asc"))
    return keys


def sort_items(items: list[dict[str, Any]], keys: Sequence[SortKey]) -> list[dict[str, Any]]:
    """Return items sorted by keys, with null first, as in the server's database.

    :param keys: the keys, the most significant first.
    """
    for key in reversed(keys):
        items = sorted(
            items,
            key=lambda item: _rank(item.get(key.field)),
            reverse=key.direction == "desc",
        )
    return items


def _rank(value: Any) -> tuple[int, Any]:
    if value is None:
        return 0, 0
    if isinstance(value, (bool, int, float)):
        return 1, value
    return 2, str(value)
