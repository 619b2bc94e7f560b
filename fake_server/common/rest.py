"""What the services beside Ironic have in common: addresses, JSON bodies and JSON answers."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from fake_server.common import json_text
from fake_server.common.errors import BadRequest, MethodNotAllowed, UnknownAddress
from fake_server.common.suggestion import suggestion
from fake_server.common.wsgi import Request, Response

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

HandlerT = TypeVar("HandlerT", bound="Callable[..., Any]")

_PLACEHOLDER = re.compile(r"\{(\w+)(\*?)\}")


#: What Nova and Cinder call an error of a status.
_FAULTS = {
    400: "badRequest",
    401: "unauthorized",
    403: "forbidden",
    404: "itemNotFound",
    405: "badMethod",
    409: "conflictingRequest",
    413: "overLimit",
    415: "badMediaType",
    501: "notImplemented",
    503: "serviceUnavailable",
}


class BadBodyError(BadRequest):
    """A body that is not the JSON object that was asked for; says why."""


@dataclass(frozen=True, slots=True)
class Match(Generic[HandlerT]):
    """The handler that was found for a path.

    :param handler: what answers; ``None`` where the address knows other methods only.
    :param arguments: the values of its placeholders.
    :param allowed: the methods that the address knows.
    """

    handler: HandlerT | None
    arguments: dict[str, str]
    allowed: Sequence[str]


class Routes(Generic[HandlerT]):
    """Handlers by method and path."""

    def __init__(self) -> None:
        self._routes: list[tuple[re.Pattern[str], dict[str, HandlerT]]] = []
        self._by_address: dict[str, dict[str, HandlerT]] = {}

    def add(self, methods: str, address: str) -> Callable[[HandlerT], HandlerT]:
        """Register the decorated handler.

        :param methods: such as ``GET`` or ``GET HEAD``.
        :param address: a path with placeholders: ``/v3/users/{user_id}``; one such as ``{name*}``
            stands for any number of segments.
        """

        def register(handler: HandlerT) -> HandlerT:
            self.put(methods, address, handler)
            return handler

        return register

    def put(self, methods: str, address: str, handler: HandlerT) -> None:
        """Let a handler answer these methods at an address."""
        if address not in self._by_address:
            self._by_address[address] = {}
            pattern = re.compile(pattern_of(address))
            self._routes.append((pattern, self._by_address[address]))
        for method in methods.split():
            self._by_address[address][method] = handler

    def handlers(self) -> set[HandlerT]:
        """Return all handlers."""
        return {one for handlers in self._by_address.values() for one in handlers.values()}

    def addresses(self) -> dict[str, frozenset[str]]:
        """Return all addresses, each with its methods."""
        return {address: frozenset(known) for address, known in self._by_address.items()}

    def find(self, method: str, path: str) -> Match[HandlerT] | None:
        """Return what is registered for a path, or ``None``.

        A path without placeholders comes before one with them.
        """
        path = path.rstrip("/") or "/"
        exact = self._by_address.get(path)
        # A client may send a placeholder as it stands in the documentation.
        if exact is not None and not _PLACEHOLDER.search(path):
            return Match(exact.get(method), {}, sorted(exact))
        for pattern, handlers in self._routes:
            found = pattern.fullmatch(path)
            if found:
                return Match(handlers.get(method), found.groupdict(), sorted(handlers))
        return None

    def resolve(self, method: str, path: str) -> tuple[HandlerT, dict[str, str]]:
        """Return handler and placeholders; raise UnknownAddress or MethodNotAllowed without."""
        match = self.find(method, path)
        if match is None:
            raise UnknownAddress
        if match.handler is None:
            raise MethodNotAllowed(method, match.allowed)
        return match.handler, match.arguments


def pattern_of(address: str) -> str:
    """Return a pattern of the paths of an address, whose groups are its placeholders."""
    return _PLACEHOLDER.sub(_group, address)


def _group(placeholder: re.Match[str]) -> str:
    name, several = placeholder.groups()
    return f"(?P<{name}>{'.+' if several else '[^/]+'})"


def decode(request: Request) -> dict[str, Any]:
    """Return the body, a JSON object, by default an empty one; raise BadBodyError for another."""
    if not request.body:
        return {}
    try:
        body = json_text.parse(request.body)
    except ValueError as exc:
        raise BadBodyError(f"The body can't be read as JSON: {exc}") from None
    if not isinstance(body, dict):
        raise BadBodyError("The body has to be a JSON object.")
    return body


def known(values: Mapping[str, Any], names: Iterable[str]) -> Mapping[str, Any]:
    """Return values with known names; raise ValueError for an unknown one."""
    names = list(names)
    unknown = [name for name in values if name not in names]
    if unknown:
        hint = suggestion(unknown[0], names, "Known names:")
        raise ValueError(f"Unknown name {', '.join(unknown)}.{hint}")
    return values


def number(name: str, value: Any) -> float:
    """Return a value that has to be a number; raise ValueError if it isn't."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{name} has to be a number, not {value!r}.")
    return value


def encode(status: int, body: Any, *headers: tuple[str, str]) -> Response:
    """Return an answer in JSON."""
    return Response(
        status, json.dumps(body).encode(), [("Content-Type", "application/json"), *headers]
    )


def named_fault(status: int, message: str, **extra: str) -> Response:
    """Return an error as Nova and Cinder show it: below the name of its status."""
    name = _FAULTS.get(status, "computeFault")
    return encode(status, {name: {"code": status, "message": message, **extra}})


_PAGE = """<html>
 <head>
  <title>{code}</title>
 </head>
 <body>
  <h1>{code}</h1>
  {text}<br /><br />



 </body>
</html>"""


def page(status: int, code: str, text: str) -> Response:
    """Return an error as the page that WebOb makes of it.

    :param code: the status with what HTTP calls it.
    """
    import html  # with the names of all characters, which take half a megabyte

    found = _PAGE.format(code=code, text=html.escape(text).replace("&lt;br /&gt;", "<br />"))
    return Response(status, found.encode(), [("Content-Type", "text/html; charset=UTF-8")])
