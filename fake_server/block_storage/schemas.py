"""JSON schemas of values in request bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.block_storage.formats import LONGEST
from fake_server.common.schemas import object_schema

if TYPE_CHECKING:
    from fake_server.common.schemas import Schema

LARGEST = 2**31 - 1


def texts(values: Schema, characters: str = "a-zA-Z0-9-_:. /") -> Schema:
    """Return the schema of values by name.

    :param characters: those that names have.
    """
    pattern = f"^[{characters}]{{1,{LONGEST}}}$"
    return {
        "type": "object",
        "patternProperties": {pattern: values},
        "additionalProperties": False,
    }


def or_null(schema: Schema) -> Schema:
    """Return the schema of what may be null as well."""
    return {"oneOf": [schema, {"type": "null"}]}


TEXT: Schema = {"type": "string", "maxLength": LONGEST}
FULL_TEXT: Schema = {**TEXT, "minLength": 1}
OPTIONAL_TEXT: Schema = {**TEXT, "type": ["string", "null"]}
#: Names that aren't blank; of some, blanks at both ends don't count.
STRIPPED_NAME: Schema = {"type": "string", "format": "stripped name"}
NAME: Schema = {**FULL_TEXT, "format": "name"}
DESCRIPTION: Schema = {**OPTIONAL_TEXT, "pattern": r"^[^\x00-\x1f\x7f]*$"}
#: Names and descriptions whose blanks at both ends don't count.
SHORT_NAME: Schema = {"type": ["string", "null"], "format": "short name"}
SHORT_DESCRIPTION: Schema = {"type": ["string", "null"], "format": "short description"}
UUID: Schema = {"type": "string", "format": "uuid"}
UUID_OR_NULL: Schema = {"oneOf": [{"type": "null"}, UUID]}
BOOLEAN: Schema = {
    "type": ["boolean", "string"],
    "enum": [
        *(True, "True", "TRUE", "true", "1", "ON", "On", "on", "YES", "Yes", "yes", "y", "t"),
        *(False, "False", "FALSE", "false", "0", "OFF", "Off", "off", "NO", "No", "no", "n", "f"),
    ],
}
SIZE: Schema = {
    "type": ["integer", "string"],
    "pattern": "^[0-9]+$",
    "minimum": 1,
    "maximum": LARGEST,
}
LIMIT: Schema = {**SIZE, "pattern": "^[0-9]*$", "minimum": -1, "minLength": 1}
MODE: Schema = {"type": "string", "enum": ["rw", "ro"]}
METADATA = texts(TEXT)
METADATA_OR_NULL: Schema = {**METADATA, "type": ["object", "null"]}
EXTRA_SPECS = texts(OPTIONAL_TEXT, "a-zA-Z0-9-_:.")


def status(name: str) -> Schema:
    """Return the schema of a new status.

    :param name: the format that it has.
    """
    return object_schema({"status": {"type": "string", "format": name}}, "status")


def some_of(*names: str) -> dict[str, Any]:
    """Return what an object schema has where at least one of its properties is needed."""
    return {"anyOf": [{"required": [name]} for name in names]}
