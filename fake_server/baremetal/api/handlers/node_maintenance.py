"""``/v1/nodes/{node}/maintenance``: take a node out of service, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.baremetal import arguments
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.lookup import find_node
from fake_server.baremetal.api.routing import Controller
from fake_server.baremetal.conductor.work import node_task

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context


class NodeMaintenanceController(Controller):
    """The maintenance mode of a node."""

    @expose(202, node_ident=arguments.uuid_or_name, reason=arguments.string)
    def put(self, ctx: Context, node_ident: str, reason: str | None = None) -> None:
        """Turn maintenance mode on."""
        node = find_node(ctx, node_ident, "set_maintenance")
        with node_task(ctx.session, node, load_driver=False, no_host_status=400) as task:
            task.node.update(maintenance=True, maintenance_reason=reason)
            task.save()

    @expose(202, node_ident=arguments.uuid_or_name)
    def delete(self, ctx: Context, node_ident: str) -> None:
        """Turn maintenance mode off."""
        node = find_node(ctx, node_ident, "clear_maintenance")
        with node_task(ctx.session, node, load_driver=False, no_host_status=400) as task:
            task.node["maintenance_reason"] = None
            if node["maintenance"]:
                task.node.update(maintenance=False, fault=None)
            task.save()
