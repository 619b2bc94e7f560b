"""Find the method of a controller that a path is for.

Ironic's framework routes by objects: each segment of a path names a child of a controller or is
an argument. What it does with trailing slashes, unknown methods and surplus segments shows on
the wire, so the same rules are applied here, in the same order.

A :class:`Controller` has methods decorated with :class:`~.endpoint.expose`: ``get_all`` or ``get``
for the bare address, ``get_one`` or ``get`` with arguments, ``post``, ``put``, ``patch`` and
``delete``, and custom actions, which are addressed by name. ``default`` answers what nothing else
does, with any HTTP method.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, TypeAlias

from fake_server.baremetal.api.endpoint import Endpoint, endpoints
from fake_server.baremetal.errors import RoutingError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.baremetal.api.context import Context

Route: TypeAlias = "tuple[Endpoint, Controller, list[str]]"
#: A controller and the segments left to it, if one was found.
Found: TypeAlias = "tuple[Controller, Sequence[str]] | None"
_READING = ("get", "get_one", "get_all")


class Controller:
    """The methods of a path, and the controllers below it."""

    #: First minor version of its handlers, and what isn't allowed before it.
    since: ClassVar[int] = 0
    closed: ClassVar[str | None] = None
    #: What policies call what it is about, and whether they are asked before that is looked for.
    kind: ClassVar[str] = ""
    asks_first: ClassVar[bool] = False
    #: Whether what its handlers answer to a GET depends on the request and the database alone.
    cacheable: ClassVar[bool] = False
    #: What requests call parameters of its handlers that have another name there.
    called: ClassVar[Mapping[str, str]] = {}
    #: Controllers below this one, by segment.
    children: ClassVar[Mapping[str, Controller]] = {}
    #: First minor version, before which nothing is looked into, and what isn't allowed before it.
    opened: ClassVar[tuple[int, str] | None] = None
    #: Whether :meth:`lookup` is to be asked at all.
    has_lookup = False

    def lookup(self, ctx: Context, ident: str, *remainder: str) -> Found:
        """Find a controller that depends on the request.

        :param ident: first segment below this controller.
        :param remainder: the segments after it.
        :returns: the controller and the segments left to it, or ``None``.
        :raises RoutingError: to end the search with that answer.
        """
        return None

    @classmethod
    def handlers(cls) -> Mapping[str, Endpoint]:
        """Return the handlers by name."""
        return endpoints(cls)  # type: ignore[arg-type] # A class can be hashed.

    @classmethod
    def handler(cls, *names: str) -> Endpoint | None:
        """Return the first handler of these names."""
        found = cls.handlers()
        return next((found[name] for name in names if name in found), None)


def find(controller: Controller, segments: Sequence[str], ctx: Context) -> Route:
    """Find what answers a request below a controller.

    :param segments: the rest of the path.
    :returns: the method, its controller, and its positional arguments.
    :raises RoutingError: 404, 405 or what a lookup says.
    """
    try:
        return _route(controller, list(segments), ctx)
    except RoutingError as exc:
        if exc.code not in (404, 405):
            raise
        default = controller.handler("default")
        if default:
            return default, controller, list(segments)
        if not controller.has_lookup or not segments:
            raise
        found = controller.lookup(ctx, *segments)
        if not found:
            raise
        return find(*found, ctx)


def _route(controller: Controller, segments: list[str], ctx: Context) -> Route:
    if controller.opened and ctx.minor < controller.opened[0]:
        status = 404 if ctx.request.method == "GET" else 405
        raise RoutingError(status, f"The API version does not allow {controller.opened[1]}")
    method = _method(ctx)
    if ctx.request.method == "GET" and method in ("delete", "put"):
        raise RoutingError(405)
    if controller.handler("get_one", "get"):
        for position, segment in enumerate(segments):
            child = controller.children.get(segment)
            if child:
                ctx.routing_args.extend(segments[:position])
                return find(child, segments[position + 1 :], ctx)
    try:
        route = _ROUTES.get(method, _other)(controller, method, segments, ctx)
        return (segments and _looked_up(controller, segments, ctx)) or route
    except RoutingError as exc:
        found = _looked_up(controller, segments, ctx)
        if found:
            return found
        if exc.code == 405:
            exc.allow = _allowed(controller)
        raise


def _method(ctx: Context) -> str:
    """Return the method of a request, which an argument may replace; the last one counts."""
    asked = ctx.submitted().get("_method", ctx.request.method)
    return str(asked[-1] if isinstance(asked, list) and asked else asked).lower()


def _looked_up(controller: Controller, segments: list[str], ctx: Context) -> Route | None:
    names = [segment for segment in segments if segment]
    if names and controller.has_lookup:
        found = controller.lookup(ctx, *names)
        if found:
            return find(*found, ctx)
    return None


def _allowed(controller: Controller) -> list[str]:
    methods = ["GET"] if controller.handler(*_READING) else []
    methods += [
        name
        for name in ("HEAD", "POST", "PUT", "DELETE", "TRACE", "PATCH")
        if controller.handler(name.lower())
    ]
    return sorted(methods)


def _get(controller: Controller, method: str, segments: list[str], ctx: Context) -> Route:
    if not segments:
        handler = controller.handler("get_all", "get")
        if handler:
            return handler, controller, []
        raise RoutingError(405)
    route = _custom(controller, method, segments) or _child(controller, segments, ctx)
    if route:
        return route
    handler = controller.handler("get_one", "get")
    if handler:
        return handler, controller, segments
    raise RoutingError(405)


def _change(controller: Controller, method: str, segments: list[str], ctx: Context) -> Route:
    route = _custom(controller, method, segments) or _child(controller, segments, ctx)
    if route:
        return route
    handler = controller.handler(method)
    if handler:
        return handler, controller, segments
    raise RoutingError(405)


def _other(controller: Controller, method: str, segments: list[str], ctx: Context) -> Route:
    handler = controller.handler(method)
    if handler:
        return handler, controller, segments
    if segments and not controller.handler(segments[0]):
        route = _child(controller, segments, ctx)
        if route:
            return route
    raise RoutingError(405)


_ROUTES = {"get": _get, "delete": _change, "post": _change, "put": _change}


def _child(controller: Controller, segments: list[str], ctx: Context) -> Route | None:
    child = controller.children.get(segments[0]) if segments else None
    return find(child, segments[1:], ctx) if child else None


def _custom(controller: Controller, method: str, segments: list[str]) -> Route | None:
    """Find a custom action: first for PUT and DELETE, last for GET and POST."""
    names = [segment for segment in segments if segment]
    if not names:
        return None
    if method in ("put", "delete"):
        name, rest = names[0], names[1:]
    else:
        name, rest = names[-1], names[:-1]
    handler = controller.handler(name)
    return (handler, controller, rest) if handler and handler.action == method.upper() else None
