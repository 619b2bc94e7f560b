"""JSON schemas, with their errors in Ironic's words; validators are built once, when needed."""

from __future__ import annotations

import base64
import ipaddress
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar

from fake_server.baremetal.arguments import Converter, is_mac, is_uuid
from fake_server.baremetal.errors import InvalidParameterValue

Schema = Mapping[str, Any]
BodyT = TypeVar("BodyT")


class Checker:
    """Checks values against one schema.

    :param schema: a JSON schema, or a function that makes one when it is first needed.
    """

    def __init__(self, schema: Schema | Callable[[], Schema]) -> None:
        self._source = schema
        self._validator: Any = None

    def argument(self, name: str, value: Any) -> Any:
        """Check an argument of a handler; it is a :data:`~.arguments.Converter`.

        :raises InvalidParameterValue: with the error that matters most.
        """
        error = None if value is None else self.best(value)
        if error is not None:
            raise InvalidParameterValue(f"Schema error for {name}: {_explain(error)}")
        return value

    def best(self, value: Any) -> Any:
        """Return the validation error that matters most, or ``None``."""
        import jsonschema

        return jsonschema.exceptions.best_match(self._compiled().iter_errors(value))

    def whole(self, value: Any) -> None:
        """Check all that was passed.

        :raises InvalidParameterValue: with the first error.
        """
        for error in self._compiled().iter_errors(value):
            raise InvalidParameterValue(f"Schema error: {_explain(error)}")

    def _compiled(self) -> Any:
        if self._validator is None:
            import jsonschema

            schema = self._source() if callable(self._source) else self._source
            draft = jsonschema.validators.validator_for(
                schema, default=jsonschema.Draft202012Validator
            )
            self._validator = draft(schema, format_checker=_formats())
        return self._validator


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
    return Checker(schema).argument


def _explain(error: Any) -> str:
    import jsonschema

    text: str = error.message
    cause = None
    while error.context:
        error = jsonschema.exceptions.best_match(error.context)
        cause = error.message
    return text if cause is None else f"{text}. Possible root cause: {cause}"


def _is_read(reader: Callable[[str], object], value: Any) -> bool:
    """Tell that a text can be read, or is none.

    :raises ValueError: if it cannot.
    """
    if isinstance(value, str):
        reader(value)
    return True


@cache
def _formats() -> Any:
    import jsonschema

    checker = jsonschema.FormatChecker(formats=())
    checker.checks("uuid")(lambda value: not isinstance(value, str) or is_uuid(value))
    checker.checks("mac-address")(lambda value: not isinstance(value, str) or is_mac(value))
    checker.checks("ipv4", ValueError)(lambda value: _is_read(ipaddress.IPv4Address, value))
    checker.checks("ipv6", ValueError)(lambda value: _is_read(ipaddress.IPv6Address, value))
    checker.checks("base64", ValueError)(lambda value: _is_read(base64.b64decode, value))
    return checker


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


def object_schema(properties: Schema, *required: str) -> Schema:
    """Return the schema of an object with these properties and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def fields_schema(fields: Any) -> Schema:
    """Return the schema of the argument ``fields``."""
    return {"type": "array", "items": {"enum": list(fields)}}
