"""What a list of images is asked for: filters, order and page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from operator import eq, ge, gt, le, lt, ne
from typing import TYPE_CHECKING, Any

from fake_server.clock import parse_moment
from fake_server.common.errors import BadRequest
from fake_server.common.lists import ordered, several
from fake_server.common.parsing import parse_boolean, parse_integer
from fake_server.image.models import images, members

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.db.store import Record

#: Images of a page, by default and at most.
_DEFAULT_LIMIT, _MAXIMUM = 25, 1000
_SORT_KEYS = (
    *("name", "status", "container_format", "disk_format", "size", "id", "created_at"),
    "updated_at",
)
_COMPARISONS = {"gt": gt, "gte": ge, "lt": lt, "lte": le, "eq": eq, "neq": ne}
_TIMES = ("created_at", "updated_at")
_FLAGS = ("protected", "os_hidden")
#: Filters of a list of values behind ``in:``.
_LISTS = ("container_format", "disk_format", "id", "name", "status")
_BOUNDS = {"size_min": ("size", ge), "size_max": ("size", le)}
_NUMBERS = ("min_ram", "min_disk", "size")
_VISIBILITIES = (images.PUBLIC, "private", images.SHARED, images.COMMUNITY, images.ANY)
_PAGING = ("limit", "marker", "sort_key", "sort_dir", "sort", "visibility", "member_status")
#: Tells whether an image is listed.
Test = Callable[["Record"], bool]


@dataclass
class Wanted:
    """What a list shows.

    :param order: names of columns, each with whether the order is descending.
    """

    limit: int
    marker: str | None
    order: list[tuple[str, bool]]
    visibility: str | None
    member_status: str
    tests: list[Test] = field(default_factory=list)

    def accepts(self, row: Record) -> bool:
        """Return whether an image is listed."""
        return all(test(row) for test in self.tests)

    def sorted(self, rows: list[Record]) -> list[Record]:
        """Return images in the order that is asked for."""
        return ordered(rows, self.order)


def read(query: Mapping[str, Any]) -> Wanted:
    """Return what a query asks for; raise BadRequest if it isn't valid."""
    visibility, status = _last(query, "visibility"), _last(query, "member_status")
    if visibility not in (None, *_VISIBILITIES):
        raise BadRequest(f"Invalid visibility value: {visibility}")
    if status not in (None, images.ANY, *members.STATUSES):
        raise BadRequest(f"Invalid status: {status}")
    wanted = Wanted(
        page_size(_last(query, "limit")),
        _last(query, "marker"),
        _order(query),
        visibility,
        status or images.ACCEPTED,
    )
    hidden = _flag("os_hidden", _last(query, "os_hidden") or "false")
    wanted.tests.append(lambda row: row["os_hidden"] == hidden)
    for name in query:
        if name not in (*_PAGING, "os_hidden"):
            wanted.tests += [_test(name, text) for text in several(query, name)]
    return wanted


def _test(name: str, text: str) -> Test:
    if name == "tag":
        return lambda row: text in row["tags"]
    if name in _TIMES:
        return _time_test(name, text)
    if name == "protected":
        protected = _flag(name, text)
        return lambda row: row["protected"] == protected
    if name in _BOUNDS or name in _NUMBERS:
        column, compare = _BOUNDS.get(name, (name, eq))
        number = parse_integer(text, strict=True)
        if number is None:
            raise BadRequest("Unable to filter on a range with a non-numeric value.")
        return lambda row: row[column] is not None and bool(compare(row[column], number))
    values = [text]
    if name in _LISTS and text.startswith("in:"):
        values = [value.strip('"') for value in text[3:].split(",")]
    return lambda row: {**row["properties"], **row}.get(name) in values


def _time_test(name: str, text: str) -> Test:
    operator, colon, moment = text.partition(":")
    if not colon or operator[:1].isdigit():
        operator, moment = "eq", text
    if operator not in _COMPARISONS:
        raise BadRequest("Unable to filter on a unknown operator.")
    try:
        wanted = parse_moment(moment)
    except ValueError:
        raise BadRequest(
            f'Bad "{name}" query filter format. Use ISO 8601 DateTime notation.'
        ) from None
    compare = _COMPARISONS[operator]
    return lambda row: bool(compare(row[name].replace(microsecond=0), wanted))


def _flag(name: str, text: str) -> bool:
    found = parse_boolean(text)
    if found is None:
        raise BadRequest(
            f"Invalid value '{text}' for '{name}' filter. Valid values are 'true' or 'false'."
        )
    return found


def page_size(text: str | None) -> int:
    """Return how many a page has, if it is asked for so many; raise BadRequest for no number."""
    if text is None:
        return _DEFAULT_LIMIT
    number = parse_integer(text.removeprefix("-"), strict=True)
    if number is None:
        raise BadRequest("limit param must be an integer")
    if text.startswith("-"):
        raise BadRequest("limit param must be positive")
    return min(number, _MAXIMUM)


def _order(query: Mapping[str, Any]) -> list[tuple[str, bool]]:
    keys, directions = several(query, "sort_key"), several(query, "sort_dir")
    if "sort" in query:
        if keys or directions:
            raise BadRequest("Old and new sorting syntax cannot be combined")
        parts = [part.strip().partition(":") for part in str(_last(query, "sort")).split(",")]
        keys = [name for name, _, _ in parts]
        directions = [direction or "desc" for _, _, direction in parts]
    if len(directions) > 1 and len(directions) != len(keys):
        raise BadRequest("Number of sort dirs does not match the number of sort keys")
    for key in keys:
        if key not in _SORT_KEYS:
            raise BadRequest(
                f"Invalid sort key: {key}. It must be one of the following: "
                f"{', '.join(_SORT_KEYS)}."
            )
    for direction in directions:
        if direction not in ("asc", "desc"):
            raise BadRequest(f"Invalid sort direction: {direction}")
    if len(directions) < 2:
        directions = (directions or ["desc"]) * max(len(keys), 1)
    order = [
        (key, direction == "desc")
        for key, direction in zip(keys or ["created_at"], directions, strict=True)
    ]
    descending = order[0][1]
    return [*order, *((name, descending) for name in ("created_at", "number"))]


def _last(query: Mapping[str, Any], name: str) -> str | None:
    values = several(query, name)
    return values[-1] if values else None
