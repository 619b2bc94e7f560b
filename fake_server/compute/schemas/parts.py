"""JSON schemas that several kinds of bodies share."""

from __future__ import annotations

NAME = {"type": "string", "minLength": 1, "maxLength": 255, "pattern": r"^\S([\s\S]*\S)?$"}
#: Any name, with blanks around it too.
LOOSE_NAME = {"type": ["string", "null"], "minLength": 1, "maxLength": 255}
TEXT = {"type": ["string", "null"], "maxLength": 255, "pattern": r"^[^\x00-\x1f\x7f]*$"}
TAG = {"type": "string", "minLength": 1, "maxLength": 60, "pattern": "^[^,/]*$"}
_WORDS = [
    *(True, "True", "TRUE", "true", "1", "ON", "On", "on", "YES", "Yes", "yes"),
    *(False, "False", "FALSE", "false", "0", "OFF", "Off", "off", "NO", "No", "no"),
]
#: A boolean, or a word for one; :func:`~fake_server.common.parsing.parse_boolean` tells which.
BOOLEAN = {"type": ["boolean", "string"], "enum": _WORDS}
_LARGEST = 2**31 - 1
#: A number, or the digits of one: from 1, and from 0.
SIZE = {"type": ["integer", "string"], "pattern": "^[0-9]+$", "minimum": 1, "maximum": _LARGEST}
AMOUNT = {"type": ["integer", "string"], "pattern": "^[0-9]+$", "minimum": 0, "maximum": _LARGEST}
UUID = {"type": "string", "format": "uuid"}
#: An IP address of either version.
ANY_ADDRESS = {"type": "string", "anyOf": [{"format": "ipv4"}, {"format": "ipv6"}]}
HOST = {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[a-zA-Z0-9-._]*$"}
