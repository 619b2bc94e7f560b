"""The order of lists: ``--sort KEY[:asc|desc][,...]``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from baremetalclient import exc

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Order:
    """One key of an order.

    :param field: the field to sort by.
    :param direction: ``asc`` or ``desc``.
    """

    field: str
    direction: str = "asc"


def parse_order(text: str | None) -> list[Order]:
    """Read the value of ``--sort``.

    :param text: keys with optional directions, separated by commas, or nothing.
    :returns: the keys, the first being the most significant.
    :raises CommandError: a direction is neither ``asc`` nor ``desc``, or a key is missing.
    """
    order = []
    for word in text.split(",") if text else ():
        field, colon, direction = word.strip().partition(":")
        if not field or (colon and direction not in {"asc", "desc"}):
            raise exc.CommandError(
                f"--sort takes <key>[:asc|desc][,...], such as 'name:desc', not {text!r}."
            )
        order.append(Order(field, direction or "asc"))
    return order


def sort_rows(rows: list[dict[str, Any]], order: Sequence[Order]) -> list[dict[str, Any]]:
    """Sort items by several keys; null comes first, as in the server's database.

    :param rows: the items.
    :param order: the keys, the first being the most significant.
    :returns: the items in order.
    """
    for key in reversed(order):
        rows = sorted(
            rows,
            key=lambda row: _rank(row.get(key.field)),
            reverse=key.direction == "desc",
        )
    return rows


def cut(rows: list[dict[str, Any]], limit: int | None) -> list[dict[str, Any]]:
    """Return as many items as were asked for, all for no limit or 0."""
    return rows[:limit] if limit else rows


def _rank(value: Any) -> tuple[int, Any]:
    if value is None:
        return 0, 0
    if isinstance(value, (bool, int, float)):
        return 1, value
    return 2, str(value)
