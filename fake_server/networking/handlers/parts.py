"""What belongs to an item: its tags, and the ports of a trunk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.networking import bodies, nested_values, values, views
from fake_server.networking.errors import InvalidAttribute, InvalidInput, Missing
from fake_server.networking.kinds import KINDS
from fake_server.networking.models import items, trunks
from fake_server.networking.policies import POLICIES

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.db.store import Record
    from fake_server.networking.context import Handler, NetworkingContext
    from fake_server.networking.models.items import NetworkingSession
    from fake_server.networking.values import Convert

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)


def _of_all(action: str) -> list[str]:
    """Return the policies of the tags of an item of whichever kind."""
    kinds = [kind for kind in KINDS.values() if "tags" in kind.attributes]
    return [kind.policy(action, "tags") for kind in kinds]


@ROUTES.add("GET", "/v2.0/{kind}/{ident}/tags", *_of_all("get"))
def list_tags(ctx: NetworkingContext, kind: str, ident: str) -> Response:
    """List the tags."""
    return encode(200, {"tags": _item(ctx, "get", kind, ident)["tags"]})


@ROUTES.add("PUT", "/v2.0/{kind}/{ident}/tags", *_of_all("update"))
def replace(ctx: NetworkingContext, kind: str, ident: str) -> Response:
    """Set all tags."""
    wanted = _wanted(ctx)
    _save(ctx, kind, _item(ctx, "update", kind, ident), wanted)
    return encode(200, {"tags": wanted})


@ROUTES.add("POST", "/v2.0/{kind}/{ident}/tags", *_of_all("create"))
def add(ctx: NetworkingContext, kind: str, ident: str) -> Response:
    """Add several tags."""
    wanted = _wanted(ctx)
    item = _item(ctx, "create", kind, ident)
    new = [tag for tag in wanted if tag not in item["tags"]]
    _save(ctx, kind, item, [*item["tags"], *new])
    return encode(200, {"tags": wanted})


@ROUTES.add("DELETE", "/v2.0/{kind}/{ident}/tags", *_of_all("delete"))
def remove_all(ctx: NetworkingContext, kind: str, ident: str) -> Response:
    """Remove all tags."""
    _save(ctx, kind, _item(ctx, "delete", kind, ident), [])
    return Response(204)


@ROUTES.add("GET", "/v2.0/{kind}/{ident}/tags/{tag}", *_of_all("get"))
def show(ctx: NetworkingContext, kind: str, ident: str, tag: str) -> Response:
    """Return whether there is a tag."""
    _check_there(_item(ctx, "get", kind, ident), tag)
    return Response(204)


@ROUTES.add("PUT", "/v2.0/{kind}/{ident}/tags/{tag}", *_of_all("update"))
def put(ctx: NetworkingContext, kind: str, ident: str, tag: str) -> Response:
    """Add a tag."""
    _checked(values.tags, [tag])
    item = _item(ctx, "update", kind, ident)
    if tag not in item["tags"]:
        _save(ctx, kind, item, [*item["tags"], tag])
    return encode(201, None)


@ROUTES.add("DELETE", "/v2.0/{kind}/{ident}/tags/{tag}", *_of_all("delete"))
def remove(ctx: NetworkingContext, kind: str, ident: str, tag: str) -> Response:
    """Remove a tag."""
    item = _item(ctx, "delete", kind, ident)
    _check_there(item, tag)
    _save(ctx, kind, item, [one for one in item["tags"] if one != tag])
    return Response(204)


@ROUTES.add("GET", "/v2.0/trunks/{ident}/get_subports", "get_subports")
def list_sub_ports(ctx: NetworkingContext, ident: str) -> Response:
    """List the ports."""
    trunk = ctx.visible("trunks", ident)
    ctx.enforce("get", "trunks", trunk, part="subports")
    return encode(200, {"sub_ports": trunk["sub_ports"]})


@ROUTES.add("PUT", "/v2.0/trunks/{ident}/add_subports", "add_subports")
def add_sub_ports(ctx: NetworkingContext, ident: str) -> Response:
    """Add ports."""
    return _change_sub_ports(ctx, ident, "add", trunks.add_ports)


@ROUTES.add("PUT", "/v2.0/trunks/{ident}/remove_subports", "remove_subports")
def remove_sub_ports(ctx: NetworkingContext, ident: str) -> Response:
    """Remove ports."""
    return _change_sub_ports(ctx, ident, "remove", trunks.remove_ports)


def _item(ctx: NetworkingContext, action: str, kind: str, ident: str) -> Record:
    if "tags" not in KINDS[kind].attributes:
        raise NotFound
    item = items.need(ctx.session, kind, ident)
    # Here, Neutron doesn't look whether a network is external.
    subject = {**item, "router:external": False}
    ctx.enforce(action, kind, subject, part="tags")
    return item


def _wanted(ctx: NetworkingContext) -> Any:
    try:
        wanted = bodies.read_object(ctx)["tags"]
    except (BadRequest, KeyError):
        raise InvalidInput("Invalid tags body") from None
    return _checked(values.tags, wanted)


def _checked(convert: Convert, value: Any) -> Any:
    """Return a value as it is kept; raise InvalidInput for what an attribute can't be."""
    try:
        return convert("", value)
    except InvalidAttribute as exc:
        raise InvalidInput(exc.reason) from None


def _check_there(item: Record, tag: str) -> None:
    if tag not in item["tags"]:
        raise Missing("Tag", tag)


def _save(ctx: NetworkingContext, kind: str, item: Record, tags: list[str]) -> None:
    items.save(ctx.session, kind, item, {"tags": sorted(tags)})


def _change_sub_ports(
    ctx: NetworkingContext,
    ident: str,
    action: str,
    change: Callable[[NetworkingSession, Record, list[Record]], Record],
) -> Response:
    trunk = ctx.visible("trunks", ident)
    wanted = _checked(nested_values.sub_ports, bodies.read_object(ctx).get("sub_ports"))
    ctx.enforce(action, "trunks", trunk, part="subports")
    if action == "add":
        ctx.check_named("trunks", {"sub_ports": wanted})
    changed = change(ctx.session, trunk, wanted)
    # Neutron shows it without the name of what it is.
    return encode(200, views.single(ctx, "trunks", changed))
