"""``/servers``: create, list, show, change and delete servers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

from fake_server.common import randomness
from fake_server.common.errors import BadRequest, Conflict, NotFound, with_status
from fake_server.common.parsing import parse_boolean
from fake_server.common.regular_expressions import RegularExpressionError, occurs
from fake_server.common.rest import Routes, encode
from fake_server.common.wsgi import Response
from fake_server.compute import api, manager, microversions, neutron, views
from fake_server.compute.errors import InstanceInvalidState, InstanceIsLocked
from fake_server.compute.models import block_devices, instances
from fake_server.compute.schemas import servers as schemas

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.compute.context import Context, Handler
    from fake_server.db.store import Record

ROUTES: Routes[Handler] = Routes()
#: What rebuilding a server can change.
_REBUILT = ("name", "description", "metadata", "key_name", "user_data", "hostname")
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
    shown = views.created_server(ctx, rows[0], password)
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
    changes = {name: wanted[name] for name in ("name", "description", "hostname") if name in wanted}
    if "pinned_availability_zone" in wanted:
        changes["zone"] = _pinned(ctx, row, wanted["pinned_availability_zone"])
    instances.update(ctx.session, row["id"], **changes)
    return encode(200, {"server": shown(ctx, ident)})


@ROUTES.add("DELETE", "/servers/{ident}")
def delete(ctx: Context, ident: str) -> Response:
    """Delete a server."""
    ctx.require_member("servers:delete")
    api.delete(ctx, changeable(ctx, ident))
    return Response(204)


@ROUTES.add("GET", "/servers/{ident}/ips")
def list_addresses(ctx: Context, ident: str) -> Response:
    """List the addresses of a server."""
    addresses = shown(ctx, ident)["addresses"]
    short = {
        name: [{key: item[key] for key in ("version", "addr")} for item in items]
        for name, items in addresses.items()
    }
    return encode(200, {"addresses": short})


@ROUTES.add("GET", "/servers/{ident}/ips/{network}")
def list_addresses_of_network(ctx: Context, ident: str, network: str) -> Response:
    """List the addresses of a server on one network."""
    addresses = shown(ctx, ident)["addresses"]
    if network not in addresses:
        raise NotFound("Instance is not a member of specified network")
    short = [{key: item[key] for key in ("version", "addr")} for item in addresses[network]]
    return encode(200, {network: short})


@ROUTES.add("POST", "/servers/{ident}/action")
def act(ctx: Context, ident: str) -> Response:
    """Do something to a server."""
    ctx.require_member("servers:action")
    body = ctx.body()
    name = next(iter(body), None)
    if len(body) != 1 or name not in (*_ACTIONS, *_UNSUPPORTED):
        raise BadRequest(f"There is no such action: {name}")
    if name in _UNSUPPORTED:
        _refuse(ctx, ident, _UNSUPPORTED[name])
    find = found if name in _FOR_LOCKED else changeable
    return _ACTIONS[name](ctx, find(ctx, ident))


def found(ctx: Context, ident: str) -> Record:
    """Return a server that the client may see; raise InstanceNotFound if there is none."""
    return instances.get(ctx.session, ident, ctx.visible_project)


def changeable(ctx: Context, ident: str) -> Record:
    """Return a server as :func:`found`; raise InstanceIsLocked unless the client may change it."""
    row = found(ctx, ident)
    if row["locked"] and not ctx.is_admin:
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
    if ctx.flag("deleted"):
        return [], {}
    rows = manager.sync_power_states(ctx.session, instances.get_all(ctx.session, project))
    for name, fits in _FILTERS.items():
        text = ctx.one_of(name)
        if text is not None:
            rows = [row for row in rows if fits(row, text)]
    for name, meets in _TAG_FILTERS.items():
        text = ctx.one_of(name)
        if text is not None and ctx.minor >= microversions.TAGS:
            wanted_tags = set(text.split(","))
            rows = [row for row in rows if meets(set(row["tags"]), wanted_tags)]
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


def _matches(text: str, name: str) -> bool:
    try:
        return occurs(text, name)
    except RegularExpressionError as exc:
        raise BadRequest(f"Invalid filter name: {text}: {exc}") from None


def _power(action: str, ctx: Context, row: Record) -> Response:
    api.power(ctx, row, action)
    return Response(202)


def _reboot(ctx: Context, row: Record) -> Response:
    kind = ctx.json(schemas.REBOOT)["reboot"]["type"].lower()
    return _power("reboot" if kind == "soft" else "reboot_hard", ctx, row)


def _rebuild(ctx: Context, row: Record) -> Response:
    wanted = ctx.json(schemas.rebuild(ctx.minor))["rebuild"]
    instances.check_state(row, "rebuild", instances.ACTIVE, instances.STOPPED, instances.ERROR)
    if row["node_uuid"] is None:
        raise InstanceInvalidState("rebuild", row)
    owned = block_devices.volumes_of(ctx.session, [row["id"]])[row["id"]]
    from_volume = any(device["boot_index"] == 0 for device in owned)
    image = wanted["imageRef"]
    if from_volume and image and ctx.minor < microversions.REBUILD_VOLUME_BACKED:
        raise BadRequest("Unable to rebuild with a different image for a volume-backed server.")
    changes: dict[str, Any] = {name: wanted[name] for name in _REBUILT if name in wanted}
    if not from_volume:
        changes["image_ref"] = image
    if "key_name" in changes:
        changes["key_data"] = api.get_key_data(ctx.session, row["user_id"], changes["key_name"])
    api.rebuild(ctx, row, changes)
    return encode(202, {"server": shown(ctx, row["id"])})


def _rescue(ctx: Context, row: Record) -> Response:
    wanted = ctx.json(schemas.RESCUE)["rescue"] or {}
    password = wanted.get("adminPass") or randomness.token(9)
    api.rescue(ctx, row, password)
    return encode(200, {"adminPass": password})


def _unrescue(ctx: Context, row: Record) -> Response:
    api.unrescue(ctx, row)
    return Response(202)


def _force_delete(ctx: Context, row: Record) -> Response:
    api.delete(ctx, row)
    return Response(202)


def _lock(ctx: Context, row: Record) -> Response:
    wanted = ctx.json(schemas.lock(ctx.minor))["lock"] or {}
    ctx.record_action(row, "lock")
    reason = wanted.get("locked_reason")
    instances.update(ctx.session, row["id"], locked=True, locked_reason=reason)
    return Response(202)


def _unlock(ctx: Context, row: Record) -> Response:
    ctx.record_action(row, "unlock")
    instances.update(ctx.session, row["id"], locked=False, locked_reason=None)
    return Response(202)


def _reset_state(ctx: Context, row: Record) -> Response:
    ctx.require_admin("os-admin-actions:reset_state")
    state = ctx.json(schemas.RESET_STATE)["os-resetState"]["state"]
    instances.update(ctx.session, row["id"], vm_state=state, task_state=None)
    return Response(202)


def _refuse(ctx: Context, ident: str, policy: str | None) -> NoReturn:
    """Refuse what Nova can't do with nodes of Ironic.

    :param policy: that of an action for administrators alone.
    """
    if policy is not None:
        ctx.require_admin(policy)
    found(ctx, ident)
    raise with_status(501, "The requested functionality is not supported.")


#: What can be done to a locked server.
_FOR_LOCKED = ("lock", "unlock")
_ACTIONS: dict[str, Callable[[Context, Record], Response]] = {
    "os-start": partial(_power, "start"),
    "os-stop": partial(_power, "stop"),
    "reboot": _reboot,
    "rebuild": _rebuild,
    "rescue": _rescue,
    "unrescue": _unrescue,
    "forceDelete": _force_delete,
    "lock": _lock,
    "unlock": _unlock,
    "os-resetState": _reset_state,
}
#: What Nova's driver of Ironic can't do; with a policy, what only administrators may ask for.
_UNSUPPORTED: dict[str, str | None] = {
    **dict.fromkeys(
        (
            *("addFixedIp", "changePassword", "confirmResize", "createBackup", "createImage"),
            *("os-getConsoleOutput", "os-getRDPConsole", "os-getSPICEConsole", "os-getVNCConsole"),
            *("pause", "removeFixedIp", "resize", "resume", "revertResize", "shelve", "suspend"),
            *("trigger_crash_dump", "unpause", "unshelve"),
        )
    ),
    "evacuate": "os-evacuate",
    "injectNetworkInfo": "os-admin-actions:inject_network_info",
    "migrate": "os-migrate-server:migrate",
    "os-migrateLive": "os-migrate-server:migrate_live",
    "resetNetwork": "os-admin-actions:reset_network",
    "shelveOffload": "os-shelve:shelve_offload",
}
