"""Fields of resources, as their classes declare them, and filters of lists."""

from __future__ import annotations

import importlib
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args, get_origin

from baremetalclient.microversion import CLIENT_MIN, Version

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

FieldType = Literal[
    "string", "integer", "boolean", "object", "list", "datetime", "links", "float", "uuid"
]

_TEXTS = ("string", "datetime", "uuid")
_ACRONYMS = frozenset({"bios", "id", "raid", "uuid"})
_TYPES: Mapping[str, FieldType] = {
    "bool": "boolean",
    "int": "integer",
    "list[Link]": "links",
    "list[list[Link]]": "links",
}
"""The types of fields by the annotations of their attributes, where these are enough."""


class Field(NamedTuple):
    """A field of a resource.

    :param meaning: what it is, in a sentence.
    :param label: the heading of its column in tables.
    :param type: the type of its values.
    :param given: the type of values in requests as Python has it, if it is another one.
    :param since: the first version of the API that has it.
    :param sortable: whether lists can be sorted by it.
    :param creatable: whether it can be given when the resource is created.
    :param updatable: whether it can be changed afterwards.
    :param required: whether it has to be given when the resource is created.
    :param detailed: whether lists show it with ``--long``.
    :param blank: whether a text can be empty.
    :param only_detailed: whether requests can't ask for it by name, but get it with all fields.
    :param name: its key in JSON.
    :param annotation: the type of its values as Python has it.
    """

    meaning: str
    label: str
    type: FieldType
    given: str = ""
    since: Version = CLIENT_MIN
    sortable: bool | None = None
    creatable: bool = False
    updatable: bool = False
    required: bool = False
    detailed: bool = True
    blank: bool = False
    only_detailed: bool = False
    name: str = ""
    annotation: str = ""

    @property
    def always_set(self) -> bool:
        """Whether its value is never null, empty or false."""
        return self.type in _TEXTS and not self.blank and not self.annotation.endswith(" | None")

    def declared(self, name: str, annotation: str) -> Field:
        """Return the field with what follows from the attribute that declares it."""
        kind = self.type or _type_of(name, annotation)
        sortable = self.sortable
        return self._replace(
            name=name,
            annotation=annotation,
            label=self.label or _label_of(name),
            type=kind,
            sortable=kind not in ("object", "list", "links") if sortable is None else sortable,
        )


def field(meaning: str, label: str = "", type: FieldType | None = None, **options: Any) -> Any:  # noqa: A002
    """Declare a field of a resource, as the value of an annotated attribute of its class.

    See :class:`Field` for the arguments. The label, the type and whether lists can be sorted by it
    follow from the attribute, unless they are given.
    """
    return Field(meaning, label, type, **options)  # type: ignore[arg-type]


settable = partial(field, creatable=True, updatable=True)
"""Declare a field that can be set when the resource is created and changed afterwards."""


def words_of(module: str, annotation: str, *, closed: bool) -> tuple[str, ...]:
    """Return the words of the literal type that an annotation names; none of another type.

    :param module: the module with the type, which is imported.
    :param closed: whether to return none, either, of a type that takes any other text as well.
    """
    name = annotation.partition(" | ")[0]
    if not name[:1].isupper():
        return ()
    alias = getattr(importlib.import_module(module), name, None)
    parts = (alias,) if get_origin(alias) is Literal else get_args(alias)
    if closed and str in parts:
        return ()
    literals = (get_args(part) for part in parts if get_origin(part) is Literal)
    return tuple(chain.from_iterable(literals))


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
