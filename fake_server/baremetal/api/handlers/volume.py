"""``/v1/volume``, also below a node: the links to connectors and targets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import microversions
from fake_server.baremetal.api import permissions
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.handlers.spec_volume import (
    SpecConnectorsController,
    SpecTargetsController,
)
from fake_server.baremetal.api.handlers.volume_items import (
    VolumeConnectorsController,
    VolumeTargetsController,
)
from fake_server.baremetal.api.routing import Controller
from fake_server.baremetal.errors import RoutingError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_server.baremetal.api.context import Context
    from fake_server.baremetal.api.handlers.volume_items import VolumeItems

#: Controllers by dialect and segment.
_BELOW: dict[str, dict[str, type[VolumeItems]]] = {
    "released": {"connectors": VolumeConnectorsController, "targets": VolumeTargetsController},
    "documented": {"connectors": SpecConnectorsController, "targets": SpecTargetsController},
}


class VolumeController(Controller):
    """The root of volume resources.

    :param node_ident: the node it was addressed below.
    """

    has_lookup = True

    def __init__(self, node_ident: str | None = None) -> None:
        self.node_ident = node_ident

    @expose(since=microversions.VOLUME)
    def get(self, ctx: Context) -> dict[str, Any]:
        """Show the links."""
        permissions.check(ctx, "baremetal:volume:get")
        resource, start = "volume", ""
        if self.node_ident is not None:
            resource, start = "nodes", f"{self.node_ident}/volume/"
        return {
            "links": ctx.links(resource, start),
            "connectors": ctx.links(resource, f"{start}connectors"),
            "targets": ctx.links(resource, f"{start}targets"),
        }

    def lookup(
        self, ctx: Context, ident: str, *remainder: str
    ) -> tuple[Controller, Sequence[str]] | None:
        """Find the controller of connectors or targets."""
        if ctx.minor < microversions.VOLUME:
            raise RoutingError(ctx.session.dialect.hidden_status)
        controller = _BELOW[ctx.session.dialect.volume_lists].get(ident)
        return (controller(self.node_ident), remainder) if controller else None
