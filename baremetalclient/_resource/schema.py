"""Descriptions of types of resources: paths, fields and filters, with their versions.

Each type is described once, in the class of its resources. Columns, labels, checks of versions,
patches, the types of arguments, the help of options and the tables in the documentation follow.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
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
_ACRONYMS = frozenset({"bios", "id", "raid", "uuid"})
_TYPES: Mapping[str, FieldType] = {
    "bool": "boolean",
    "int": "integer",
    "list[Link]": "links",
    "list[list[Link]]": "links",
}
"""The types of fields by the annotations of their attributes, where these are enough."""


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
    :param meaning: what it is, in a sentence.
    :param label: the heading of its column in tables.
    :param type: the type of its values.
    :param annotation: the type of its values as Python has it.
    :param given: the same for values in requests, if it is another one.
    :param since: the first version of the API that has it.
    :param sortable: whether lists can be sorted by it.
    :param creatable: whether it can be given when the resource is created.
    :param updatable: whether it can be changed afterwards.
    :param required: whether it has to be given when the resource is created.
    :param detailed: whether lists show it with ``--long``.
    """

    name: str
    meaning: str
    label: str
    type: FieldType
    annotation: str
    given: str
    since: Version
    sortable: bool
    creatable: bool
    updatable: bool
    required: bool
    detailed: bool


class _Declaration:
    """What a class declares of a field; its name and annotation are those of the attribute."""

    def __init__(self, type: FieldType | None, sortable: bool | None, **options: Any) -> None:  # noqa: A002
        self._type = type
        self._sortable = sortable
        self._options = options

    def field(self, name: str, annotation: str) -> Field:
        """Return the field."""
        kind = self._type or _type_of(name, annotation)
        options = dict(self._options)
        label = options.pop("label") or _label_of(name)
        sortable = self._sortable
        if sortable is None:
            sortable = kind not in ("object", "list", "links")
        return Field(
            name=name, label=label, type=kind, annotation=annotation, sortable=sortable, **options
        )


def field(
    meaning: str,
    label: str = "",
    type: FieldType | None = None,  # noqa: A002 - the word for it
    *,
    given: str = "",
    since: Version = CLIENT_MIN,
    sortable: bool | None = None,
    creatable: bool = False,
    updatable: bool = False,
    required: bool = False,
    detailed: bool = True,
) -> Any:
    """Declare a field of a resource, as the value of an annotated attribute of its class.

    See :class:`Field` for the arguments. The label, the type and whether lists can be sorted by it
    follow from the attribute, unless they are given.
    """
    return _Declaration(
        type,
        sortable,
        meaning=meaning,
        label=label,
        given=given,
        since=since,
        creatable=creatable,
        updatable=updatable,
        required=required,
        detailed=detailed,
    )


settable = partial(field, creatable=True, updatable=True)
"""Declare a field that can be set when the resource is created and changed afterwards."""


def _label_of(name: str) -> str:
    words = name.split("_")
    return " ".join(word.upper() if word in _ACRONYMS else word.capitalize() for word in words)


def _type_of(name: str, annotation: str) -> FieldType:
    plain = annotation.removesuffix(" | None")
    if plain.startswith("dict["):
        return "object"
    if plain in _TYPES:
        return _TYPES[plain]
    if plain.startswith("list["):
        return "list"
    if name.endswith("_at"):
        return "datetime"
    return "uuid" if name.endswith("uuid") else "string"


def same_text(found: object, wanted: object) -> bool:
    """Whether two values are the same as text, which is how a query has them."""
    return found is not None and str(found) == str(wanted)


class Filter(NamedTuple):
    """A filter of a list.

    :param name: the argument of ``list()``.
    :param meaning: what it does, in a sentence.
    :param annotation: the type of its values, by default that of the field of its name.
    :param query: the query argument of the API, if it has another name.
    :param since: the first version of the API that has it.
    :param field: the field to compare, if the client can filter for servers that refuse to.
    :param accepts: returns whether a value of that field matches the value of the filter.
    :param many: the name of one value in messages, if the filter takes a list.
    :param nothing: a value that is the same as none.
    """

    name: str
    meaning: str
    annotation: str = ""
    query: str = ""
    since: Version = CLIENT_MIN
    field: str | None = None
    accepts: Callable[[Any, Any], bool] = same_text
    many: str | None = None
    nothing: Any = None

    @property
    def argument(self) -> str:
        """The query argument of the API."""
        return self.query or self.name

    def annotated(self, fields: Mapping[str, Field]) -> str:
        """Return the type of its values, by default that of the field of its name, or text."""
        if self.annotation:
            return self.annotation
        if self.many:
            return "Sequence[str] | None"
        kind = fields[self.name].annotation if self.name in fields else "str"
        return f"{kind.removesuffix(' | None')} | None"


@dataclass(frozen=True, eq=False)
class ResourceType:
    """The description of a type of resource.

    :param name: the name of the type, such as ``volume connector``.
    :param plural: its plural.
    :param path: the path below ``/v1``.
    :param list_key: the key of the list in responses.
    :param listed: the names of the columns of a plain list, in order.
    :param fields: the fields, in the order in which ``--long`` shows them: those that the class of
        the resources declares.
    :param only_sent: fields that are never returned: the annotation and the declaration by name.
    :param identified_by: the name of the argument of calls with the identifier.
    :param list_arguments: the arguments that ``list()`` takes by position, in order.
    :param list_keywords: those that are no filters and have to be given by name.
    :param other_list_keys: other keys that servers use for the list.
    :param since: the first version of the API that has the resource.
    :param filters: the filters of lists.
    :param detail: how to ask for a detailed list: by a path, by a query argument, or not at all.
    :param identifier: the field that identifies a resource in a path.
    :param fields_since: the first version in which ``fields`` can be selected.
    :param missing: the HTTP status, by method, with which versions before ``since`` respond.
    :param update_feature: the feature of changing resources, if it is newer than these.
    """

    name: str
    plural: str
    path: str
    list_key: str
    listed: tuple[str, ...]
    fields: tuple[Field, ...] = ()
    only_sent: Mapping[str, tuple[str, Any]] = dataclasses.field(default_factory=dict)
    identified_by: str = ""
    list_arguments: tuple[str, ...] = ()
    list_keywords: tuple[str, ...] = ()
    other_list_keys: tuple[str, ...] = ()
    since: Version = CLIENT_MIN
    filters: tuple[Filter, ...] = ()
    detail: Literal["path", "query"] | None = "query"
    identifier: str = "uuid"
    fields_since: Version = _FIELD_SELECTION
    missing: Mapping[str, int] = dataclasses.field(default_factory=lambda: NO_PATH)
    update_feature: Feature | None = None

    def declared_by(self, resource_class: type) -> ResourceType:
        """Return the description with the fields that a class declares; they are removed there."""
        declared: dict[str, tuple[str, Any]] = {}
        for name, annotation in resource_class.__annotations__.items():
            declaration = vars(resource_class).get(name)
            if isinstance(declaration, _Declaration):
                declared[name] = annotation, declaration
                # A field that the server did not send is missing.
                delattr(resource_class, name)
        declared |= self.only_sent
        fields = (one.field(name, annotation) for name, (annotation, one) in declared.items())
        return dataclasses.replace(self, fields=tuple(fields))

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
