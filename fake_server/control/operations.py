"""The operations of the controls: what handles each, and what it takes and answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from fake_server.common.rest import Routes, decode, encode, known
from fake_server.common.wsgi import Response
from fake_server.control import schemas

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request

#: Takes the :class:`~.service.Control`, the request, and what the address names.
Handler = Callable[..., Response]
HandlerT = TypeVar("HandlerT", bound=Handler)
Names = Mapping[str, str]
#: The types of JSON: those of Python, and how errors call them.
_TYPES: Mapping[str, tuple[Any, str]] = {
    "string": (str, "text"),
    "number": (int | float, "a number"),
    "integer": (int, "a number"),
    "boolean": (bool, "true or false"),
    "object": (dict, "an object"),
    "array": (list, "a list"),
}


@dataclass(frozen=True, slots=True)
class Operation:
    """A method of an address.

    :param takes: name of the schema of its body, one of :data:`.schemas.SCHEMAS`; an operation
        without one takes no body.
    :param query: descriptions of its query parameters.
    :param status: the status if it succeeds.
    :param answers: name of the schema of its answer then, or its media type; ``None`` for none.
    :param otherwise: names of the schemas of further answers, by status.
    """

    method: str
    address: str
    handler: Handler
    takes: str | None
    query: Names
    status: int
    answers: str | None
    otherwise: Mapping[int, str]

    @property
    def summary(self) -> str:
        """What it does, in a sentence."""
        return (self.handler.__doc__ or "").partition("\n")[0]


class Operations(list[Operation]):
    """The operations of a module."""

    def add(
        self,
        method: str,
        address: str,
        *,
        answers: str | None = None,
        status: int = 200,
        takes: str | None = None,
        query: Names | None = None,
        otherwise: Mapping[int, str] | None = None,
    ) -> Callable[[HandlerT], HandlerT]:
        """Add the decorated handler; see :class:`Operation`."""

        def register(handler: HandlerT) -> HandlerT:
            success = 204 if answers is None else status
            others = otherwise or {}
            self.append(
                Operation(method, address, handler, takes, query or {}, success, answers, others)
            )
            return handler

        return register

    def routes(self) -> Routes[Handler]:
        """Return the handlers by method and address."""
        found: Routes[Handler] = Routes()
        for operation in self:
            found.add(operation.method, operation.address)(operation.handler)
        return found


def body(request: Request, schema: str) -> dict[str, Any]:
    """Return the body of a request, its names checked.

    :param schema: name of its schema.
    :raises BadBodyError: if it isn't a JSON object.
    :raises ValueError: if a name is unknown.
    """
    found = decode(request)
    known(found, schemas.SCHEMAS[schema]["properties"])
    return found


def typed_body(request: Request, schema: str) -> dict[str, Any]:
    """Return the body of a request, its names and the types of its values checked.

    :param schema: name of its schema.
    :raises BadBodyError: if it isn't a JSON object.
    :raises ValueError: if a name is unknown, is missing, or has a value of another type.
    """
    found = body(request, schema)
    fields: Mapping[str, Any] = schemas.SCHEMAS[schema]["properties"]
    for name in (*found, *schemas.SCHEMAS[schema]["required"]):
        _check(name, found.get(name), fields[name])
    return found


def query(request: Request, names: Names) -> dict[str, str]:
    """Return the query parameters of a request.

    :param names: those that there are.
    :raises ValueError: if one is unknown, or given more than once.
    """
    for name, value in known(request.query, names).items():
        if not isinstance(value, str):
            raise ValueError(f"{name} is given more than once.")
    return dict(request.query)


def error(status: int, text: str) -> Response:
    """Return an error of the controls."""
    return encode(status, {"error": text})


def _check(name: str, value: Any, schema: Mapping[str, Any]) -> None:
    """Raise ValueError for a value of another type, or an item of a list that has one."""
    kind = schema.get("type")
    if kind is not None and not _has_type(value, schema):
        raise ValueError(f"{name} has to be {_TYPES[kind][1]}, not {value!r}.")
    for position, item in enumerate(value or () if kind == "array" else ()):
        _check(f"{name}[{position}]", item, schema["items"])


def _has_type(value: Any, schema: Mapping[str, Any]) -> bool:
    if value is None:
        return bool(schema.get("nullable"))
    kind = _TYPES[schema["type"]][0]
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
