"""``/servers/{ident}/action``: what is done to servers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from fake_server.common import randomness
from fake_server.common.errors import BadRequest, NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.compute import api, glance, microversions, neutron, views
from fake_server.compute.errors import InstanceInvalidState, InstanceNotReady, UnsupportedError
from fake_server.compute.handlers import removed, server_details, servers
from fake_server.compute.models import block_devices, instances, services
from fake_server.compute.policies import POLICIES
from fake_server.compute.schemas import actions as schemas

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.compute.context import Context, Handler
    from fake_server.db.store import Record

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
#: What rebuilding a server can change.
_REBUILT = ("name", "description", "metadata", "key_name", "user_data", "hostname")


class _Action(NamedTuple):
    """Something that can be asked for of a server.

    :param policy: the policy that allows it.
    :param do: what does it, with the context, the server and what the request says.
    :param since: the first version that has it.
    :param until: the first version that doesn't have it any more.
    :param while_locked: whether it can be done to a locked server.
    """

    policy: str
    do: Callable[[Context, Record, Any], Response]
    since: int = microversions.MINIMUM
    until: int = microversions.MAXIMUM + 1
    while_locked: bool = False


def _power(action: str, ctx: Context, row: Record, wanted: Any) -> Response:
    api.power(ctx, row, action)
    return Response(202)


def _reboot(ctx: Context, row: Record, wanted: Any) -> Response:
    soft = wanted["type"].lower() == "soft"
    return _power("reboot" if soft else "reboot_hard", ctx, row, wanted)


def _rebuild(ctx: Context, row: Record, wanted: Any) -> Response:
    instances.check_state(row, "rebuild", instances.ACTIVE, instances.STOPPED, instances.ERROR)
    if row["node_uuid"] is None:
        raise InstanceInvalidState("rebuild", row, None)
    owned = block_devices.volumes_of(ctx.session, [row["id"]])[row["id"]]
    from_volume = any(device["boot_index"] == 0 for device in owned)
    image = wanted["imageRef"]
    if from_volume and image and ctx.minor < microversions.REBUILD_VOLUME_BACKED:
        raise BadRequest(
            f"Image {image} is unacceptable: Unable to rebuild with a different image for a "
            "volume-backed server."
        )
    if not from_volume:
        glance.check_image(ctx, image, row["flavor"])
    changes = {
        "disk_config": "MANUAL",
        **instances.columns(wanted),
        **{name: wanted[name] for name in _REBUILT if name in wanted},
    }
    if not from_volume:
        changes["image_ref"] = image
    if "key_name" in changes:
        changes["key_data"] = api.get_key_data(ctx.session, row["user_id"], changes["key_name"])
    api.rebuild(ctx, row, changes)
    changed = instances.get(ctx.session, row["id"], None)
    shown = views.rebuilt_server(ctx, servers.shown(ctx, changed), row)
    shown["adminPass"] = wanted.get("adminPass") or randomness.token(9)
    return encode(202, {"server": shown}, ("Location", shown["links"][0]["href"]))


def _rescue(ctx: Context, row: Record, wanted: Any) -> Response:
    password = (wanted or {}).get("adminPass", randomness.token(9))
    image = (wanted or {}).get("rescue_image_ref")
    api.rescue(ctx, row, password or randomness.token(9), image)
    return encode(200, {"adminPass": password})


def _unrescue(ctx: Context, row: Record, wanted: Any) -> Response:
    api.unrescue(ctx, row)
    return Response(202)


def _trigger_crash_dump(ctx: Context, row: Record, wanted: Any) -> Response:
    api.trigger_crash_dump(ctx, row)
    return Response(202)


def _force_delete(ctx: Context, row: Record, wanted: Any) -> Response:
    api.delete(ctx, row)
    return Response(202)


def _lock(ctx: Context, row: Record, wanted: Any) -> Response:
    owner = ctx.project_id == row["project_id"]
    if row["locked_by"] is None or not owner:
        ctx.record_action(row, "lock")
        # Older versions take any details, and look at none.
        reason = wanted.get("locked_reason") if isinstance(wanted, dict) else None
        locker = _OWNER if owner else _ADMIN
        instances.update(ctx.session, row["id"], locked_by=locker, locked_reason=reason)
    return Response(202)


def _unlock(ctx: Context, row: Record, wanted: Any) -> Response:
    if row["locked_by"] == _ADMIN and ctx.project_id == row["project_id"]:
        ctx.require("os-lock-server:unlock:unlock_override", row)
    ctx.record_action(row, "unlock")
    instances.update(ctx.session, row["id"], locked_by=None, locked_reason=None)
    return Response(202)


def _reset_state(ctx: Context, row: Record, wanted: Any) -> Response:
    instances.update(ctx.session, row["id"], vm_state=wanted["state"], task_state=None)
    return Response(202)


def _inject_network_info(ctx: Context, row: Record, wanted: Any) -> Response:
    """Take what Nova asks of its driver, which has nothing to do for nodes."""
    return Response(202)


def _restore(ctx: Context, row: Record, wanted: Any) -> Response:
    """Refuse to restore a server: none is kept after it was deleted."""
    raise InstanceInvalidState("restore", row)


def _change_group(ctx: Context, row: Record, wanted: Any, *, add: bool) -> Response:
    neutron.change_security_group(ctx, row, wanted["name"], add=add)
    return Response(202)


def _add_floating_ip(ctx: Context, row: Record, wanted: Any) -> Response:
    neutron.associate_floating_ip(ctx, row, wanted["address"], wanted.get("fixed_address"))
    return Response(202)


def _remove_floating_ip(ctx: Context, row: Record, wanted: Any) -> Response:
    neutron.disassociate_floating_ip(ctx, row, wanted["address"])
    return Response(202)


def _refuse_console(ctx: Context, row: Record, wanted: Any) -> NoReturn:
    server_details.refuse_console(row, wanted["type"])


def _refuse_rdp(ctx: Context, row: Record, wanted: Any) -> NoReturn:
    server_details.refuse_console(row, "rdp-html5")


def _evacuate(ctx: Context, row: Record, wanted: Any) -> NoReturn:
    host = wanted.get("host")
    if host not in (None, ctx.session.host):
        raise NotFound(f"Compute host {host} not found.")
    if not services.compute(ctx.session)["forced_down"]:
        raise BadRequest(f"Compute service of {ctx.session.host} is still in use.")
    raise UnsupportedError


def _unsupported(
    policy: str,
    *states: str,
    since: int = microversions.MINIMUM,
    until: int = microversions.MAXIMUM + 1,
) -> _Action:
    """Return an action that Nova's driver of Ironic can't do.

    :param states: those in which it could be asked for; without any, what Nova asks for first is
        whether the server has a host.
    """

    def refuse(ctx: Context, row: Record, wanted: Any) -> NoReturn:
        if states:
            (name,) = ctx.body()
            instances.check_state(row, name, *states)
        elif row["node_uuid"] is None:
            raise InstanceNotReady(row["id"])
        raise UnsupportedError

    return _Action(policy, refuse, since, until)


#: Who has locked a server.
_OWNER, _ADMIN = "owner", "admin"
_STEADY = (instances.ACTIVE, instances.STOPPED)
#: States that a server never gets into on a node.
_PAUSED, _SUSPENDED, _RESIZED, _SHELVED = "paused", "suspended", "resized", "shelved"
_NO_ADDRESSES = microversions.NO_ADDRESS_ACTIONS
_ACTIONS: dict[str, _Action] = {
    "os-start": _Action("servers:start", partial(_power, "start")),
    "os-stop": _Action("servers:stop", partial(_power, "stop")),
    "reboot": _Action("servers:reboot", _reboot),
    "rebuild": _Action("servers:rebuild", _rebuild),
    "rescue": _Action("os-rescue", _rescue),
    "unrescue": _Action("os-unrescue", _unrescue),
    "trigger_crash_dump": _Action(
        "servers:trigger_crash_dump", _trigger_crash_dump, since=microversions.CRASH_DUMP
    ),
    "forceDelete": _Action("os-deferred-delete:force", _force_delete),
    "restore": _Action("os-deferred-delete:restore", _restore),
    "lock": _Action("os-lock-server:lock", _lock, while_locked=True),
    "unlock": _Action("os-lock-server:unlock", _unlock, while_locked=True),
    "os-resetState": _Action("os-admin-actions:reset_state", _reset_state),
    "injectNetworkInfo": _Action("os-admin-actions:inject_network_info", _inject_network_info),
    "addSecurityGroup": _Action(
        "os-security-groups:add", partial(_change_group, add=True), while_locked=True
    ),
    "removeSecurityGroup": _Action(
        "os-security-groups:remove", partial(_change_group, add=False), while_locked=True
    ),
    "addFloatingIp": _Action("os-floating-ips:add", _add_floating_ip, until=_NO_ADDRESSES),
    "removeFloatingIp": _Action("os-floating-ips:remove", _remove_floating_ip, until=_NO_ADDRESSES),
}
_UNSUPPORTED: dict[str, _Action] = {
    "addFixedIp": _unsupported("os-multinic:add", until=_NO_ADDRESSES),
    "removeFixedIp": _unsupported("os-multinic:remove", until=_NO_ADDRESSES),
    "changePassword": _unsupported("os-admin-password", instances.ACTIVE),
    "createBackup": _unsupported("os-create-backup", *_STEADY),
    "createImage": _unsupported("servers:create_image", *_STEADY),
    "os-getConsoleOutput": _unsupported("os-console-output"),
    **dict.fromkeys(
        ("os-getSPICEConsole", "os-getSerialConsole", "os-getVNCConsole"),
        _Action("os-remote-consoles", _refuse_console, until=microversions.REMOTE_CONSOLES),
    ),
    "os-getRDPConsole": _Action(
        "os-remote-consoles", _refuse_rdp, until=microversions.REMOTE_CONSOLES
    ),
    "pause": _unsupported("os-pause-server:pause", instances.ACTIVE),
    "unpause": _unsupported("os-pause-server:unpause", _PAUSED),
    "suspend": _unsupported("os-suspend-server:suspend", instances.ACTIVE),
    "resume": _unsupported("os-suspend-server:resume", _SUSPENDED),
    "resize": _unsupported("servers:resize", *_STEADY),
    "confirmResize": _unsupported("servers:confirm_resize", _RESIZED),
    "revertResize": _unsupported("servers:revert_resize", _RESIZED),
    "shelve": _unsupported("os-shelve:shelve", *_STEADY),
    "shelveOffload": _unsupported("os-shelve:shelve_offload", _SHELVED),
    "unshelve": _unsupported("os-shelve:unshelve", _SHELVED),
    "migrate": _unsupported("os-migrate-server:migrate", *_STEADY),
    "os-migrateLive": _unsupported("os-migrate-server:migrate_live", instances.ACTIVE),
    "evacuate": _Action("os-evacuate", _evacuate),
}
_ALL = _ACTIONS | _UNSUPPORTED
#: What is left of an action, of which Nova asks nothing.
_GONE = "resetNetwork"
#: The policy of actions that name a host.
_TO_HOST = {
    "migrate": "os-migrate-server:migrate:host",
    "os-migrateLive": "os-migrate-server:migrate_live:host",
}


@ROUTES.add(
    "POST",
    "/servers/{ident}/action",
    *(action.policy for action in _ALL.values()),
    *_TO_HOST.values(),
)
def act(ctx: Context, ident: str) -> Response:
    """Do something to a server."""
    if len(ctx.body()) != 1:
        raise BadRequest("Malformed request body")
    name = ctx.action((*_ALL, _GONE))
    if name == _GONE:
        removed.refuse(ctx)
    action = _ALL[name]
    if not action.since <= ctx.minor < action.until:
        raise NotFound
    wanted = ctx.json(schemas.action(name, ctx.minor))[name]
    to_host = name in _TO_HOST and isinstance(wanted, dict) and wanted.get("host") is not None
    row = servers.found(ctx, ident, _TO_HOST[name] if to_host else action.policy)
    if not action.while_locked:
        servers.check_lock(ctx, row)
    return action.do(ctx, row, wanted)
