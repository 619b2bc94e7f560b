"""``/v1/nodes/<node>/children``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal.api import listing
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.lookup import find_node
from fake_server.baremetal.api.routing import Controller
from fake_server.baremetal.models import nodes

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context


class NodeChildrenController(Controller):
    """The nodes that have another one as their parent.

    :param node_ident: the parent.
    """

    def __init__(self, node_ident: str) -> None:
        self.node_ident = node_ident

    @expose()
    def get_all(self, ctx: Context) -> dict[str, Any]:
        """List the UUIDs of the children."""
        uuid = find_node(ctx, self.node_ident)["uuid"]
        page = listing.page(None, "id", "asc", ())
        children = nodes.fetch(ctx.session, page, {"parent_node": uuid})
        return {
            "children": [child["uuid"] for child in children],
            "links": {"href": f"{ctx.base_url}/v1/nodes?parent_node={uuid}", "rel": "children"},
        }
