"""``/v2.0/KIND``: list, create, show, change and remove items of any kind."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fake_server.common.errors import BadRequest
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.networking import bodies, lists, views
from fake_server.networking.errors import RevisionMismatch
from fake_server.networking.models import (
    items,
    networks,
    ports,
    quotas,
    security_group_rules,
    security_groups,
    segments,
    subnets,
    trunks,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fake_server.db.store import Record
    from fake_server.networking.context import Context
    from fake_server.networking.models.items import Session

_REVISION = re.compile(r"revision_number=(\d+)")


def list_items(ctx: Context, kind: str) -> Response:
    """List the items that the client sees."""
    if kind in ("security_groups", "security_group_rules"):
        _ensure_default_group(ctx)
    return encode(200, lists.answer(ctx, kind))


def create(ctx: Context, kind: str) -> Response:
    """Create one item or several, or none if one is refused."""
    wanted, several = bodies.read(ctx, kind)
    if kind == "security_group_rules" and several:
        security_group_rules.check_together(wanted)
    made = [_create(ctx, kind, values) for values in wanted]
    found = [views.single(ctx, kind, item) for item in made]
    return encode(201, {kind: found} if several else {kind.removesuffix("s"): found[0]})


def show(ctx: Context, kind: str, ident: str) -> Response:
    """Show an item."""
    lists.read_filters(ctx, kind)
    found = views.single(ctx, kind, ctx.visible(kind, ident))
    return encode(200, {kind.removesuffix("s"): views.of_fields(ctx, found)})


def update(ctx: Context, kind: str, ident: str) -> Response:
    """Change an item."""
    changes = bodies.read_changes(ctx, kind)
    item = ctx.visible(kind, ident)
    one = kind.removesuffix("s")
    ctx.enforce(f"update_{one}", kind, {**item, **changes}, changes)
    _check_revision(ctx, item)
    if kind == "ports" and "mac_address" in changes:
        ports.check_mac_change(ctx.session, item, changes["mac_address"])
    item = _UPDATES[kind](ctx.session, item, changes)
    return encode(200, {one: views.single(ctx, kind, item)})


def delete(ctx: Context, kind: str, ident: str) -> Response:
    """Remove an item."""
    item = ctx.visible(kind, ident)
    ctx.enforce(f"delete_{kind.removesuffix('s')}", kind, item)
    _check_revision(ctx, item)
    _DELETIONS[kind](ctx.session, item)
    return Response(204)


def _ensure_default_group(ctx: Context) -> None:
    """Create the default group of the project that a client lists groups of."""
    if ctx.caller is not None and ctx.caller.project_id is None:
        return
    asked = ctx.request.query.get("project_id", ctx.request.query.get("tenant_id"))
    project = asked if isinstance(asked, str) else ctx.project_id
    if ctx.is_admin or project == ctx.project_id:
        security_groups.default(ctx.session, project)


def _create(ctx: Context, kind: str, values: Record) -> Record:
    if "network_id" in values:
        items.need(ctx.session, "networks", values["network_id"])
    if kind == "ports":
        ctx.visible("networks", values["network_id"])
    if kind == "trunks":
        ctx.visible("ports", values["port_id"])
    for name, of in (("security_group_id", "security_groups"), ("segment_id", "segments")):
        if values.get(name) is not None:
            items.need(ctx.session, of, values[name])
    given = bodies.given(kind, values)
    ctx.enforce(f"create_{kind.removesuffix('s')}", kind, values, given)
    if ctx.caller is not None and "project_id" in values:
        quotas.check(ctx.session, kind, values["project_id"])
    if kind in ("networks", "ports"):
        security_groups.default(ctx.session, values["project_id"])
    return _CREATIONS[kind](ctx.session, values)


def _check_revision(ctx: Context, item: Record) -> None:
    """Raise an error if the client requires another revision than the present one."""
    text = ctx.request.header("HTTP_IF_MATCH")
    if text is None or "revision_number" not in text:
        return
    found = _REVISION.fullmatch(text.strip())
    if found is None:
        raise BadRequest(
            "Bad if-match request: Revision number etag must be in the format of "
            "revision_number=<int>.",
            "BadRequest",
        )
    if int(found[1]) != item["revision_number"]:
        raise RevisionMismatch(int(found[1]), item["revision_number"])


_CREATIONS: Mapping[str, Callable[[Session, Record], Record]] = {
    "networks": networks.create,
    "subnets": subnets.create,
    "ports": ports.create,
    "security_groups": security_groups.create,
    "security_group_rules": security_group_rules.create,
    "segments": segments.create,
    "trunks": trunks.create,
}
_UPDATES: Mapping[str, Callable[[Session, Record, Record], Record]] = {
    "networks": networks.update,
    "subnets": subnets.update,
    "ports": ports.update,
    "security_groups": security_groups.update,
    "security_group_rules": security_group_rules.update,
    "segments": segments.update,
    "trunks": trunks.update,
}
_DELETIONS: Mapping[str, Callable[[Session, Record], None]] = {
    "networks": networks.delete,
    "subnets": subnets.delete,
    "ports": ports.delete,
    "security_groups": security_groups.delete,
    "security_group_rules": security_group_rules.delete,
    "segments": segments.delete,
    "trunks": trunks.delete,
}
