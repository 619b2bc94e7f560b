"""``/v1/nodes/{node}/management``: boot device, non-maskable interrupts and indicators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import arguments, microversions
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.lookup import find_node
from fake_server.baremetal.api.resources import open_task
from fake_server.baremetal.api.routing import Controller
from fake_server.baremetal.conductor.work import node_task
from fake_server.baremetal.errors import InvalidParameterValue, NotFound

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.api.context import Context


class BootDeviceController(Controller):
    """The boot device of a node."""

    @expose(
        204,
        policy="node:set_boot_device",
        boot_device=arguments.string,
        persistent=arguments.boolean,
    )
    def put(
        self,
        ctx: Context,
        node_ident: str,
        boot_device: str | None,
        persistent: bool | None = False,
    ) -> None:
        """Set the boot device."""
        with open_task(ctx, node_ident) as task:
            task.driver.management.validate(task)
            task.driver.management.set_boot_device(task, boot_device, persistent=persistent)

    @expose(policy="node:get_boot_device")
    def get(self, ctx: Context, node_ident: str) -> dict[str, Any]:
        """Show the boot device."""
        with open_task(ctx, node_ident) as task:
            task.driver.management.validate(task)
            return task.driver.management.boot_device(task)

    @expose(policy="node:get_boot_device", action="GET")
    def supported(self, ctx: Context, node_ident: str) -> dict[str, Any]:
        """List the boot devices that the node can have."""
        with open_task(ctx, node_ident, shared=True) as task:
            return {"supported_boot_devices": list(task.driver.management.boot_devices)}


class InjectNmiController(Controller):
    """Non-maskable interrupts."""

    @expose(204, policy="node:inject_nmi")
    def put(self, ctx: Context, node_ident: str) -> None:
        """Interrupt the node."""
        if ctx.minor < microversions.INJECT_NMI:
            raise NotFound
        with open_task(ctx, node_ident) as task:
            task.driver.management.validate(task)
            task.driver.management.inject_nmi(task)


class IndicatorController(Controller):
    """Lights on the machine, named ``indicator@component``."""

    @expose(
        204, policy="node:set_indicator_state", indicator=arguments.string, state=arguments.string
    )
    def put(self, ctx: Context, node_ident: str, indicator: str, state: str | None) -> None:
        """Switch an indicator."""
        node = find_node(ctx, node_ident)
        name, component = _split(indicator)
        with node_task(ctx.session, node) as task:
            task.driver.management.validate(task)
            task.driver.management.set_indicator(task, component, name, state)

    @expose(policy="node:get_indicator_state", indicator=arguments.string)
    def get_one(self, ctx: Context, node_ident: str, indicator: str) -> dict[str, Any]:
        """Show the state of an indicator."""
        node = find_node(ctx, node_ident)
        name, component = _split(indicator)
        with node_task(ctx.session, node) as task:
            task.driver.management.validate(task)
            return {"state": task.driver.management.indicator(task, component, name)}

    @expose(policy="node:get_indicator_state")
    def get_all(self, ctx: Context, node_ident: str, **_named: Any) -> dict[str, Any]:
        """List the indicators."""
        with open_task(ctx, node_ident, shared=True) as task:
            return {
                "indicators": [
                    _show(ctx, node_ident, component, name, described)
                    for component, known in task.driver.management.indicators(task).items()
                    for name, described in known.items()
                ]
            }


class NodeManagementController(Controller):
    """The controllers of the management of a node."""

    children = {  # noqa: RUF012
        "boot_device": BootDeviceController(),
        "inject_nmi": InjectNmiController(),
        "indicators": IndicatorController(),
    }


def _show(
    ctx: Context, node_ident: str, component: str, name: str, described: Mapping[str, Any]
) -> dict[str, Any]:
    full = f"{name}@{component}"
    return {
        "name": full,
        "component": component,
        "readonly": described["readonly"],
        "states": described["states"],
        "links": ctx.links("nodes", f"{node_ident}/management/indicators/{full}"),
    }


def _split(indicator: str) -> tuple[str, str]:
    name, at, component = indicator.partition("@")
    if not at:
        raise InvalidParameterValue(f'Malformed indicator name "{indicator}"')
    return name, component
