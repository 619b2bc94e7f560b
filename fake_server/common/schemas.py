"""JSON schemas; validators are compiled when they are first used."""

from __future__ import annotations

import base64
import ipaddress
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

from fake_server.common.formats import is_mac, is_uuid
from fake_server.common.microversions import Since, throughout

Schema = Mapping[str, Any]

_DIGITS = 60
"""More than any bound has; Python refuses to read thousands of them."""


class FormatError(ValueError):
    """A text lacks its format; the message is all that a client is told."""


class Checker:
    """Checks values against one schema.

    :param schema: a JSON schema, or a function that returns one when it is first needed; where the
        version decides, there is a :class:`.Since` in it.
    :param formats: by the name of a format of a service, what raises FormatError for a text, or
        returns ``False`` where the service says no more than that it isn't of the format.
    :param name: what the service calls the schema, where it tells that.
    """

    def __init__(
        self,
        schema: Schema | Since | Callable[[], Schema],
        formats: Mapping[str, Callable[[str], object]] | None = None,
        name: str = "",
    ) -> None:
        self.name = name
        self._source = schema
        self._formats = formats or {}
        self._validator: Any = None
        self._by_version: dict[int, Checker] = {}

    def at(self, minor: int) -> Checker:
        """Return what checks values in a version."""
        if minor not in self._by_version:
            schema = self._schema()
            found = throughout(minor, schema)
            same = found == schema
            self._by_version[minor] = self if same else Checker(found, self._formats, self.name)
        return self._by_version[minor]

    def best(self, value: Any) -> Any:
        """Return the validation error that matters most, or ``None``."""
        import jsonschema

        return jsonschema.exceptions.best_match(self._compiled().iter_errors(value))

    def problem(self, value: Any) -> str | None:
        """Return what is wrong with a value, or ``None``.

        Nova and Cinder tell it in these words, of the first error in the order of the schema.
        """
        error = next(self._compiled().iter_errors(value), None)
        if error is None:
            return None
        if isinstance(error.cause, FormatError):
            return str(error.cause)
        path = list(error.path)
        if not path:
            return str(error.message)
        field = f"Invalid input for field/attribute {path[-1]}. Value: {error.instance}."
        return f"{field} {error.message}"

    def _schema(self) -> Any:
        return self._source() if callable(self._source) else self._source

    def _compiled(self) -> Any:
        if self._validator is None:
            import jsonschema

            schema = self._schema()
            draft = jsonschema.validators.validator_for(
                schema, default=jsonschema.Draft202012Validator
            )
            checks = {name: _bounded(draft.VALIDATORS[name]) for name in ("minimum", "maximum")}
            bounded = jsonschema.validators.extend(draft, checks)  # type: ignore[no-untyped-call]
            self._validator = bounded(schema, format_checker=_formats(**self._formats))
        return self._validator


def object_schema(properties: Schema, *required: str) -> Schema:
    """Return the schema of an object with these properties and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _bounded(check: Callable[..., Any]) -> Callable[..., Any]:
    """Return a check of a bound that holds for numbers in digits, too, however many they are."""

    def checked(validator: Any, bound: Any, value: Any, schema: Schema) -> Any:
        digits = value.removeprefix("-") if isinstance(value, str) else ""
        if digits.isascii() and digits.isdigit():
            number = int(digits.lstrip("0")[:_DIGITS] or "0")
            value = -number if value.startswith("-") else number
        return check(validator, bound, value, schema)

    return checked


def _is_read(reader: Callable[[str], object], value: Any) -> bool:
    """Return whether a text can be read, unless what reads it raises ValueError."""
    return not isinstance(value, str) or reader(value) is not False


@cache
def _formats(**of_service: Callable[[str], object]) -> Any:
    import jsonschema

    checker = jsonschema.FormatChecker(formats=())
    checker.checks("uuid")(lambda value: not isinstance(value, str) or is_uuid(value))
    checker.checks("mac-address")(lambda value: not isinstance(value, str) or is_mac(value))
    checker.checks("ipv4", ValueError)(lambda value: _is_read(ipaddress.IPv4Address, value))
    checker.checks("ipv6", ValueError)(lambda value: _is_read(ipaddress.IPv6Address, value))
    checker.checks("base64", ValueError)(lambda value: _is_read(base64.b64decode, value))
    for name, reader in of_service.items():
        checker.checks(name, FormatError)(partial(_is_read, reader))
    return checker
