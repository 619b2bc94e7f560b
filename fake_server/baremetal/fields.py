"""Fields of resources, each described once.

The database columns, the JSON schemas of requests, the microversion checks, what is shown, sorting,
filters and seeds follow from these descriptions. A new field is one row.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Flag
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal import arguments, microversions
from fake_server.db.schema import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Settable(Flag):
    """The requests that may set a field."""

    NEVER = 0
    CREATE = 1
    PATCH = 2
    ALWAYS = CREATE | PATCH


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """The type of a field.

    :param column: returns the type of its column, for a length in characters or ``None``; no column
        holds a field without it.
    :param types: what JSON schema calls its values.
    :param converter: what a request's value goes through.
    """

    column: Callable[[int | None], Any] | None
    types: tuple[str, ...] = ()
    converter: arguments.Converter = arguments.as_it_is


#: A field whose value is found by a key of another table.
LINK = Kind(None, ("string", "null"), arguments.uuid)
#: A list that is kept in another table.
LINKED_LIST = Kind(None, ("array",))
TEXT = Kind(lambda length: sa.Text() if length is None else sa.String(length), ("string", "null"))
MESSAGE = Kind(lambda _: Message(), ("string", "null"))
UUID = Kind(lambda _: sa.String(36), ("string", "null"), arguments.uuid)
BOOLEAN = Kind(lambda _: sa.Boolean(), ("string", "boolean", "null"), arguments.boolean)
#: A boolean that requests give as such only.
FLAG = Kind(lambda _: sa.Boolean(), ("boolean", "null"))
#: A boolean that Ironic stores without validation.
UNCHECKED_BOOLEAN = Kind(lambda _: sa.Boolean(), ("string", "boolean", "null"))
OBJECT = Kind(lambda _: sa.JSON(none_as_null=True), ("object", "null"))
LIST = Kind(lambda _: sa.JSON(none_as_null=True), ("array", "null"))
INTEGER = Kind(lambda _: sa.Integer(), ("integer",))
ADDRESS = Kind(lambda _: sa.String(18), ("string", "null"), arguments.mac_address)
TIME = Kind(lambda _: sa.DateTime())


@dataclass(frozen=True, slots=True)
class Filter:
    """An argument of a list that a field has to be equal to.

    :param since: the minor version that introduced it.
    :param converter: what its value goes through.
    :param refusal: the text of the 406 before that version, with ``{}`` for the version.
    """

    since: int = 1
    converter: arguments.Converter = arguments.string
    refusal: str = microversions.NAMED


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a resource.

    :param name: name in the API.
    :param kind: what it holds.
    :param since: the minor version that introduced it.
    :param length: characters that its column takes; ``None`` for any number.
    :param index: whether the database looks rows up by it.
    :param default: the value of a new resource; a field that has one is never null, unless
        ``nullable`` says so.
    :param nullable: whether its column takes null.
    :param settable: the requests that may set it.
    :param required: whether a new resource has to have it.
    :param asked: the minor version from which it may be asked for, where that isn't ``since``.
    :param shown: whether the resource shows it, rather than only taking it.
    :param limits: what JSON schema has to say of its values beside their type.
    :param policy: the end of the name of the policy that guards changes of it; ``update`` if none.
    :param filter: the argument of lists that asks for a value of it.
    :param secrets: for an object whose secrets are masked: the names of those whose names don't
        give them away.
    :param redacted: what callers of a node see who lack the policy ``baremetal:node:get:NAME``.
    """

    name: str
    kind: Kind = TEXT
    since: int = 1
    length: int | None = 255
    index: bool = False
    default: Any = None
    nullable: bool | None = None
    settable: Settable = Settable.NEVER
    required: bool = False
    asked: int | None = None
    shown: bool = True
    limits: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    policy: str | None = None
    filter: Filter | None = None
    secrets: tuple[str, ...] | None = None
    redacted: str | None = None

    def column(self) -> sa.Column[Any]:
        """Return a new column for the field."""
        assert self.kind.column is not None  # noqa: S101 - links have none
        nullable = self.default is None if self.nullable is None else self.nullable
        column_type = self.kind.column(self.length)
        return sa.Column(
            self.name, column_type, nullable=nullable, default=self.default, index=self.index
        )

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of its values in requests."""
        return {"type": list(self.kind.types), **self.limits}


class Fields:
    """All fields of a resource.

    :param rows: in the order in which errors name them.
    :param listed: what lists show that aren't told which fields to show.
    """

    def __init__(self, *rows: Field, listed: tuple[str, ...] = ()) -> None:
        self.rows = rows
        self.listed = listed
        self.settable = tuple(row.name for row in rows if row.settable)
        self.patchable = tuple(row.name for row in rows if Settable.PATCH in row.settable)
        #: Those with a column, those of them that hold objects, and those that a patch may change.
        self.stored = tuple(row.name for row in rows if row.kind.column is not None)
        self.objects = tuple(row.name for row in rows if row.kind is OBJECT)
        self.changeable = tuple(
            row.name for row in rows if row.name in self.settable and row.kind.column is not None
        )
        self._empty: dict[str, Callable[[], Any]] = {
            row.name: dict if row.kind is OBJECT else list
            for row in rows
            if row.kind in (OBJECT, LIST, LINKED_LIST)
        }
        #: Those that lists can't be sorted by.
        self.unsortable = tuple(self._empty)
        #: The minor version that shows each, and that may ask for each or set it.
        self.since = {row.name: row.since for row in rows if row.shown}
        self.asked = {row.name: row.asked or row.since for row in rows}

    def columns(self) -> list[sa.Column[Any]]:
        """Return new columns of a table."""
        return [row.column() for row in self.rows if row.kind.column is not None]

    def schema(self, request: Settable = Settable.ALWAYS, **more: Any) -> dict[str, Any]:
        """Return the JSON schema of a resource in requests.

        :param request: which requests.
        :param more: schemas of fields that say more than their rows.
        """
        properties = {row.name: row.schema() for row in self.rows if row.settable & request}
        return {
            "type": "object",
            "properties": properties | more,
            "required": [row.name for row in self.rows if row.required],
            "additionalProperties": False,
        }

    def converter(self, **more: arguments.Converter) -> arguments.Converter:
        """Return what converts the values of a resource in requests.

        :param more: converters of fields that do more than those of their kinds.
        """
        found = {row.name: row.kind.converter for row in self.rows if row.settable}
        return arguments.mapping(**(found | more))

    def names(self, *more: str) -> list[str]:
        """Return the fields that can be asked for, in alphabetical order.

        :param more: those that aren't described by a row.
        """
        return sorted({*self.since, "created_at", "links", "updated_at", *more})

    def shown(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return what is shown of a row; objects and lists are never null."""
        return {"uuid": row["uuid"], **times(row)} | {
            name: self._empty[name]() if row[name] is None and name in self._empty else row[name]
            for name in self.since
        }


def times(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return when a row was created and updated, as the API shows it."""
    return {name: timestamp(row[name]) for name in ("created_at", "updated_at")}


def timestamp(moment: Any) -> str | None:
    """Return a moment as the API shows it, or ``None``."""
    return None if moment is None else f"{moment.isoformat()}+00:00"
