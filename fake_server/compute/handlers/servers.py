"""``/servers``: create, list, show, change and delete servers."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from fake_server.common import randomness
from fake_server.common.errors import BadRequest, Conflict
from fake_server.common.parsing import parse_boolean
from fake_server.common.regular_expressions import RegularExpressionError, occurs
from fake_server.common.rest import Routes, encode
from fake_server.common.wsgi import Response
from fake_server.compute import api, manager, microversions, neutron, views
from fake_server.compute.errors import InstanceIsLocked
from fake_server.compute.models import block_devices, instances
from fake_server.compute.schemas import servers as schemas

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from fake_server.compute.context import Context, Handler
    from fake_server.db.store import Record

ROUTES: Routes[Handler] = Routes()
#: The filters of lists.
_FILTERS: dict[str, Callable[[Record, str], bool]] = {
    "name": lambda row, text: _matches(text, row["name"]),
    "status": lambda row, text: instances.status(row) == text.upper(),
    "vm_state": lambda row, text: row["vm_state"] == text,
    "flavor": lambda row, text: row["flavor"]["id"] == text,
    "image": lambda row, text: row["image_ref"] == text,
    "reservation_id": lambda row, text: row["reservation_id"] == text,
    "uuid": lambda row, text: row["id"] == text,
    "node": lambda row, text: row["node_uuid"] == text,
    "key_name": lambda row, text: row["key_name"] == text,
    "user_id": lambda row, text: row["user_id"] == text,
    "locked": lambda row, text: (row["locked_by"] is not None) == parse_boolean(text),
}
#: Filters that are moments.
_MOMENTS: dict[str, Callable[[datetime, datetime], bool]] = {
    "changes-since": operator.ge,
    "changes-before": operator.le,
}
#: Those of tags, since :data:`~.microversions.TAGS`.
_TAG_FILTERS: dict[str, Callable[[set[str], set[str]], bool]] = {
    "tags": lambda having, wanted: wanted <= having,
    "tags-any": lambda having, wanted: not wanted.isdisjoint(having),
    "not-tags": lambda having, wanted: not wanted <= having,
    "not-tags-any": lambda having, wanted: wanted.isdisjoint(having),
}
_SORTABLE = {
    "created_at": "number",
    "display_name": "name",
    "updated_at": "updated_at",
    "uuid": "id",
    "vm_state": "vm_state",
    "task_state": "task_state",
    "host": "node_uuid",
}


@ROUTES.add("GET", "/servers")
def list_servers(ctx: Context) -> Response:
    """List servers by name."""
    rows, links = _listed(ctx)
    return encode(200, {"servers": [views.server_summary(ctx, row) for row in rows], **links})


@ROUTES.add("GET", "/servers/detail")
def list_details(ctx: Context) -> Response:
    """List servers in detail, without the groups that only a single server shows."""
    rows, links = _listed(ctx)
    found = _detailed(ctx, rows)
    for shown in found:
        shown.pop("server_groups", None)
    return encode(200, {"servers": found, **links})


@ROUTES.add("POST", "/servers")
def create(ctx: Context) -> Response:
    """Create servers."""
    ctx.require_member("servers:create")
    body = ctx.json(schemas.create(ctx.minor))
    wanted = body["server"]
    if "hypervisor_hostname" in wanted or "host" in wanted:
        ctx.require_admin("servers:create:forced_host")
    hints = body.get("os:scheduler_hints") or body.get("OS-SCH-HNT:scheduler_hints") or {}
    rows = api.create(ctx, wanted, hints)
    if parse_boolean(wanted.get("return_reservation_id")):
        return encode(202, {"reservation_id": rows[0]["reservation_id"]})
    password = wanted.get("adminPass") or randomness.token(9)
    location = f"{ctx.request.base_url}/v2.1/servers/{rows[0]['id']}"
    shown = views.created_server(ctx, rows[0], password, api.security_groups(wanted))
    return encode(202, {"server": shown}, ("Location", location))


@ROUTES.add("GET", "/servers/{ident}")
def show(ctx: Context, ident: str) -> Response:
    """Show a server."""
    return encode(200, {"server": shown(ctx, ident)})


@ROUTES.add("PUT", "/servers/{ident}")
def update(ctx: Context, ident: str) -> Response:
    """Rename or describe a server."""
    ctx.require_member("servers:update")
    row = found(ctx, ident)
    wanted = ctx.json(schemas.update(ctx.minor))["server"]
    names = ("name", "description", "hostname")
    changes = {
        **instances.columns(wanted),
        **{name: wanted[name] for name in names if name in wanted},
    }
    if "pinned_availability_zone" in wanted:
        changes["zone"] = _pinned(ctx, row, wanted["pinned_availability_zone"])
    instances.update(ctx.session, row["id"], **changes)
    return encode(200, {"server": views.changed_server(ctx, shown(ctx, ident))})


@ROUTES.add("DELETE", "/servers/{ident}")
def delete(ctx: Context, ident: str) -> Response:
    """Delete a server."""
    ctx.require_member("servers:delete")
    api.delete(ctx, changeable(ctx, ident))
    return Response(204)


def found(ctx: Context, ident: str) -> Record:
    """Return a server that the client may see; raise InstanceNotFound if there is none."""
    return instances.get(ctx.session, ident, ctx.visible_project)


def changeable(ctx: Context, ident: str) -> Record:
    """Return a server as :func:`found`; raise InstanceIsLocked unless the client may change it."""
    row = found(ctx, ident)
    if row["locked_by"] and not ctx.is_admin:
        raise InstanceIsLocked(row["id"])
    return row


def shown(ctx: Context, ident: str) -> dict[str, Any]:
    """Return all of a server, as it is now."""
    rows = manager.sync_power_states(ctx.session, [found(ctx, ident)])
    return _detailed(ctx, rows)[0]


def _detailed(ctx: Context, rows: list[Record]) -> list[dict[str, Any]]:
    ids = [row["id"] for row in rows]
    volumes = block_devices.volumes_of(ctx.session, ids)
    ports = neutron.get_network_info(ctx.session, ids)
    return [views.server(ctx, row, volumes[row["id"]], ports[row["id"]]) for row in rows]


def _pinned(ctx: Context, row: Record, zone: str | None) -> str | None:
    """Return the zone to pin a server to; raise Conflict for another one than it is in."""
    if zone is None or zone == row["zone"]:
        return zone
    if row["zone"] is not None:
        raise Conflict(
            "Cannot change pinned availability zone directly. Unpin first by setting "
            "pinned_availability_zone to null."
        )
    current = views.zone(ctx, row)
    if zone != current:
        raise Conflict(
            f"Server can only be pinned to its current availability zone '{current}', but "
            f"'{zone}' was requested."
        )
    return zone


def _listed(ctx: Context) -> tuple[list[Record], dict[str, Any]]:
    project = ctx.listed_project()
    wanted = ctx.one_of("project_id") or ctx.one_of("tenant_id")
    if project is None and wanted is not None:
        project = wanted
    moments = {name: ctx.moment(name) for name in _MOMENTS}
    if ctx.flag("deleted"):
        return [], {}
    rows = _filtered(
        ctx, manager.sync_power_states(ctx.session, instances.get_all(ctx.session, project))
    )
    for name, moment in moments.items():
        if moment is not None:
            rows = [row for row in rows if _MOMENTS[name](row["updated_at"], moment)]
    key = ctx.one_of("sort_key")
    if key is not None:
        if key not in _SORTABLE:
            raise BadRequest(f"Sort key supplied was not valid: {key}")
        column = _SORTABLE[key]
        descending = ctx.one_of("sort_dir") != "asc"
        rows = sorted(
            rows, key=lambda row: (row[column] is not None, row[column]), reverse=descending
        )
    return ctx.page(rows, "servers", ctx.one_of("marker"), ctx.one_of("limit"))


def _filtered(ctx: Context, rows: list[Record]) -> list[Record]:
    for name, fits in _FILTERS.items():
        text = ctx.one_of(name)
        if text is not None:
            rows = [row for row in rows if fits(row, text)]
    for name, meets in _TAG_FILTERS.items():
        text = ctx.one_of(name)
        if text is not None and ctx.minor >= microversions.TAGS:
            wanted_tags = set(text.split(","))
            rows = [row for row in rows if meets(set(row["tags"]), wanted_tags)]
    host = ctx.one_of("host")
    if host is not None and ctx.is_admin:
        rows = [row for row in rows if row["node_uuid"] and host == ctx.session.host]
    pattern = ctx.one_of("ip") or ctx.one_of("ip6")
    if pattern is not None:
        having = neutron.fixed_addresses(ctx.session, [row["id"] for row in rows])
        rows = [row for row in rows if any(_matches(pattern, found) for found in having[row["id"]])]
    return rows


def _matches(text: str, name: str) -> bool:
    try:
        return occurs(text, name)
    except RegularExpressionError as exc:
        raise BadRequest(f"Invalid filter name: {text}: {exc}") from None
