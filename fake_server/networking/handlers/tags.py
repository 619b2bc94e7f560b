"""``/v2.0/KIND/ID/tags``: the tags of an item."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.errors import BadRequest, NotFound
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.networking import bodies, values
from fake_server.networking.errors import InvalidInput, Missing
from fake_server.networking.kinds import KINDS
from fake_server.networking.models import items

if TYPE_CHECKING:
    from fake_server.db.store import Record
    from fake_server.networking.context import Context


def list_tags(ctx: Context, kind: str, ident: str) -> Response:
    """List the tags."""
    return encode(200, {"tags": _item(ctx, "get", kind, ident)["tags"]})


def replace(ctx: Context, kind: str, ident: str) -> Response:
    """Set all tags."""
    wanted = _wanted(ctx)
    _save(ctx, kind, _item(ctx, "update", kind, ident), wanted)
    return encode(200, {"tags": wanted})


def add(ctx: Context, kind: str, ident: str) -> Response:
    """Add several tags."""
    wanted = _wanted(ctx)
    item = _item(ctx, "create", kind, ident)
    new = [tag for tag in wanted if tag not in item["tags"]]
    _save(ctx, kind, item, [*item["tags"], *new])
    return encode(200, {"tags": wanted})


def remove_all(ctx: Context, kind: str, ident: str) -> Response:
    """Remove all tags."""
    _save(ctx, kind, _item(ctx, "delete", kind, ident), [])
    return Response(204)


def show(ctx: Context, kind: str, ident: str, tag: str) -> Response:
    """Return whether there is a tag."""
    _check_there(_item(ctx, "get", kind, ident), tag)
    return Response(204)


def put(ctx: Context, kind: str, ident: str, tag: str) -> Response:
    """Add a tag."""
    values.checked_tags([tag], InvalidInput)
    item = _item(ctx, "update", kind, ident)
    if tag not in item["tags"]:
        _save(ctx, kind, item, [*item["tags"], tag])
    return encode(201, None)


def remove(ctx: Context, kind: str, ident: str, tag: str) -> Response:
    """Remove a tag."""
    item = _item(ctx, "delete", kind, ident)
    _check_there(item, tag)
    _save(ctx, kind, item, [one for one in item["tags"] if one != tag])
    return Response(204)


def _item(ctx: Context, action: str, kind: str, ident: str) -> Record:
    if "tags" not in KINDS[kind].attributes:
        raise NotFound
    item = items.need(ctx.session, kind, ident)
    # Here, Neutron doesn't look whether a network is external.
    subject = {**item, "router:external": False}
    ctx.enforce(action, kind, subject, part="tags")
    return item


def _wanted(ctx: Context) -> list[str]:
    try:
        wanted = bodies.decode(ctx)["tags"]
    except (BadRequest, KeyError):
        raise InvalidInput("Invalid tags body") from None
    return values.checked_tags(wanted, InvalidInput)


def _check_there(item: Record, tag: str) -> None:
    if tag not in item["tags"]:
        raise Missing("Tag", tag)


def _save(ctx: Context, kind: str, item: Record, tags: list[str]) -> None:
    items.save(ctx.session, kind, item, {"tags": tags})
