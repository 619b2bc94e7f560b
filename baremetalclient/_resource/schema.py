"""Descriptions of types of resources: paths, fields, filters and features, with their versions.

Each type is described once, in the class of its resources. Columns, labels, checks of versions,
patches, the types of arguments, the help of options and the tables in the documentation follow.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from baremetalclient import exc
from baremetalclient._resource.arguments import check_value
from baremetalclient._resource.fields import Field, Filter, words_of
from baremetalclient._suggestion import suggestion
from baremetalclient.microversion import CLIENT_MIN, Feature, Version, v1

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_FIELD_SELECTION = v1(8)
NO_PATH: Mapping[str, int] = MappingProxyType(
    dict.fromkeys(("GET", "POST", "PUT", "PATCH", "DELETE"), 404)
)
"""The responses to all methods at a path that is not there."""

NO_CHANGES: Mapping[str, int] = MappingProxyType(
    {**NO_PATH, **dict.fromkeys(("POST", "PATCH", "DELETE"), 405)}
)
"""The responses where changes of a resource are another error than reading it."""


@dataclass(frozen=True, eq=False)
class ResourceType:
    """The description of a type of resource.

    :param name: the name of the type, such as ``volume connector``.
    :param path: the path below ``/v1``.
    :param listed: the names of the columns of a plain list, in order.
    :param plural: its plural, by default with an s.
    :param list_key: the key of the list in responses, by default the path.
    :param fields: the fields, in the order in which ``--long`` shows them: those that the class of
        the resources declares.
    :param only_sent: fields that are never returned: the annotation and the declaration by name.
    :param identified_by: the name of the argument of calls with the identifier, by default the
        name with ``_id``.
    :param list_arguments: the arguments that ``list()`` takes by position, in order.
    :param list_keywords: those that are no filters and have to be given by name.
    :param other_list_keys: other keys that servers use for the list.
    :param since: the first version of the API that has the resource.
    :param filters: the filters of lists.
    :param types: the module with the types that annotations name, by default that of their package.
    :param detail: how to ask for a detailed list: by a path, by a query argument, or not at all.
    :param identifier: the field that identifies a resource in a path.
    :param fields_since: the first version in which ``fields`` can be selected.
    :param missing: the HTTP status, by method, with which versions before ``since`` respond.
    :param update_feature: the feature of changing resources, if it is newer than these.
    """

    name: str
    path: str
    listed: tuple[str, ...] = ()
    plural: str = ""
    list_key: str = ""
    fields: tuple[Field, ...] = ()
    only_sent: Mapping[str, tuple[str, Any]] = dataclasses.field(default_factory=dict)
    identified_by: str = ""
    list_arguments: tuple[str, ...] = ()
    list_keywords: tuple[str, ...] = ()
    other_list_keys: tuple[str, ...] = ()
    since: Version = CLIENT_MIN
    filters: tuple[Filter, ...] = ()
    types: str = ""
    detail: Literal["path", "query"] | None = "query"
    identifier: str = "uuid"
    fields_since: Version = _FIELD_SELECTION
    missing: Mapping[str, int] = dataclasses.field(default_factory=lambda: NO_PATH)
    update_feature: Feature | None = None

    def declared_by(self, resource_class: type) -> ResourceType:
        """Return the description with the fields that a class declares; they are removed there."""
        declared: dict[str, tuple[str, Field]] = {}
        for name, annotation in resource_class.__annotations__.items():
            field = vars(resource_class).get(name)
            if isinstance(field, Field):
                declared[name] = annotation, field
                # A field that the server did not send is missing.
                delattr(resource_class, name)
        declared |= self.only_sent
        fields = (one.declared(name, annotation) for name, (annotation, one) in declared.items())
        return dataclasses.replace(
            self,
            fields=tuple(fields),
            plural=self.plural or f"{self.name}s",
            list_key=self.list_key or self.path,
            types=self.types or f"{'.'.join(resource_class.__module__.split('.')[:2])}.types",
            identified_by=self.identified_by or f"{self.name.replace(' ', '_')}_id",
        )

    @cached_property
    def by_name(self) -> dict[str, Field]:
        """The fields by their names."""
        return {field.name: field for field in self.fields}

    @cached_property
    def labels(self) -> dict[str, str]:
        """The labels of all fields by their names."""
        return {field.name: field.label for field in self.fields}

    @cached_property
    def feature(self) -> Feature:
        """The feature of having this type of resource."""
        return Feature(self.plural, self.since, self.missing)

    @property
    def field_selection(self) -> Feature:
        """The feature of selecting fields."""
        return Feature(f"selecting fields of {self.plural}", self.fields_since)

    @property
    def one(self) -> str:
        """The name of the type with its article, for messages."""
        return f"{'an' if self.name[0] in 'aeiou' else 'a'} {self.name}"

    @cached_property
    def long_columns(self) -> tuple[Field, ...]:
        """The columns of a list with ``--long``."""
        return tuple(field for field in self.fields if field.detailed)

    @cached_property
    def shown_fields(self) -> tuple[Field, ...]:
        """All fields but links."""
        return tuple(field for field in self.fields if field.type != "links")

    @cached_property
    def only_detailed(self) -> frozenset[str]:
        """The names of the fields that requests can't ask for, but get with all others."""
        return frozenset(field.name for field in self.fields if field.only_detailed)

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
                f"Unknown field {name!r} of {self.one}."
                f"{suggestion(name, self.by_name, 'Known fields')}"
            ) from None

    def words_of(self, name: str, *, closed: bool = True) -> tuple[str, ...]:
        """Return the words that a field can have as its value; none if there is no such list.

        :param closed: whether to return none of a field that can have others, too.
        """
        field = self.by_name.get(name)
        return () if field is None else words_of(self.types, field.annotation, closed=closed)

    def check_value(self, name: str, value: object) -> None:
        """Raise an exception for a value that a field or a filter cannot have.

        :raises ValidationError: naming the values that it can have.
        """
        known = self.words_of(name)
        if known:
            check_value(name.replace("_", " "), value, known)

    def flaw_in(self, item: dict[str, Any], asked: Sequence[str] | None) -> str | None:
        """Return what is wrong with a resource that a server sent, None if nothing is.

        :param item: the decoded fields.
        :param asked: the fields that the request asked for, None for the default ones.
        """
        # Parts of a resource are enough, as the tests of other programs have them. Values of other
        # types than described are passed on: a newer server may send them.
        if not item or (asked is None and self.by_name.keys().isdisjoint(item)):
            return "has none of its fields"
        # Nodes without a shard are those of the shard whose name is null.
        identifier = item.get(self.identifier, "")
        if identifier is None and self.identifier == "name":
            return None
        if not isinstance(identifier, str):
            what = "null" if identifier is None else "no text"
            return f"has a field {self.identifier!r} that is {what}"
        return None

    def feature_of(self, name: str) -> Feature | None:
        """Return the feature of having a field, None if each version has the field.

        Unknown fields may be newer than this client, so they need no version; the server decides.
        """
        field = self.by_name.get(name)
        if field is None or field.since <= self.since:
            return None
        return Feature(f"the field {name!r} of {self.plural}", field.since)
