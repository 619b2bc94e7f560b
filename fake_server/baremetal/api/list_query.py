"""The arguments of lists: the schema and the converter of each, and their values."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, NamedTuple

from fake_server.baremetal import arguments
from fake_server.baremetal.api import listing
from fake_server.baremetal.arguments import (
    DETAIL,
    SORT_DIRECTION,
    UUID_OR_NAME,
    UUID_TEXT,
    fields_schema,
)
from fake_server.common.schemas import object_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from fake_server.baremetal.api.context import Context
    from fake_server.baremetal.models.paging import Page
    from fake_server.db.store import Record


class ListArgument(NamedTuple):
    """An argument of a list.

    :param schema: the JSON schema of its value, once it was converted; where there is none, the
        schema of the list refuses it.
    :param converter: what its value goes through before.
    """

    schema: Mapping[str, Any] | None = None
    converter: arguments.Converter = arguments.as_it_is


STRING = ListArgument({"type": "string"}, arguments.string)
MARKER = ListArgument(UUID_TEXT, arguments.uuid)
NODE = ListArgument(UUID_OR_NAME, arguments.uuid_or_name)
#: What nearly every list takes.
PAGE: Mapping[str, ListArgument] = {
    "marker": MARKER,
    "limit": ListArgument({"type": "integer"}, arguments.integer),
    "sort_key": STRING,
    "sort_dir": ListArgument(SORT_DIRECTION, arguments.string),
}


def chosen(fields: Sequence[str]) -> dict[str, ListArgument]:
    """Return the arguments that choose what is shown.

    :param fields: the fields that a list can be asked for.
    """
    return {
        "fields": ListArgument(fields_schema(fields), arguments.string_list),
        "detail": ListArgument(DETAIL, arguments.boolean),
    }


@dataclasses.dataclass(frozen=True, slots=True)
class ListQuery:
    """The arguments of a request for a list.

    :param marker: names the last item of the page before.
    :param filters: the other arguments that were given.
    """

    marker: str | None = None
    limit: int | None = None
    sort_key: str = "id"
    sort_dir: str = "asc"
    fields: list[str] | None = None
    detail: bool | None = None
    filters: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    @classmethod
    def of(cls, query: Mapping[str, Any]) -> ListQuery:
        """Return the query that converted arguments make up."""
        own = {name: value for name, value in query.items() if name in cls.__slots__}
        return cls(**own, filters={name: query[name] for name in query if name not in own})

    def page(self, find: Callable[[str], Record], unsortable: Sequence[str] = ()) -> Page:
        """Return the page that is asked for.

        :param find: returns the item that a marker names.
        :param unsortable: fields that can't be sorted by.
        :raises ApiError: for an invalid limit, direction, key or marker.
        """
        page = listing.page(self.limit, self.sort_key, self.sort_dir, unsortable)
        return dataclasses.replace(page, marker=find(self.marker)) if self.marker else page

    def choose_fields(self, ctx: Context, default: Sequence[str]) -> list[str] | None:
        """Return the fields to show; see :func:`.listing.choose_fields`."""
        return listing.choose_fields(ctx, self.fields, self.detail, default)


def schema(taken: Mapping[str, ListArgument]) -> Mapping[str, Any]:
    """Return the schema of the arguments of a list."""
    schemas = {name: item.schema for name, item in taken.items() if item.schema is not None}
    return object_schema(dict(sorted(schemas.items())))
