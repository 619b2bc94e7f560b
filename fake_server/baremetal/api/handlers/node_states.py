"""``/v1/nodes/{node}/states``: provision state, power, RAID, boot mode, console; maintenance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import arguments, errors, microversions, states
from fake_server.baremetal.api import provision
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.lookup import find_node
from fake_server.baremetal.api.resources import open_task
from fake_server.baremetal.api.routing import Controller
from fake_server.baremetal.conductor import console, management
from fake_server.baremetal.conductor.work import node_task
from fake_server.baremetal.fields import timestamp

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context

_BOOT_MODES = ("bios", "uefi")
_FIELDS = (
    "console_enabled",
    "last_error",
    "power_state",
    "provision_state",
    "target_power_state",
    "target_provision_state",
    "provision_updated_at",
)


class NodeConsoleController(Controller):
    """The console of a node."""

    @expose(policy="node:get_console")
    def get(self, ctx: Context, node_ident: str) -> dict[str, Any]:
        """Show whether the console is on, and how to get at it."""
        node = find_node(ctx, node_ident)
        try:
            with node_task(ctx.session, node, shared=True) as task:
                if not node["console_enabled"]:
                    raise errors.NodeConsoleNotEnabled(node=node["uuid"])
                task.driver.console.validate(task)
                found = task.driver.console.access(task)
        except errors.NodeConsoleNotEnabled:
            return {"console_enabled": False, "console_info": None}
        return {"console_enabled": True, "console_info": found}

    @expose(202, policy="node:set_console_state", enabled=arguments.boolean)
    def put(self, ctx: Context, node_ident: str, enabled: bool | None) -> None:
        """Start or stop the console."""
        with open_task(ctx, node_ident, shared=True) as task:
            console.request(task, enabled)
        ctx.location = ctx.link("nodes", f"{node_ident}/states/console")


class NodeMaintenanceController(Controller):
    """The maintenance mode of a node."""

    @expose(202, policy="node:set_maintenance", reason=arguments.string)
    def put(self, ctx: Context, node_ident: str, reason: str | None = None) -> None:
        """Turn maintenance mode on."""
        with open_task(ctx, node_ident, load_driver=False, no_host_status=400) as task:
            task.node.update(maintenance=True, maintenance_reason=reason)
            task.save()

    @expose(202, policy="node:clear_maintenance")
    def delete(self, ctx: Context, node_ident: str) -> None:
        """Turn maintenance mode off."""
        with open_task(ctx, node_ident, load_driver=False, no_host_status=400) as task:
            task.node["maintenance_reason"] = None
            if task.node["maintenance"]:
                task.node.update(maintenance=False, fault=None)
            task.save()


class NodeStatesController(Controller):
    """The states of a node."""

    children = {"console": NodeConsoleController()}  # noqa: RUF012

    @expose(policy="node:get_states")
    def get(self, ctx: Context, node_ident: str) -> dict[str, Any]:
        """Show the states."""
        node = find_node(ctx, node_ident)
        shown = {name: node[name] for name in _FIELDS}
        shown["provision_updated_at"] = timestamp(node["provision_updated_at"])
        if ctx.minor >= microversions.RAID:
            shown.update({name: node[name] or {} for name in ("raid_config", "target_raid_config")})
        if ctx.minor >= microversions.BOOT_MODE:
            shown.update({name: node[name] for name in ("boot_mode", "secure_boot")})
        state = node["provision_state"]
        if state == states.AVAILABLE and ctx.minor < microversions.AVAILABLE_STATE:
            shown["provision_state"] = None
        elif state == states.INSPECTWAIT and ctx.minor < microversions.INSPECT_WAIT:
            shown["provision_state"] = states.INSPECTING
        return shown

    @expose(
        204,
        policy="node:set_raid_state",
        action="PUT",
        body="target_raid_config",
        target_raid_config=arguments.types(dict),
    )
    def raid(self, ctx: Context, node_ident: str, target_raid_config: dict[str, Any]) -> None:
        """Set the RAID configuration that cleaning is to build."""
        node = find_node(ctx, node_ident)
        ctx.require(microversions.RAID)
        try:
            with node_task(ctx.session, node) as task:
                if target_raid_config:
                    task.driver.raid.check_configuration(task, target_raid_config)
                task.node["target_raid_config"] = target_raid_config
                task.save()
        except errors.UnsupportedDriverExtension as exc:
            raise exc.with_code(404) from None

    @expose(
        202,
        policy="node:set_power_state",
        action="PUT",
        target=arguments.string,
        timeout=arguments.integer,
    )
    def power(
        self, ctx: Context, node_ident: str, target: str | None, timeout: int | None = None
    ) -> None:
        """Turn the node on or off."""
        node = find_node(ctx, node_ident)
        if timeout or target in (states.SOFT_REBOOT, states.SOFT_POWER_OFF):
            ctx.require(microversions.SOFT_POWER)
        if timeout is not None and timeout < 1:
            raise errors.Invalid("timeout has to be positive integer")
        if target not in states.POWER_TARGETS:
            raise errors.InvalidStateRequested(
                action=target, node=node_ident, state=node["power_state"]
            )
        if node["provision_state"] in (states.CLEANWAIT, states.CLEANING):
            raise errors.InvalidStateRequested(
                action=target, node=node_ident, state=node["provision_state"]
            )
        if target in (states.POWER_OFF, states.SOFT_POWER_OFF) and node["disable_power_off"]:
            raise errors.PowerStateFailure(pstate=target)
        with node_task(ctx.session, node) as task:
            management.request_power(task, str(target))
        ctx.location = ctx.link("nodes", f"{node_ident}/states")

    @expose(202, policy="node:set_boot_mode", action="PUT", target=arguments.string)
    def boot_mode(self, ctx: Context, node_ident: str, target: str | None) -> None:
        """Set the boot mode."""
        node = find_node(ctx, node_ident)
        _check_boot_mode_version(ctx)
        if target not in _BOOT_MODES:
            raise errors.InvalidParameterValue(
                f"Invalid boot mode {target} requested for node. Allowed boot modes are: "
                f"{', '.join(_BOOT_MODES)}"
            )
        _check_settled(node)
        with node_task(ctx.session, node) as task:
            management.request(task, "node_change_boot_mode", mode=str(target))
        ctx.location = ctx.link("nodes", f"{node_ident}/states")

    @expose(202, policy="node:set_secure_boot", action="PUT", target=arguments.boolean)
    def secure_boot(self, ctx: Context, node_ident: str, target: bool | None) -> None:
        """Turn secure boot on or off."""
        node = find_node(ctx, node_ident)
        _check_boot_mode_version(ctx)
        if target is None:
            raise errors.InvalidParameterValue(
                f"Invalid secure_boot {target} requested for node. Allowed secure_boot states are: "
                "True, False) "
            )
        _check_settled(node)
        with node_task(ctx.session, node) as task:
            management.request(task, "node_change_secure_boot", wanted=target)
        ctx.location = ctx.link("nodes", f"{node_ident}/states")

    @expose(
        202,
        policy="node:set_provision_state",
        action="PUT",
        target=arguments.string,
        configdrive=arguments.types(type(None), dict, str),
        clean_steps=arguments.types(type(None), list),
        deploy_steps=arguments.types(type(None), list),
        rescue_password=arguments.string,
        disable_ramdisk=arguments.boolean,
        service_steps=arguments.types(type(None), list),
        runbook=arguments.types(type(None), str),
    )
    def provision(self, ctx: Context, node_ident: str, target: str | None, **more: Any) -> None:
        """Start what leads the node to another provision state."""
        request = provision.ProvisionRequest(target, **more)
        provision.carry_out(ctx, find_node(ctx, node_ident), request)
        ctx.location = ctx.link("nodes", f"{node_ident}/states")


def _check_boot_mode_version(ctx: Context) -> None:
    if ctx.minor < microversions.BOOT_MODE_CHANGE:
        raise errors.NotFound(
            "This endpoint is supported starting with the API version "
            f"1.{microversions.BOOT_MODE_CHANGE}"
        )


def _check_settled(node: dict[str, Any]) -> None:
    if node["provision_state"] in states.UNSTABLE:
        raise errors.Conflict(
            "Node is in %(state)s state. Since node is transitioning, the boot mode will not be "
            "set as this may interfere with ongoing changes and result in erroneous modification. "
            "Try again later."
        )
