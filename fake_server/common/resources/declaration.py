"""What is said of the fields of a resource, and what is wrong with what is said."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from fake_server.common import json_text
from fake_server.common.microversions import Since

#: The JSON schema of a value, which may depend on the version.
Allowed = Mapping[str, Any] | Since
#: What can be done with resources, in the order of their addresses.
OPERATIONS = ("list", "create", "show", "update", "delete")
_TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")


class DeclarationError(TypeError):
    """A resource is declared wrongly; the message names the class, and the field it is about."""


class Level(IntEnum):
    """How much an answer shows of a resource; each shows what those before it do."""

    #: Plain lists.
    SUMMARY = 0
    #: Answers to requests that create or change one.
    CHANGED = 1
    #: Answers to requests for one, and lists in detail.
    DETAIL = 2
    #: No answer at all: clients set it, or it is kept for the server itself.
    HIDDEN = 3


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a resource.

    :param level: the answers that show it.
    :param create: what it may be in a body that creates a resource, if it may be there.
    :param update: the same of one that changes a resource.
    :param required: whether a body that creates a resource needs it.
    :param default: what is stored where a client gives none.
    :param convert: returns a value that a client gives as it is stored.
    :param since: the version that added it.
    :param until: the version that dropped it, if one did.
    :param sees: the policy of those who see it; by default all who see the resource do.
    :param of: returns what is shown, for the context and the row, by default the column of its
        name; it is left out where that returns :data:`.ABSENT`.
    """

    level: Level = Level.CHANGED
    create: Allowed | None = None
    update: Allowed | None = None
    required: bool = False
    default: Any = None
    convert: Callable[[Any], Any] | None = None
    since: int = 0
    until: int | None = None
    sees: str | None = None
    of: Callable[[Any, Mapping[str, Any]], Any] | None = None

    def is_there(self, minor: int) -> bool:
        """Return whether a version has it."""
        return self.since <= minor and (self.until is None or minor < self.until)

    def initial(self) -> Any:
        """Return the default; an object or a list of its own."""
        return json_text.copied(self.default)

    def stored(self, value: Any) -> Any:
        """Return a value that a client gives as it is stored; null stays null."""
        return value if self.convert is None or value is None else self.convert(value)


def always(value: Any) -> Callable[[Any, Any], Any]:
    """Return what shows the same of each resource; see :attr:`Field.of`."""
    return lambda ctx, row: value


def both(allowed: Allowed, level: Level = Level.CHANGED, **more: Any) -> Field:
    """Return a field that clients can set and change."""
    return Field(level, create=allowed, update=allowed, **more)


def check_schema(where: str, schema: Any) -> None:
    """Raise DeclarationError for what is no JSON schema; the library itself is loaded later.

    :param where: the class and the field.
    """
    while isinstance(schema, Since):
        check_schema(where, schema.value)
        schema = schema.before
        if not isinstance(schema, Mapping | Since):
            return
    if not isinstance(schema, Mapping):
        raise DeclarationError(f"{where} needs a JSON schema, not {schema!r}.")
    types = schema.get("type", ())
    for name in [types] if isinstance(types, str) else types:
        if name not in _TYPES:
            raise DeclarationError(f"{where}: JSON has no type {name!r}, only {', '.join(_TYPES)}.")
