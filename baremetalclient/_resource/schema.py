"""Descriptions of resources: what the API calls them and what they consist of.

A resource is described once. Columns, labels, checks of versions, patches and masking of secrets
follow from the description.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from baremetalclient import exc
from baremetalclient.microversion import CLIENT_MIN, Version

if TYPE_CHECKING:
    from collections.abc import Callable

FieldType = Literal[
    "string", "integer", "boolean", "object", "list", "datetime", "links", "float", "uuid"
]

_CHOSEN_FIELDS = Version(1, 8)


class Feature(NamedTuple):
    """Something of the API that not every version has.

    :param name: what it is, as in "... is needed for node traits".
    :param since: the first version that has it.
    """

    name: str
    since: Version


class Field(NamedTuple):
    """A field of a resource.

    :param name: its key in JSON.
    :param label: its heading in tables.
    :param type: what its values are.
    :param since: the first version of the API that has it.
    :param sortable: whether lists can be sorted by it.
    :param creatable: whether it can be given when the resource is created.
    :param updatable: whether it can be changed afterwards.
    :param detailed: whether ``--long`` lists it.
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


def same_text(found: object, wanted: object) -> bool:
    """Whether two values are written alike, as query arguments are."""
    return found is not None and str(found) == str(wanted)


class Filter(NamedTuple):
    """Something that a list can be narrowed by.

    :param name: the argument of ``list()``.
    :param query: the query argument of the API, where it is spelt otherwise.
    :param since: the first version of the API that has it.
    :param field: the field that it looks at, where the client can do it for a server that refuses.
    :param accepts: tells whether a value of that field fits, given the value asked for.
    :param many: what each of several values is called, where it takes a list.
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
class Resource:
    """A kind of resource.

    :param name: what one of them is called, such as ``volume connector``.
    :param plural: what several are called.
    :param path: the path below ``/v1``.
    :param list_key: the key of the list in responses.
    :param fields: the fields, in the order in which ``--long`` shows them.
    :param listed: the names of the columns of a plain list, in order.
    :param other_list_keys: further keys that servers use for the list.
    :param since: the first version of the API that has the resource.
    :param filters: what lists can be narrowed by.
    :param detail: how a detailed list is asked for: by a path, by a query argument, or not at all.
    :param identifier: the field that names one in a path.
    :param fields_since: the first version in which certain fields can be asked for.
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
    fields_since: Version = _CHOSEN_FIELDS

    @cached_property
    def by_name(self) -> dict[str, Field]:
        """The fields by their names."""
        return {field.name: field for field in self.fields}

    @cached_property
    def labels(self) -> dict[str, str]:
        """The labels of all fields by their names."""
        return {field.name: field.label for field in self.fields}

    @property
    def feature(self) -> Feature:
        """The resource itself as something that needs a version."""
        return Feature(self.plural, self.since)

    @property
    def choosable(self) -> Feature:
        """The choice of fields as something that needs a version."""
        return Feature(f"a choice of fields of {self.plural}", self.fields_since)

    @property
    def list_keys(self) -> tuple[str, ...]:
        """Every key under which a server may put the list."""
        return (self.list_key, *self.other_list_keys)

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
        """The fields that mean something to a reader: all but links."""
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
        """Return the field of a name.

        :raises InvalidAttribute: if the resource has no such field.
        """
        try:
            return self.by_name[name]
        except KeyError:
            raise exc.InvalidAttribute(
                f"A {self.name} has no field {name!r}. Its fields are: {', '.join(self.by_name)}."
            ) from None

    def fields_in(self, version: Version) -> tuple[Field, ...]:
        """Return the fields that a version of the API has."""
        return tuple(field for field in self.fields if field.since <= version)

    def feature_of(self, name: str) -> Feature | None:
        """Return a field as something that needs a version, if the field is known.

        Fields that are not known here may be newer than this client; the server decides.
        """
        field = self.by_name.get(name)
        if field is None or field.since <= self.since:
            return None
        return Feature(f"the field {name!r} of {self.plural}", field.since)
