"""JSON schemas that several kinds of bodies share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.schemas import Checker
from fake_server.compute.formats import FORMATS

if TYPE_CHECKING:
    from fake_server.common.schemas import Schema


def checker(schema: Schema) -> Checker:
    """Return what checks bodies of a schema that may name Nova's formats."""
    return Checker(schema, FORMATS)


def or_null(schema: Schema) -> Schema:
    """Return the schema of an object that may be null instead."""
    return {**schema, "type": ["object", "null"]}


NAME = {"type": "string", "minLength": 1, "maxLength": 255, "format": "name"}
#: Any name, with blanks around it too.
LOOSE_NAME = {"type": ["string", "null"], "minLength": 1, "maxLength": 255}
TEXT = {"type": ["string", "null"], "maxLength": 255, "pattern": r"^[^\x00-\x1f\x7f]*$"}
TAG = {"type": "string", "minLength": 1, "maxLength": 60, "pattern": "^[^,/]*$"}
_WORDS = [
    *(True, "True", "TRUE", "true", "1", "ON", "On", "on", "YES", "Yes", "yes"),
    *(False, "False", "FALSE", "false", "0", "OFF", "Off", "off", "NO", "No", "no"),
]
#: A boolean, or a word for one; :func:`~fake_server.common.parsing.parse_boolean` tells which.
BOOLEAN: dict[str, Any] = {"type": ["boolean", "string"], "enum": _WORDS}
_LARGEST = 2**31 - 1
#: A number, or the digits of one: from 1, and from 0.
SIZE = {"type": ["integer", "string"], "pattern": "^[0-9]+$", "minimum": 1, "maximum": _LARGEST}
AMOUNT = {"type": ["integer", "string"], "pattern": "^[0-9]+$", "minimum": 0, "maximum": _LARGEST}
#: How many of something, from 1; digits that Python doesn't read are too many.
COUNT = {
    "type": ["integer", "string"],
    "pattern": "^[0-9]*$",
    "minLength": 1,
    "maxLength": 4000,
    "minimum": 1,
}
UUID = {"type": "string", "format": "uuid"}
#: An IP address of either version.
ANY_ADDRESS = {"type": "string", "anyOf": [{"format": "ipv4"}, {"format": "ipv6"}]}
HOST = {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[a-zA-Z0-9-._]*$"}
#: Texts by name, as servers and images have them.
METADATA = {
    "type": "object",
    "patternProperties": {"^[a-zA-Z0-9-_:. ]{1,255}$": {"type": "string", "maxLength": 255}},
    "additionalProperties": False,
}
