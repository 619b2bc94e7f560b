"""``/servers``: create, list, show, change and delete servers."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from fake_server.common import randomness
from fake_server.common.context import NO_PROJECT
from fake_server.common.dialects.nova import NOVA, bad_query
from fake_server.common.errors import BadRequest, Conflict, Forbidden
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.lists import TAG_FILTERS, is_tagged, several
from fake_server.common.parsing import parse_boolean
from fake_server.common.regular_expressions import RegularExpressionError, occurs
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.compute import api, creation, microversions, neutron, power_states, views
from fake_server.compute.errors import InstanceIsLocked
from fake_server.compute.models import block_devices, instances
from fake_server.compute.policies import POLICIES
from fake_server.compute.schemas import servers as schemas

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from fake_server.compute.context import Context, Handler
    from fake_server.db.store import Record

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
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
}
#: Filters that are moments.
_MOMENTS: dict[str, Callable[[datetime, datetime], bool]] = {
    "changes-since": operator.ge,
    "changes-before": operator.le,
}
#: The keys by which lists are sorted, and the columns of those that tell servers apart here.
_SORTABLE = {
    **dict.fromkeys(
        (
            *("access_ip_v4", "access_ip_v6", "auto_disk_config", "availability_zone"),
            *("config_drive", "created_at", "display_description", "display_name", "host"),
            *("hostname", "image_ref", "instance_type_id", "kernel_id", "key_name"),
            *("launch_index", "launched_at", "locked_by", "node", "power_state", "progress"),
            *("project_id", "ramdisk_id", "root_device_name", "task_state", "terminated_at"),
            *("updated_at", "user_id", "uuid", "vm_state", "architecture", "cell_name", "cleaned"),
            *("default_ephemeral_device", "default_swap_device", "deleted", "deleted_at"),
            *("disable_terminate", "ephemeral_gb", "ephemeral_key_uuid", "id", "key_data"),
            *("launched_on", "locked", "memory_mb", "os_type", "reservation_id", "root_gb"),
            *("shutdown_terminate", "user_data", "vcpus", "vm_mode"),
        ),
        "number",
    ),
    **{
        name: name
        for name in (
            *("access_ip_v4", "access_ip_v6", "hostname", "image_ref", "key_name", "launch_index"),
            *("launched_at", "locked_by", "power_state", "project_id", "reservation_id"),
            *("task_state", "updated_at", "user_data", "user_id", "vm_state"),
        )
    },
    "auto_disk_config": "disk_config",
    "availability_zone": "zone",
    "display_description": "description",
    "display_name": "name",
    "host": "node_uuid",
    "node": "node_uuid",
    "uuid": "id",
}
#: The filters that others than administrators have, by the version since which they do.
_FOR_ALL = {
    **dict.fromkeys(("name", "status", "flavor", "image", "reservation_id", "ip"), 1),
    "ip6": microversions.IP6_FILTER,
    **dict.fromkeys(("vm_state", "key_name", "user_id"), microversions.MORE_FILTERS),
}


@ROUTES.add("GET", "/servers", "servers:index")
def list_servers(ctx: Context) -> Response:
    """List servers by name."""
    rows, links = _listed(ctx, detailed=False)
    return encode(200, {"servers": [views.server_summary(ctx, row) for row in rows], **links})


@ROUTES.add("GET", "/servers/detail", "servers:detail")
def list_details(ctx: Context) -> Response:
    """List servers in detail, without the groups that only a single server shows."""
    rows, links = _listed(ctx, detailed=True)
    found = _detailed(ctx, rows)
    for shown in found:
        shown.pop("server_groups", None)
    return encode(200, {"servers": found, **links})


@ROUTES.add("POST", "/servers", "servers:create")
def create(ctx: Context) -> Response:
    """Create servers."""
    body = ctx.json(schemas.CREATE)
    ctx.require("servers:create")
    wanted = body["server"]
    hints = body.get("os:scheduler_hints") or body.get("OS-SCH-HNT:scheduler_hints") or {}
    rows = creation.create(ctx, wanted, hints)
    if parse_boolean(wanted.get("return_reservation_id")):
        return encode(202, {"reservation_id": rows[0]["reservation_id"]})
    password = wanted.get("adminPass") or randomness.token(9)
    location = f"{ctx.request.base_url}/v2.1/servers/{rows[0]['id']}"
    shown = views.created_server(ctx, rows[0], password, creation.security_groups(wanted))
    return encode(202, {"server": shown}, ("Location", location))


@ROUTES.add("GET", "/servers/{ident}", "servers:show")
def show(ctx: Context, ident: str) -> Response:
    """Show a server."""
    return encode(200, {"server": shown(ctx, found(ctx, ident, "servers:show"))})


@ROUTES.add("PUT", "/servers/{ident}", "servers:update")
def update(ctx: Context, ident: str) -> Response:
    """Rename or describe a server."""
    wanted = ctx.json(schemas.UPDATE)["server"]
    row = found(ctx, ident, "servers:update")
    names = ("name", "description", "hostname")
    changes = {
        **instances.columns(wanted),
        **{name: wanted[name] for name in names if name in wanted},
    }
    if "pinned_availability_zone" in wanted:
        changes["zone"] = _pinned(ctx, row, wanted["pinned_availability_zone"])
    instances.update(ctx.session, row["id"], **changes)
    changed = instances.get(ctx.session, row["id"], None)
    return encode(200, {"server": views.changed_server(ctx, shown(ctx, changed))})


@ROUTES.add("DELETE", "/servers/{ident}", "servers:delete")
def delete(ctx: Context, ident: str) -> Response:
    """Delete a server."""
    api.delete(ctx, changeable(ctx, ident, "servers:delete"))
    return Response(204)


def found(ctx: Context, ident: str, policy: str) -> Record:
    """Return a server of the client's project, or of any for an administrator.

    :param policy: what the client does to it.
    :raises InstanceNotFound: if there is none.
    :raises Forbidden: if the policy forbids that, or the client has no project.
    """
    project = ctx.visible_project
    if project == NO_PROJECT:
        raise ctx.refusal(ctx.policies.name(policy))
    row = instances.get(ctx.session, ident, project)
    ctx.require(policy, row)
    return row


def changeable(ctx: Context, ident: str, policy: str) -> Record:
    """Return a server as :func:`found`; raise InstanceIsLocked unless the client may change it."""
    row = found(ctx, ident, policy)
    check_lock(ctx, row)
    return row


def check_lock(ctx: Context, row: Record) -> None:
    """Raise InstanceIsLocked unless the client may change a server."""
    if row["locked_by"] and not ctx.may("os-lock-server:unlock:unlock_override", row):
        raise InstanceIsLocked(row["id"])


def shown(ctx: Context, row: Record) -> dict[str, Any]:
    """Return all of a server, as it is now."""
    rows = power_states.sync(ctx.session, [row])
    return _detailed(ctx, rows)[0]


def _detailed(ctx: Context, rows: list[Record]) -> list[dict[str, Any]]:
    ids = [row["id"] for row in rows]
    volumes = block_devices.volumes_of(ctx.session, ids)
    ports = neutron.get_network_info(ctx.session, ids)
    place = block_devices.port_numbers(ctx.session, ids)
    for found in ports.values():
        found.sort(key=lambda port: place.get(port["id"], 0))
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


def _listed(ctx: Context, *, detailed: bool) -> tuple[list[Record], dict[str, Any]]:
    ctx.require(f"servers:{'detail' if detailed else 'index'}")
    project = ctx.servers_project(detailed=detailed)
    wanted = ctx.one_of("project_id") or ctx.one_of("tenant_id")
    if project is None and wanted is not None:
        project = wanted
    moments = {name: ctx.moment(name) for name in _MOMENTS}
    locked = ctx.boolean("locked") if ctx.minor >= microversions.LOCKED_REASON else None
    if ctx.flag("deleted") and ctx.may("servers:allow_all_filters"):
        return [], {}
    rows = _filtered(ctx, power_states.sync(ctx.session, instances.get_all(ctx.session, project)))
    for name, moment in moments.items():
        if moment is not None:
            rows = [row for row in rows if _MOMENTS[name](row["updated_at"], moment)]
    if locked is not None:
        rows = [row for row in rows if (row["locked_by"] is not None) == locked]
    if ctx.one_of("sort_dir") not in (None, "asc", "desc"):
        raise BadRequest("Invalid input received: Unknown sort direction, must be 'desc' or 'asc'")
    if ctx.one_of("sort_key") in ("host", "node") and not ctx.is_admin:
        raise Forbidden("Only administrators can sort servers by host")
    rows = ctx.sorted(rows, _SORTABLE, "number", "desc")
    return NOVA.page(ctx, rows, "servers")


def _filtered(ctx: Context, rows: list[Record]) -> list[Record]:
    for name, fits in _FILTERS.items():
        text = _filter(ctx, name)
        if text is not None:
            texts = several(ctx.request.query, name) if name == "status" else [text]
            rows = [row for row in rows if any(fits(row, one) for one in texts)]
    for name in TAG_FILTERS if ctx.minor >= microversions.TAGS else ():
        wanted = ctx.one_of(name)
        if wanted is not None:
            rows = [row for row in rows if is_tagged(row["tags"], name, [wanted])]
    host = _filter(ctx, "host")
    if host is not None:
        rows = [row for row in rows if row["node_uuid"] and host == ctx.session.host]
    pattern = _filter(ctx, "ip") or _filter(ctx, "ip6")
    if pattern is not None:
        having = neutron.fixed_addresses(ctx.session, [row["id"] for row in rows])
        rows = [row for row in rows if any(_matches(pattern, found) for found in having[row["id"]])]
    return rows


def _filter(ctx: Context, name: str) -> str | None:
    """Return a filter of a list, if the client may filter by it."""
    since = _FOR_ALL.get(name, microversions.MAXIMUM + 1)
    may = ctx.minor >= since or ctx.may("servers:allow_all_filters")
    return ctx.one_of(name) if may else None


def _matches(text: str, name: str) -> bool:
    try:
        return occurs(text, name)
    except RegularExpressionError as exc:
        raise bad_query("name", text, f"{text!r} is not a 'regex'") from exc
