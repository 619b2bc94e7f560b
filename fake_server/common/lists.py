"""Lists: their order, their pages, and the tags that they are narrowed by."""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from fake_server.common.errors import ServiceError
    from fake_server.db.store import Record

#: What has the wanted tags, by the filter that names them.
TAG_FILTERS: Mapping[str, Callable[[set[str], set[str]], bool]] = MappingProxyType(
    {
        "tags": lambda wanted, tags: wanted <= tags,
        "tags-any": lambda wanted, tags: not wanted.isdisjoint(tags),
        "not-tags": lambda wanted, tags: not wanted <= tags,
        "not-tags-any": lambda wanted, tags: wanted.isdisjoint(tags),
    }
)


def is_tagged(tags: Collection[str], name: str, wanted: Sequence[str]) -> bool:
    """Return whether something with tags is in a list.

    :param name: that of a filter in :data:`TAG_FILTERS`.
    :param wanted: its values, each of which names tags with commas between.
    """
    return TAG_FILTERS[name]({tag for one in wanted for tag in one.split(",")}, {*tags})


def several(query: Mapping[str, Any], name: str) -> list[str]:
    """Return the values of an argument of a query, which may be repeated."""
    value = query.get(name, [])
    return value if isinstance(value, list) else [value]


def ordered(rows: Iterable[Record], order: Sequence[tuple[str, bool]]) -> list[Record]:
    """Return rows in an order, in which null comes first; otherwise they stay as they are.

    :param order: the names of columns, each with whether it is descending.
    """
    found = list(rows)
    for name, descending in reversed(order):
        found.sort(key=partial(_place, name), reverse=descending)
    return found


def after(
    rows: list[Record], marker: str | None, problem: str | ServiceError, key: str = "id"
) -> list[Record]:
    """Return the rows behind the one that a marker names; raise the problem if there is none.

    :param problem: an error, or the message of a BadRequest.
    :param key: the column that the marker is of.
    """
    if marker is None:
        return rows
    for position, row in enumerate(rows, 1):
        if str(row[key]) == marker:
            return rows[position:]
    raise BadRequest(problem) if isinstance(problem, str) else problem


def _place(name: str, row: Mapping[str, Any]) -> tuple[bool, Any]:
    value = row.get(name)
    return value is not None, value
