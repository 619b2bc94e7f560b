"""``/v1/nodes``: create, show, list, change and remove nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .. import arguments, microversions
from ..context import Context
from ..errors import RoutingError
from ..handler import expose
from ..models import nodes
from ..routing import Controller
from . import node_fields
from .lookup import find_addressed_node
from .volume import VolumeController

#: What depends on a node: controller, and the version before which the address isn't known.
_BELOW: dict[str, tuple[Callable[[str], Controller], int]] = {
    "volume": (VolumeController, 1),
}


class NodesController(Controller):
    """All nodes."""

    has_lookup = True

    @expose(node_ident=arguments.uuid_or_name, fields=arguments.string_list)
    def get_one(
        self, ctx: Context, node_ident: str, fields: list[str] | None = None
    ) -> dict[str, Any]:
        """Show a node."""
        return node_fields.show(ctx, find_addressed_node(ctx, node_ident))

    @expose(201, body="node")
    def post(self, ctx: Context, node: dict[str, Any]) -> dict[str, Any]:
        """Create a node."""
        created = nodes.create(ctx.session, {**node, "provision_state": "enroll"})
        ctx.location = ctx.link("nodes", created["uuid"])
        return node_fields.show(ctx, created)

    def lookup(
        self, ctx: Context, ident: str, *remainder: str
    ) -> tuple[Controller, Sequence[str]] | None:
        """Find the controller of what is below a node."""
        if ident in _BELOW:
            raise RoutingError(404)
        if not arguments.is_logical_name(ident) and not arguments.is_uuid(ident):
            raise RoutingError(400, f"Expected UUID or name for node: {ident}")
        below = _BELOW.get(remainder[0]) if remainder else None
        if below is None:
            return None
        controller, since = below
        if ctx.minor < since:
            raise RoutingError(404)
        return controller(ident), remainder[1:]
