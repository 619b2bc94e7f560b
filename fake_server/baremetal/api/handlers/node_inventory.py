"""``/v1/nodes/{node}/inventory``: what inspection found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.lookup import find_node
from fake_server.baremetal.api.routing import Controller
from fake_server.baremetal.models import inventories

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context


class NodeInventoryController(Controller):
    """The inventory of a node."""

    def __init__(self, node_ident: str) -> None:
        self.node_ident = node_ident

    @expose()
    def get(self, ctx: Context) -> dict[str, Any]:
        """Show the inventory and what else the ramdisk reported."""
        found = inventories.get(ctx.session, find_node(ctx, self.node_ident, "inventory:get"))
        return {"inventory": found["inventory_data"], "plugin_data": found["plugin_data"]}
