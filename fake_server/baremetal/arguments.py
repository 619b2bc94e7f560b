"""Arguments of requests: converters, and checks against JSON schemas with Ironic's texts.

A converter makes what is in a query or a body the value that handlers expect. It takes the
argument's name and value and returns the value or raises :class:`~.errors.InvalidParameterValue`;
``None`` stays ``None``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

from fake_server.baremetal.errors import InvalidParameterValue
from fake_server.common.formats import is_mac, is_uuid
from fake_server.common.parsing import FALSE, TRUE, parse_boolean, parse_integer
from fake_server.common.schemas import Checker, Schema

Converter = Callable[[str, Any], Any]
BodyT = TypeVar("BodyT")

UUID_TEXT: Schema = {"type": "string", "format": "uuid"}
NAME_TEXT: Schema = {
    "type": "string",
    "minLength": 1,
    "maxLength": 255,
    "pattern": r"(?i)^[A-Z0-9-._~]+$",
}
UUID_OR_NAME: Schema = {"anyOf": [UUID_TEXT, NAME_TEXT]}
DETAIL: Schema = {"type": ["string", "boolean"]}
SORT_DIRECTION: Schema = {"type": "string", "enum": ["asc", "desc"]}

#: Words that lead elsewhere below ``/v1/nodes``, and so can't name a node.
RESERVED_NAMES = ("maintenance", "management", "states", "vendor_passthru", "detail", "validate")
_LOGICAL_NAME = re.compile(r"^[A-Z0-9-._~]+$", re.IGNORECASE)
_HOST_NAME = re.compile(r"^[a-z0-9]([a-z0-9\-]{0,61}[a-z0-9])?(\.[a-z0-9\-_]{0,62}[a-z0-9])*\.?$")


def is_logical_name(value: Any) -> bool:
    """Return whether a value may name something: unreserved characters of a URL, 255 at most."""
    return isinstance(value, str) and len(value) <= 255 and bool(_LOGICAL_NAME.match(value))


def is_host_name(value: Any) -> bool:
    """Return whether a value may name a node before version 1.10."""
    return isinstance(value, str) and len(value) <= 255 and bool(_HOST_NAME.match(value))


def as_it_is(_name: str, value: Any) -> Any:
    """Take anything."""
    return value


def string(name: str, value: Any) -> str | None:
    """Take text."""
    if value is not None and not isinstance(value, str):
        raise InvalidParameterValue(f"Expected string for {name}: {value}")
    return value


def boolean(name: str, value: Any) -> bool | None:
    """Take a boolean in any of its spellings."""
    if value is None:
        return None
    found = parse_boolean(value)
    if found is None:
        acceptable = ", ".join(f"'{item}'" for item in sorted(TRUE + FALSE))
        raise InvalidParameterValue(
            f"Invalid {name}: Unrecognized value '{value}', acceptable values are: {acceptable}"
        )
    return found


def integer(name: str, value: Any) -> int | None:
    """Take a whole number."""
    if value is None:
        return None
    number = parse_integer(value)
    if number is None:
        raise InvalidParameterValue(f"Expected an integer for {name}: {value}")
    return number


def uuid(name: str, value: Any) -> str | None:
    """Check a UUID, and return it unchanged."""
    if value is not None and not is_uuid(value):
        raise InvalidParameterValue(f"Expected UUID for {name}: {value}")
    return value  # type: ignore[no-any-return]


def uuid_or_name(name: str, value: Any) -> str | None:
    """Take a UUID or a logical name."""
    if value is not None and not is_logical_name(value) and not is_uuid(value):
        raise InvalidParameterValue(f"Expected UUID or name for {name}: {value}")
    return value  # type: ignore[no-any-return]


def name(name: str, value: Any) -> str | None:
    """Take a logical name."""
    if value is not None and not is_logical_name(value):
        raise InvalidParameterValue(f"Expected name for {name}: {value}")
    return value  # type: ignore[no-any-return]


def mac_address(name: str, value: Any) -> str | None:
    """Take a MAC address and write it in lower case."""
    if value is None:
        return None
    if not is_mac(value):
        raise InvalidParameterValue(f"Expected valid MAC address for {name}: {value}")
    return str(value).lower()


def string_list(name: str, value: Any) -> list[str | None] | None:
    """Take words between commas, in lower case and each once; a list stays as it is."""
    if value is None:
        return None
    if isinstance(value, list):
        return [string(name, item) for item in value]
    words = (word.strip().lower() for word in (string(name, value) or "").split(","))
    return list(dict.fromkeys(word for word in words if word))


def types(*accepted: type) -> Converter:
    """Return a converter that takes values of some types as they are."""

    def convert(name: str, value: Any) -> Any:
        if not isinstance(value, accepted):
            words = ", ".join(str(item) for item in accepted)
            raise InvalidParameterValue(f"Expected types {words} for {name}: {value}")
        return value

    return convert


def mapping(**converters: Converter) -> Converter:
    """Return a converter of the values of an object, those that it has."""

    def convert(name: str, value: Any) -> Any:
        if value is None:
            return None
        if not isinstance(value, dict):
            raise InvalidParameterValue(f"Expected types {dict} for {name}: {value}")
        for key, converter in converters.items():
            if key in value:
                value[key] = converter(key, value[key])
        return value

    return convert


def chain(*converters: Converter) -> Converter:
    """Return a converter that applies several, one after the other."""

    def convert(name: str, value: Any) -> Any:
        for converter in converters:
            value = converter(name, value)
        return value

    return convert


class ArgumentChecker(Checker):
    """Checks arguments against a schema and refuses wrong ones with Ironic's texts."""

    def argument(self, name: str, value: Any) -> Any:
        """Check an argument of a handler; it is a :data:`Converter`.

        :raises InvalidParameterValue: with the error that matters most.
        """
        error = None if value is None else self.best(value)
        if error is not None:
            raise InvalidParameterValue(f"Schema error for {name}: {_explain(error)}")
        return value

    def whole(self, value: Any) -> None:
        """Check all that was passed; raise InvalidParameterValue with the first error."""
        for error in self._compiled().iter_errors(value):
            raise InvalidParameterValue(f"Schema error: {_explain(error)}")


def not_null(body: BodyT | None, kind: str = "object") -> BodyT:
    """Return a body that is not ``null``.

    :param kind: what it should be, in JSON schema's words.
    :raises InvalidParameterValue: if it is null.
    """
    if body is None:
        raise InvalidParameterValue(f"Schema error: None is not of type '{kind}'")
    return body


def checked(schema: Schema | Callable[[], Schema]) -> Converter:
    """Return a converter that only checks an argument against a schema."""
    return ArgumentChecker(schema).argument


def _explain(error: Any) -> str:
    import jsonschema

    text: str = error.message
    cause = None
    while error.context:
        error = jsonschema.exceptions.best_match(error.context)
        cause = error.message
    return text if cause is None else f"{text}. Possible root cause: {cause}"


def fields_schema(fields: Any) -> Schema:
    """Return the schema of the argument ``fields``."""
    return {"type": "array", "items": {"enum": list(fields)}}
