"""Find the method of a controller that a path is for.

Ironic's framework routes by objects: each segment of a path names a child of a controller or is
an argument. What it does with trailing slashes, unknown methods and surplus segments shows on
the wire, so the same rules are applied here, in the same order.

A :class:`Controller` has methods decorated with :func:`~.endpoint.expose`: ``get_all`` or ``get``
for the bare address, ``get_one`` or ``get`` with arguments, ``post``, ``put``, ``patch`` and
``delete``, and custom actions, which are addressed by name. ``default`` answers what nothing else
does, with any HTTP method.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias

from fake_server.baremetal.errors import RoutingError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from fake_server.baremetal.api.context import Context

Route: TypeAlias = "tuple[Handler, Controller, list[str]]"
_READING = ("get", "get_one", "get_all")


class Handler(Protocol):
    """An exposed method of a controller."""

    exposed: bool
    status: int
    cacheable: bool
    call: Callable[[Controller, Context, list[str]], Any]
    #: Whether so many segments of a path can be arguments.
    takes: Callable[[int], bool]
    #: The same without the one that the body is, which Ironic's framework counts, too.
    takes_in_path: Callable[[int], bool]


class Controller:
    """The methods of a path, and the controllers below it."""

    #: Addressable methods besides the standard ones: name -> HTTP methods.
    custom_actions: ClassVar[Mapping[str, Sequence[str]]] = {}
    #: Controllers below this one, by segment.
    children: ClassVar[Mapping[str, Controller]] = {}
    #: First minor version, before which nothing is looked into, and what isn't allowed before it.
    opened: ClassVar[tuple[int, str] | None] = None
    #: Whether :meth:`lookup` is to be asked at all.
    has_lookup = False

    def lookup(
        self, ctx: Context, ident: str, *remainder: str
    ) -> tuple[Controller, Sequence[str]] | None:
        """Find a controller that depends on the request.

        :param ident: first segment below this controller.
        :param remainder: the segments after it.
        :returns: the controller and the segments left to it, or ``None``.
        :raises RoutingError: to end the search with that answer.
        """
        return None

    @classmethod
    def handler(cls, *names: str) -> Handler | None:
        """Return the first exposed method of these names."""
        for name in names:
            method: Any = getattr(cls, name, None)
            if getattr(method, "exposed", False):
                return method  # type: ignore[no-any-return]
        return None


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
    if method.upper() not in controller.custom_actions.get(name, ()):
        return None
    handler = controller.handler(f"{method}_{name}", name)
    return (handler, controller, rest) if handler else None
