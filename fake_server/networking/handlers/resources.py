"""``/v2.0/KIND``: list, create, show, change and remove items of any kind."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fake_server.common.errors import BadRequest, NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.networking import bodies, lists, views
from fake_server.networking.errors import RevisionMismatch
from fake_server.networking.kinds import KINDS
from fake_server.networking.models import (
    items,
    ports,
    quotas,
    security_group_rules,
    security_groups,
)
from fake_server.networking.models.operations import OPERATIONS, need
from fake_server.networking.policies import POLICIES

if TYPE_CHECKING:
    from fake_server.db.store import Record
    from fake_server.networking.context import Handler, NetworkingContext

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)


def _of_all(action: str) -> list[str]:
    """Return the policies of doing something to an item of whichever kind."""
    names = (kind.policy(action) for kind in KINDS.values() if kind.attributes and not kind.inside)
    return [name for name in names if name in POLICIES.rules]


_REVISION = re.compile(r"revision_number=(\d+)")


@ROUTES.add("GET", "/v2.0/{kind}", *_of_all("get"))
def list_items(ctx: NetworkingContext) -> Response:
    """List the items that the client sees."""
    kind = ctx.kind
    if kind in ("security_groups", "security_group_rules"):
        _ensure_default_group(ctx)
    fetch = OPERATIONS[kind].fetch
    return encode(200, lists.answer(ctx, kind, fetch and fetch(ctx.session)))


@ROUTES.add("POST", "/v2.0/{kind}", *_of_all("create"))
def create(ctx: NetworkingContext) -> Response:
    """Create one item or several, or none if one is refused."""
    kind = ctx.kind
    wanted, several = bodies.read(ctx, kind)
    if kind == "security_group_rules" and several:
        security_group_rules.check_together(wanted)
    made = [_create(ctx, values) for values in wanted]
    found = [views.single(ctx, kind, item) for item in made]
    return encode(201, {kind: found} if several else {KINDS[kind].singular: found[0]})


@ROUTES.add("GET", "/v2.0/{kind}/{ident}", *_of_all("get"))
def show(ctx: NetworkingContext, ident: str) -> Response:
    """Show an item."""
    kind = ctx.kind
    lists.read_filters(ctx, kind)
    found = views.single(ctx, kind, ctx.visible(kind, ident))
    return encode(200, {KINDS[kind].singular: views.of_fields(ctx, found)})


@ROUTES.add("PUT", "/v2.0/{kind}/{ident}", *_of_all("update"))
def update(ctx: NetworkingContext, ident: str) -> Response:
    """Change an item."""
    kind = ctx.kind
    changes = bodies.read_changes(ctx, kind)
    item = ctx.visible(kind, ident)
    # Here, Neutron knows nothing of what is hidden.
    if not ctx.allows("get", kind, views.without_hidden(kind, item)):
        raise NotFound
    ctx.enforce("update", kind, {**item, **changes}, changes)
    ctx.check_named(kind, changes)
    _check_revision(ctx, item)
    if kind == "ports":
        ports.check_change(ctx.session, item, changes)
    # What is changed is what is kept, however the client sees it.
    item, change = need(ctx.session, kind, ident), OPERATIONS[kind].update
    if change is None:
        item = items.save(ctx.session, kind, item, changes)
    else:
        item = change(ctx.session, item, changes)
    return encode(200, {KINDS[kind].singular: views.single(ctx, kind, item)})


@ROUTES.add("DELETE", "/v2.0/{kind}/{ident}", *_of_all("delete"))
def delete(ctx: NetworkingContext, ident: str) -> Response:
    """Remove an item."""
    kind = ctx.kind
    item = ctx.visible(kind, ident)
    ctx.enforce("delete", kind, item)
    _check_revision(ctx, item)
    OPERATIONS[kind].delete(ctx.session, item)
    return Response(204)


def _ensure_default_group(ctx: NetworkingContext) -> None:
    """Create the default group of the project that a client lists groups of."""
    if ctx.caller is not None and ctx.caller.project_id is None:
        return
    asked = ctx.request.query.get("project_id", ctx.request.query.get("tenant_id"))
    project = asked if isinstance(asked, str) else ctx.project_id
    if ctx.is_admin or project == ctx.project_id:
        security_groups.default(ctx.session, project)


def _create(ctx: NetworkingContext, values: Record) -> Record:
    kind = ctx.kind
    for of in ("networks", "security_groups", "segments"):
        ident = values.get(f"{KINDS[of].singular}_id")
        if ident is not None:
            items.need(ctx.session, of, ident)
    ctx.check_named(kind, values)
    given = KINDS[kind].given(values)
    ctx.enforce("create", kind, values, given)
    if ctx.caller is not None and "project_id" in values:
        quotas.check(ctx.session, kind, values["project_id"])
    if kind in ("networks", "ports"):
        security_groups.default(ctx.session, values["project_id"])
    return OPERATIONS[kind].create(ctx.session, values)


def _check_revision(ctx: NetworkingContext, item: Record) -> None:
    """Raise an error if the client requires another revision than the present one."""
    text = ctx.request.header("HTTP_IF_MATCH")
    if text is None or "revision_number" not in text or "revision_number" not in item:
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
