"""What routers and floating IPs have to do with the ports that they use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import Conflict
from fake_server.networking.models import items

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.db.store import Record
    from fake_server.networking.models.items import NetworkingSession

INTERFACE, GATEWAY, FLOATING = (
    "network:router_interface",
    "network:router_gateway",
    "network:floatingip",
)
#: Where a floating IP keeps what its single ports lead to.
FORWARDINGS = "port_forwardings"
#: What a floating IP has of the port that it leads to.
UNASSOCIATED = {
    "port_id": None,
    "fixed_ip_address": None,
    "router_id": None,
    "status": "DOWN",
}
_USERS = {INTERFACE: "routers", GATEWAY: "routers", FLOATING: "floatingips"}


def check_free(session: NetworkingSession, port: Mapping[str, Any]) -> None:
    """Raise Conflict if a port belongs to a router or a floating IP that there is."""
    owner = port["device_owner"]
    if owner not in _USERS or not port["fixed_ips"]:
        return
    if items.find(session, _USERS[owner], port["device_id"]) is not None:
        raise Conflict(
            f"Port {port['id']} cannot be deleted directly via the port API: has device owner "
            f"{owner}.",
            "ServicePortInUse",
        )


def router_between(session: NetworkingSession, network_id: str, subnet_id: str) -> str | None:
    """Return the router between an external network and a subnet, if there is one."""
    gateways = items.fetch(session, "ports", network_id=[network_id])
    outside = {port["device_id"] for port in gateways if port["device_owner"] == GATEWAY}
    subnet = items.need(session, "subnets", subnet_id)
    for port in items.fetch(session, "ports", network_id=[subnet["network_id"]]):
        within = any(one["subnet_id"] == subnet_id for one in port["fixed_ips"])
        if port["device_owner"] == INTERFACE and within and port["device_id"] in outside:
            return str(port["device_id"])
    return None


def disassociate(session: NetworkingSession, port_id: str) -> None:
    """Let floating IPs lead to a port no longer."""
    for floating in items.fetch(session, "floatingips"):
        if floating["port_id"] == port_id:
            items.save(session, "floatingips", floating, UNASSOCIATED)


def of_device(session: NetworkingSession, ident: str, owner: str) -> list[Record]:
    """Return the ports of a router or a floating IP.

    :param owner: what they are for it, such as :data:`INTERFACE`.
    """
    found = items.fetch(session, "ports", device_id=[ident])
    return [port for port in found if port["device_owner"] == owner]
