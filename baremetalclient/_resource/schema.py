"""Descriptions of types of resources: paths, fields and filters, with their versions.

Each type is described once. Columns, labels, checks of versions, patches and the tables in the
documentation follow from the description.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from baremetalclient import exc
from baremetalclient.microversion import CLIENT_MIN, Version, v1

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

FieldType = Literal[
    "string", "integer", "boolean", "object", "list", "datetime", "links", "float", "uuid"
]

_FIELD_SELECTION = v1(8)
_PYTHON_TYPES: Mapping[str, type] = {
    **dict.fromkeys(("string", "uuid", "datetime"), str),
    "integer": int,
    "boolean": bool,
    "object": dict,
    "list": list,
}
"""The types of decoded values by the types of fields, as far as all servers keep to them."""


NO_PATH: Mapping[str, int] = MappingProxyType(
    dict.fromkeys(("GET", "POST", "PUT", "PATCH", "DELETE"), 404)
)
"""The responses to all methods at a path that is not there."""

NO_CHANGES: Mapping[str, int] = MappingProxyType(
    {**NO_PATH, **dict.fromkeys(("POST", "PATCH", "DELETE"), 405)}
)
"""The responses where changes of a resource are another error than reading it."""


class Feature(NamedTuple):
    """A feature of the API that is not in every version.

    :param name: its name in messages, such as ``node traits``.
    :param since: the first version that has it.
    :param missing: the HTTP status, by method, with which earlier versions respond if it is not
        406.
    """

    name: str
    since: Version
    missing: Mapping[str, int] = MappingProxyType({})


class Field(NamedTuple):
    """A field of a resource.

    :param name: its key in JSON.
    :param label: the heading of its column in tables.
    :param type: the type of its values.
    :param since: the first version of the API that has it.
    :param sortable: whether lists can be sorted by it.
    :param creatable: whether it can be given when the resource is created.
    :param updatable: whether it can be changed afterwards.
    :param detailed: whether lists show it with ``--long``.
    """

    name: str
    label: str
    type: FieldType = "string"
    since: Version = CLIENT_MIN
    sortable: bool = True
    creatable: bool = False
    updatable: bool = False
    detailed: bool = True

    @property
    def settable(self) -> bool:
        """Whether a user can set it, at creation or later."""
        return self.creatable or self.updatable


SettableField = partial(Field, creatable=True, updatable=True)
"""A field that can be set when the resource is created and changed afterwards."""


def same_text(found: object, wanted: object) -> bool:
    """Whether two values are the same as text, which is how a query has them."""
    return found is not None and str(found) == str(wanted)


class Filter(NamedTuple):
    """A filter of a list.

    :param name: the argument of ``list()``.
    :param query: the query argument of the API, if it has another name.
    :param since: the first version of the API that has it.
    :param field: the field to compare, if the client can filter for servers that refuse to.
    :param accepts: returns whether a value of that field matches the value of the filter.
    :param many: the name of one value in messages, if the filter takes a list.
    """

    name: str
    query: str = ""
    since: Version = CLIENT_MIN
    field: str | None = None
    accepts: Callable[[Any, Any], bool] = same_text
    many: str | None = None

    @property
    def argument(self) -> str:
        """The query argument of the API."""
        return self.query or self.name


@dataclass(frozen=True, eq=False)
class ResourceType:
    """The description of a type of resource.

    :param name: the name of the type, such as ``volume connector``.
    :param plural: its plural.
    :param path: the path below ``/v1``.
    :param list_key: the key of the list in responses.
    :param fields: the fields, in the order in which ``--long`` shows them.
    :param listed: the names of the columns of a plain list, in order.
    :param other_list_keys: other keys that servers use for the list.
    :param since: the first version of the API that has the resource.
    :param filters: the filters of lists.
    :param detail: how to ask for a detailed list: by a path, by a query argument, or not at all.
    :param identifier: the field that identifies a resource in a path.
    :param fields_since: the first version in which ``fields`` can be selected.
    :param missing: the HTTP status, by method, with which versions before ``since`` respond.
    """

    name: str
    plural: str
    path: str
    list_key: str
    fields: tuple[Field, ...]
    listed: tuple[str, ...]
    other_list_keys: tuple[str, ...] = ()
    since: Version = CLIENT_MIN
    filters: tuple[Filter, ...] = ()
    detail: Literal["path", "query"] | None = "query"
    identifier: str = "uuid"
    fields_since: Version = _FIELD_SELECTION
    missing: Mapping[str, int] = field(default_factory=lambda: NO_PATH)

    @cached_property
    def by_name(self) -> dict[str, Field]:
        """The fields by their names."""
        return {field.name: field for field in self.fields}

    @cached_property
    def _python_types(self) -> dict[str, type]:
        return {
            field.name: _PYTHON_TYPES[field.type]
            for field in self.fields
            if field.type in _PYTHON_TYPES
        }

    @cached_property
    def labels(self) -> dict[str, str]:
        """The labels of all fields by their names."""
        return {field.name: field.label for field in self.fields}

    @property
    def feature(self) -> Feature:
        """The feature of having this type of resource."""
        return Feature(self.plural, self.since, self.missing)

    @property
    def field_selection(self) -> Feature:
        """The feature of selecting fields."""
        return Feature(f"selecting fields of {self.plural}", self.fields_since)

    @property
    def list_keys(self) -> tuple[str, ...]:
        """All keys that servers use for the list."""
        return (self.list_key, *self.other_list_keys)

    @property
    def one(self) -> str:
        """The name of the type with its article, for messages."""
        return f"{'an' if self.name[0] in 'aeiou' else 'a'} {self.name}"

    @cached_property
    def list_columns(self) -> tuple[Field, ...]:
        """The columns of a plain list."""
        return tuple(self.by_name[name] for name in self.listed)

    @cached_property
    def long_columns(self) -> tuple[Field, ...]:
        """The columns of a list with ``--long``."""
        return tuple(field for field in self.fields if field.detailed)

    @cached_property
    def shown_fields(self) -> tuple[Field, ...]:
        """All fields but links."""
        return tuple(field for field in self.fields if field.type != "links")

    @cached_property
    def sortable_names(self) -> tuple[str, ...]:
        """The names of the fields that lists can be sorted by."""
        return tuple(field.name for field in self.fields if field.sortable)

    @cached_property
    def creatable_names(self) -> tuple[str, ...]:
        """The names of the fields that can be given at creation."""
        return tuple(field.name for field in self.fields if field.creatable)

    @cached_property
    def updatable_names(self) -> tuple[str, ...]:
        """The names of the fields that can be changed."""
        return tuple(field.name for field in self.fields if field.updatable)

    def field(self, name: str) -> Field:
        """Return the field with a name.

        :raises InvalidAttribute: if the resource has no such field.
        """
        try:
            return self.by_name[name]
        except KeyError:
            raise exc.InvalidAttribute(
                f"Unknown field {name!r} of {self.one}. Known fields: {', '.join(self.by_name)}."
            ) from None

    def flaw_in(self, item: dict[str, Any], asked: Sequence[str] | None) -> str | None:
        """Return what is wrong with a resource that a server sent, None if nothing is.

        :param item: the decoded fields.
        :param asked: the fields that the request asked for, None for the default ones.
        """
        # Parts of a resource are enough, as the tests of other programs have them.
        if not item or (asked is None and self.by_name.keys().isdisjoint(item)):
            return "has none of its fields"
        types = self._python_types
        for name, value in item.items():
            if value is not None and not isinstance(value, types.get(name, object)):
                return f"has a field {name!r} that is of another type"
        # Nodes without a shard are those of the shard whose name is null.
        if self.identifier != "name" and item.get(self.identifier, "") is None:
            return f"has a field {self.identifier!r} that is null"
        return None

    def fields_in(self, version: Version) -> tuple[Field, ...]:
        """Return the fields that a version of the API has."""
        return tuple(field for field in self.fields if field.since <= version)

    def feature_of(self, name: str) -> Feature | None:
        """Return the feature of having a field, None if each version has the field.

        Unknown fields may be newer than this client, so they need no version; the server decides.
        """
        field = self.by_name.get(name)
        if field is None or field.since <= self.since:
            return None
        return Feature(f"the field {name!r} of {self.plural}", field.since)
