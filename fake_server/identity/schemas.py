"""JSON schemas of values in bodies, and how other values are read and shown."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from fake_server.identity import errors

if TYPE_CHECKING:
    from fake_server.common.schemas import Schema

_TRUE = ("True", "TRUE", "true", "1", "y", "Y", "on", "ON", "yes")
_BOOLEANS = (
    *(True, "True", "TRUE", "true", False, "False", "FALSE", "false", "", "1", "0", "y", "Y", "n"),
    *("N", "on", "ON", "off", "OFF", "yes", "no"),
)
TEXT: Schema = {"type": "string"}
OPTIONAL_TEXT: Schema = {"type": ["string", "null"]}
ID: Schema = {"type": ["string", "null"], "minLength": 1, "maxLength": 64}
BOOLEAN: Schema = {"type": ["boolean", "string", "null"], "enum": list(_BOOLEANS)}
SWITCH: Schema = {"type": ["boolean", "null"]}
TAGS: Schema = {
    "type": "array",
    "items": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": r"^[^,/]*$"},
    "maxItems": 80,
    "uniqueItems": True,
}


def name(longest: int) -> Schema:
    """Return the schema of a name, which isn't blank."""
    return {"type": "string", "minLength": 1, "maxLength": longest, "pattern": r"[\S]+"}


def options(**switches: Schema) -> Schema:
    """Return the schema of the options of a resource."""
    return {"type": "object", "additionalProperties": False, "properties": switches}


#: The last moment, in whole seconds, that can be shown.
_LATEST = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC).timestamp()
IMMUTABLE = options(immutable=SWITCH)


def stored_boolean(value: Any) -> bool:
    """Return a boolean of a body as it is stored."""
    return value if isinstance(value, bool) else value in _TRUE


def as_boolean(text: Any) -> bool:
    """Return a truth of a query; a name without a value is true."""
    return text in ("", *_TRUE)


def timestamp(seconds: float) -> str:
    """Return a moment, given in seconds since the epoch."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S.%fZ}"


def moment(text: str | None, now: float) -> float | None:
    """Return when something expires, in seconds since the epoch.

    :raises BadRequest: for what is no moment, or one that is over.
    """
    if text is None:
        return None
    try:
        seconds = datetime.fromisoformat(text if text.endswith("Z") else f"{text}Z").timestamp()
    except (ValueError, OverflowError):
        raise errors.malformed("Timestamp not in expected format.") from None
    if seconds < now:
        raise errors.malformed("The 'expires_at' must not be before now.")
    return min(seconds, _LATEST)
