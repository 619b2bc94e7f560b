"""``/servers/{ident}/action``: what is done to servers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.common import randomness
from fake_server.common.errors import BadRequest
from fake_server.common.microversions import Since
from fake_server.common.rest import encode
from fake_server.common.schemas import object_schema
from fake_server.compute import api, creation, glance, neutron, views
from fake_server.compute import microversions as versions
from fake_server.compute.errors import InstanceInvalidState
from fake_server.compute.handlers import removed, servers
from fake_server.compute.models import block_devices, instances
from fake_server.compute.resources import unsupported_actions
from fake_server.compute.resources.server_resource import ServerAction, ServerResource
from fake_server.compute.schemas import parts
from fake_server.compute.schemas import servers as schemas

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.common.wsgi import Response
    from fake_server.compute.context import Context
    from fake_server.db.store import Record

    Details = Mapping[str, Any]

#: What rebuilding a server can change.
_REBUILT = ("name", "description", "metadata", "key_name", "user_data", "hostname")
#: Who has locked a server.
_OWNER, _ADMIN = "owner", "admin"
#: What is left of an action, of which Nova asks nothing.
_GONE = "resetNetwork"


def _power(action: str, ctx: Context, row: Record, details: Details) -> None:
    api.power(ctx, row, action)


def _reboot(ctx: Context, row: Record, details: Details) -> None:
    api.power(ctx, row, "reboot" if details["type"].lower() == "soft" else "reboot_hard")


def _rebuild(ctx: Context, row: Record, details: Details) -> Response:
    if row["node_uuid"] is None:
        raise InstanceInvalidState("rebuild", row, None)
    owned = block_devices.volumes_of(ctx.session, [row["id"]])[row["id"]]
    from_volume = any(device["boot_index"] == 0 for device in owned)
    image = details["imageRef"]
    if from_volume and image and ctx.minor < versions.REBUILD_VOLUME_BACKED:
        raise BadRequest(
            f"Image {image} is unacceptable: Unable to rebuild with a different image for a "
            "volume-backed server."
        )
    if not from_volume:
        glance.check_image(ctx, image, row["flavor"])
    changes = {
        "disk_config": "MANUAL",
        **instances.columns(details),
        **{name: details[name] for name in _REBUILT if name in details},
    }
    if not from_volume:
        changes["image_ref"] = image
    if "key_name" in changes:
        name, owner = changes["key_name"], row["user_id"]
        changes["key_data"] = creation.get_key_data(ctx.session, owner, name)
    api.rebuild(ctx, row, changes)
    changed = instances.get(ctx.session, row["id"], None)
    shown = views.rebuilt_server(ctx, servers.shown(ctx, changed), row)
    shown["adminPass"] = details.get("adminPass") or randomness.token(9)
    return encode(202, {"server": shown}, ("Location", shown["links"][0]["href"]))


def _rescue(ctx: Context, row: Record, details: Details) -> Response:
    password = details.get("adminPass", randomness.token(9))
    api.rescue(ctx, row, password or randomness.token(9), details.get("rescue_image_ref"))
    return encode(200, {"adminPass": password})


def _unrescue(ctx: Context, row: Record, details: Details) -> None:
    api.unrescue(ctx, row)


def _trigger_crash_dump(ctx: Context, row: Record, details: Details) -> None:
    api.trigger_crash_dump(ctx, row)


def _force_delete(ctx: Context, row: Record, details: Details) -> None:
    api.delete(ctx, row)


def _restore(ctx: Context, row: Record, details: Details) -> None:
    """Refuse to restore a server: none is kept after it was deleted."""
    raise InstanceInvalidState("restore", row)


def _lock(ctx: Context, row: Record, details: Details) -> None:
    owner = ctx.project_id == row["project_id"]
    if row["locked_by"] is None or not owner:
        ctx.record_action(row, "lock")
        locker, reason = _OWNER if owner else _ADMIN, details.get("locked_reason")
        instances.update(ctx.session, row["id"], locked_by=locker, locked_reason=reason)


def _unlock(ctx: Context, row: Record, details: Details) -> None:
    if row["locked_by"] == _ADMIN and ctx.project_id == row["project_id"]:
        ctx.require("os-lock-server:unlock:unlock_override", row)
    ctx.record_action(row, "unlock")
    instances.update(ctx.session, row["id"], locked_by=None, locked_reason=None)


def _reset_state(ctx: Context, row: Record, details: Details) -> None:
    instances.update(ctx.session, row["id"], vm_state=details["state"], task_state=None)


def _inject_network_info(ctx: Context, row: Record, details: Details) -> None:
    """Take what Nova asks of its driver, which has nothing to do for nodes."""


def _change_group(ctx: Context, row: Record, details: Details, *, add: bool) -> None:
    neutron.change_security_group(ctx, row, details["name"], add=add)


def _add_floating_ip(ctx: Context, row: Record, details: Details) -> None:
    neutron.associate_floating_ip(ctx, row, details["address"], details.get("fixed_address"))


def _remove_floating_ip(ctx: Context, row: Record, details: Details) -> None:
    neutron.disassociate_floating_ip(ctx, row, details["address"])


_GROUP = object_schema({"name": {"type": "string", "minLength": 1}}, "name")
_REASON = {"type": "string", "minLength": 1, "maxLength": 255}
_RESCUED = object_schema({"adminPass": {"type": "string"}, "rescue_image_ref": parts.UUID})
_ADDRESS = {"address": parts.ANY_ADDRESS}
_USABLE = (instances.ACTIVE, instances.STOPPED, instances.ERROR)


def _one_of(name: str, *known: str) -> Mapping[str, Any]:
    return object_schema({name: {"type": "string", "enum": list(known)}}, name)


class ServerActions(ServerResource):
    """What is done to servers."""

    name = "server"
    actions = {
        "os-start": ServerAction("servers:start", partial(_power, "start")),
        "os-stop": ServerAction("servers:stop", partial(_power, "stop")),
        "reboot": ServerAction(
            "servers:reboot",
            _reboot,
            _one_of("type", "HARD", "Hard", "hard", "SOFT", "Soft", "soft"),
        ),
        "rebuild": ServerAction(
            "servers:rebuild", _rebuild, object_schema(schemas.REBUILT, "imageRef"), _USABLE
        ),
        "rescue": ServerAction("os-rescue", _rescue, parts.or_null(_RESCUED), _USABLE),
        "unrescue": ServerAction("os-unrescue", _unrescue, states=(instances.RESCUED,)),
        "trigger_crash_dump": ServerAction(
            "servers:trigger_crash_dump", _trigger_crash_dump, since=versions.CRASH_DUMP
        ),
        "forceDelete": ServerAction("os-deferred-delete:force", _force_delete),
        "restore": ServerAction("os-deferred-delete:restore", _restore),
        "lock": ServerAction(
            "os-lock-server:lock",
            _lock,
            Since(
                versions.LOCKED_REASON,
                parts.or_null(object_schema({"locked_reason": _REASON})),
                before={},
            ),
            while_locked=True,
        ),
        "unlock": ServerAction("os-lock-server:unlock", _unlock, while_locked=True),
        "os-resetState": ServerAction(
            "os-admin-actions:reset_state", _reset_state, _one_of("state", "active", "error")
        ),
        "injectNetworkInfo": ServerAction(
            "os-admin-actions:inject_network_info", _inject_network_info
        ),
        "addSecurityGroup": ServerAction(
            "os-security-groups:add", partial(_change_group, add=True), _GROUP, while_locked=True
        ),
        "removeSecurityGroup": ServerAction(
            "os-security-groups:remove",
            partial(_change_group, add=False),
            _GROUP,
            while_locked=True,
        ),
        "addFloatingIp": ServerAction(
            "os-floating-ips:add",
            _add_floating_ip,
            object_schema({**_ADDRESS, "fixed_address": parts.ANY_ADDRESS}, "address"),
            until=versions.NO_ADDRESS_ACTIONS,
        ),
        "removeFloatingIp": ServerAction(
            "os-floating-ips:remove",
            _remove_floating_ip,
            object_schema(_ADDRESS, "address"),
            until=versions.NO_ADDRESS_ACTIONS,
        ),
        **unsupported_actions.ACTIONS,
    }

    def act(self, ctx: Context, ident: str) -> Response:
        """Do to a server what the body names."""
        if ctx.action((*self.actions, _GONE)) == _GONE:
            removed.refuse(ctx)
        return super().act(ctx, ident)
