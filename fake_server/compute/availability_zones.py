"""Where an instance is to be built: the zone, and perhaps the host and the node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from fake_server.common.errors import BadRequest
from fake_server.compute import driver

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.compute.context import Context


class Destination(NamedTuple):
    """What a request says of it."""

    zone: str | None
    host: str | None
    node: str | None


def destination(ctx: Context, wanted: Mapping[str, Any]) -> Destination:
    """Return where a request's ``server`` is to be built.

    :raises Forbidden: if it names a host or a node, and the client may not.
    :raises BadRequest: for a zone, a host or a node that isn't there.
    """
    # A zone may name a host and a node: zone:host:node.
    parts = (wanted.get("availability_zone") or "").split(":")
    if len(parts) > 3:
        raise BadRequest("Invalid input received: Unable to parse availability_zone")
    zone, host, node = (part or None for part in (*parts, "", "")[:3])
    if host or node:
        ctx.require("servers:create:forced_host")
    elif zone not in (None, ctx.zone):
        raise BadRequest("The requested availability zone is not available")
    named = [wanted.get(name) for name in ("host", "hypervisor_hostname")]
    if any(named):
        ctx.require("compute:servers:create:requested_destination")
        if host or node:
            raise BadRequest(
                "One mechanism with host and/or hypervisor_hostname and another mechanism with "
                "zone:host:node are mutually exclusive."
            )
        host, node = named
        known = host in (None, ctx.session.host)
        if not known or (node is not None and driver.get_node(ctx.session, node) is None):
            raise BadRequest(f"Compute host {node if known else host} could not be found.")
    return Destination(zone, host, node)
