"""JSON schemas of arguments: checks that refuse with Ironic's texts, and common parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from fake_server.baremetal.errors import InvalidParameterValue
from fake_server.common.schemas import Checker, Schema

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.baremetal.arguments import Converter

BodyT = TypeVar("BodyT")


class ArgumentChecker(Checker):
    """Checks arguments against a schema and refuses wrong ones with Ironic's texts."""

    def argument(self, name: str, value: Any) -> Any:
        """Check an argument of a handler; it is a :data:`~.arguments.Converter`.

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


def fields_schema(fields: Any) -> Schema:
    """Return the schema of the argument ``fields``."""
    return {"type": "array", "items": {"enum": list(fields)}}
