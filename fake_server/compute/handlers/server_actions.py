"""``/servers/{ident}/action``: what is done to servers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NoReturn

from fake_server.common import randomness
from fake_server.common.errors import BadRequest, with_status
from fake_server.common.rest import Routes, encode
from fake_server.common.wsgi import Response
from fake_server.compute import api, microversions, neutron, views
from fake_server.compute.errors import InstanceInvalidState, UnsupportedError
from fake_server.compute.handlers import servers
from fake_server.compute.models import block_devices, instances
from fake_server.compute.schemas import servers as schemas

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.compute.context import Context, Handler
    from fake_server.db.store import Record

ROUTES: Routes[Handler] = Routes()
#: What rebuilding a server can change.
_REBUILT = ("name", "description", "metadata", "key_name", "user_data", "hostname")


@ROUTES.add("POST", "/servers/{ident}/action")
def act(ctx: Context, ident: str) -> Response:
    """Do something to a server."""
    ctx.require_member("servers:action")
    body = ctx.body()
    name = next(iter(body), None)
    known = {**_ACTIONS, **(_PROXIES if ctx.minor < microversions.NO_ADDRESS_ACTIONS else {})}
    if len(body) != 1 or name not in (*known, *_UNSUPPORTED):
        raise BadRequest(f"There is no such action: {name}")
    if name in _UNSUPPORTED:
        _refuse(ctx, ident, _UNSUPPORTED[name])
    find = servers.found if name in _FOR_LOCKED else servers.changeable
    return known[name](ctx, find(ctx, ident))


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
    changes = {
        **instances.columns(wanted),
        **{name: wanted[name] for name in _REBUILT if name in wanted},
    }
    if not from_volume:
        changes["image_ref"] = image
    if "key_name" in changes:
        changes["key_data"] = api.get_key_data(ctx.session, row["user_id"], changes["key_name"])
    api.rebuild(ctx, row, changes)
    shown = views.rebuilt_server(ctx, servers.shown(ctx, row["id"]), row)
    shown["adminPass"] = wanted.get("adminPass") or randomness.token(9)
    return encode(202, {"server": shown}, ("Location", shown["links"][0]["href"]))


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
    owner = ctx.project_id == row["project_id"]
    if row["locked_by"] is None or not owner:
        ctx.record_action(row, "lock")
        reason = wanted.get("locked_reason")
        locker = _OWNER if owner else _ADMIN
        instances.update(ctx.session, row["id"], locked_by=locker, locked_reason=reason)
    return Response(202)


def _unlock(ctx: Context, row: Record) -> Response:
    if row["locked_by"] == _ADMIN and ctx.project_id == row["project_id"]:
        ctx.require_admin("os-lock-server:unlock:unlock_override")
    ctx.record_action(row, "unlock")
    instances.update(ctx.session, row["id"], locked_by=None, locked_reason=None)
    return Response(202)


def _reset_state(ctx: Context, row: Record) -> Response:
    ctx.require_admin("os-admin-actions:reset_state")
    state = ctx.json(schemas.RESET_STATE)["os-resetState"]["state"]
    instances.update(ctx.session, row["id"], vm_state=state, task_state=None)
    return Response(202)


def _inject_network_info(ctx: Context, row: Record) -> Response:
    """Take what Nova asks of its driver, which has nothing to do for nodes."""
    ctx.require_admin("os-admin-actions:inject_network_info")
    return Response(202)


def _reset_network(ctx: Context, row: Record) -> Response:
    raise with_status(410, "This action has been removed.")


def _restore(ctx: Context, row: Record) -> Response:
    """Refuse to restore a server: none is kept after it was deleted."""
    raise InstanceInvalidState("restore", row)


def _change_group(ctx: Context, row: Record, *, action: str) -> Response:
    name = ctx.json(schemas.GROUP_ACTIONS[action])[action]["name"]
    neutron.change_security_group(ctx, row, name, add=action == "addSecurityGroup")
    return Response(202)


def _add_floating_ip(ctx: Context, row: Record) -> Response:
    wanted = ctx.json(schemas.ADD_FLOATING_IP)["addFloatingIp"]
    neutron.associate_floating_ip(ctx, row, wanted["address"], wanted.get("fixed_address"))
    return Response(202)


def _remove_floating_ip(ctx: Context, row: Record) -> Response:
    address = ctx.json(schemas.REMOVE_FLOATING_IP)["removeFloatingIp"]["address"]
    neutron.disassociate_floating_ip(ctx, row, address)
    return Response(202)


def _refuse(ctx: Context, ident: str, policy: str | None) -> NoReturn:
    """Refuse what Nova can't do with nodes of Ironic.

    :param policy: that of an action for administrators alone.
    """
    if policy is not None:
        ctx.require_admin(policy)
    servers.found(ctx, ident)
    raise UnsupportedError


#: Who has locked a server.
_OWNER, _ADMIN = "owner", "admin"
#: What can be done to a locked server.
_FOR_LOCKED = ("lock", "unlock", "addSecurityGroup", "removeSecurityGroup")
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
    "injectNetworkInfo": _inject_network_info,
    "resetNetwork": _reset_network,
    "restore": _restore,
    "addSecurityGroup": partial(_change_group, action="addSecurityGroup"),
    "removeSecurityGroup": partial(_change_group, action="removeSecurityGroup"),
}
#: Those that were dropped in :data:`~.microversions.NO_ADDRESS_ACTIONS`.
_PROXIES: dict[str, Callable[[Context, Record], Response]] = {
    "addFloatingIp": _add_floating_ip,
    "removeFloatingIp": _remove_floating_ip,
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
    "migrate": "os-migrate-server:migrate",
    "os-migrateLive": "os-migrate-server:migrate_live",
    "shelveOffload": "os-shelve:shelve_offload",
}
