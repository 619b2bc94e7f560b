"""Routers: their gateways, their interfaces in subnets, and their routes."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Any, NoReturn

from fake_server.common.errors import BadRequest, Conflict, NotFound
from fake_server.networking.errors import Missing, PortInUse
from fake_server.networking.models import allocations, attachments, items, ports, rbac
from fake_server.networking.models.attachments import GATEWAY, INTERFACE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.db.store import Record
    from fake_server.networking.models.items import NetworkingSession

_KIND = "routers"
_INFO = "external_gateway_info"
_SWITCHES = ("ha", "distributed")


def create(session: NetworkingSession, values: Mapping[str, Any]) -> Record:
    """Create a router and return it; raise what keeps it from being one."""
    if values["flavor_id"] is not None:
        raise Missing("Flavor", values["flavor_id"])
    switches = {name: bool(values[name]) for name in _SWITCHES}
    new = {**values, **switches, _INFO: None, "status": "ACTIVE"}
    new |= {"routes": [], "availability_zones": []}
    router = items.add(session, _KIND, new, revision=1)
    info = _set_gateway(session, router, values[_INFO])
    return items.save(session, _KIND, router, {_INFO: info}) if info else router


def update(session: NetworkingSession, router: Record, changes: Mapping[str, Any]) -> Record:
    """Change a router and return it; raise what keeps it as it is."""
    changes = dict(changes)
    for name in _SWITCHES:
        if name in changes:
            changes[name] = bool(changes[name])
            if changes[name] != router[name] and router["admin_state_up"]:
                _refuse(_MIGRATIONS[name])
    if _INFO in changes:
        changes[_INFO] = _set_gateway(session, router, changes[_INFO])
    if "routes" in changes:
        _check_routes(session, router, changes["routes"])
    return items.save(session, _KIND, router, changes)


def delete(session: NetworkingSession, router: Record) -> None:
    """Remove a router with its gateway; raise Conflict if it has interfaces."""
    attached = [port["id"] for port in attachments.of_device(session, router["id"], INTERFACE)]
    if attached:
        raise Conflict(
            f"Router {router['id']} has ports still attached: {', '.join(attached)}",
            "RouterInUse",
        )
    _set_gateway(session, router, {})
    items.remove(session, _KIND, router["id"])


def complete(session: NetworkingSession, rows: Sequence[Record]) -> list[Record]:
    """Return routers with the addresses of their gateways."""
    found = []
    for row in rows:
        info = row[_INFO]
        if info:
            (port,) = attachments.of_device(session, row["id"], GATEWAY)
            info = {**info, "external_fixed_ips": port["fixed_ips"]}
        found.append({**row, _INFO: info})
    return found


def add_subnet(session: NetworkingSession, router: Record, subnet: Record) -> Record:
    """Let a router have the gateway's address of a subnet; return the port that has it."""
    if subnet["gateway_ip"] is None:
        _refuse("Subnet for router interface must have a gateway IP")
    _check_subnets(session, router, [subnet])
    wanted = {"subnet_id": subnet["id"], "ip_address": subnet["gateway_ip"]}
    for port in attachments.of_device(session, router["id"], INTERFACE):
        same = port["network_id"] == subnet["network_id"]
        if same and subnet["ip_version"] == 6 and _is_of_ipv6(port):
            return ports.update(session, port, {"fixed_ips": [*port["fixed_ips"], wanted]})
    items.touch(session, _KIND, router["id"])
    return ports.add_of_device(
        session,
        subnet["network_id"],
        project_id=router["project_id"],
        device_id=router["id"],
        device_owner=INTERFACE,
        fixed_ips=[wanted],
    )


def add_port(session: NetworkingSession, router: Record, port: Record) -> Record:
    """Let a port be an interface of a router, and return it."""
    if port["device_id"]:
        raise PortInUse(port)
    if not port["fixed_ips"]:
        _refuse("Router port must have at least one fixed IP")
    found = [items.need(session, "subnets", one["subnet_id"]) for one in port["fixed_ips"]]
    if sum(subnet["ip_version"] == 4 for subnet in found) > 1:
        _refuse("Cannot have multiple IPv4 subnets on router port")
    _check_subnets(session, router, found)
    items.touch(session, _KIND, router["id"])
    changes = {"device_id": router["id"], "device_owner": INTERFACE}
    return ports.update(session, port, changes)


def remove_interface(
    session: NetworkingSession, router: Record, port_id: str | None, subnet_id: str | None
) -> tuple[Record, list[str]]:
    """Remove an interface of a router; return its port and the subnets that it was in.

    :param port_id: the port, or ``None`` for the one in the subnet.
    """
    attached = attachments.of_device(session, router["id"], INTERFACE)
    if port_id is not None:
        port = next((port for port in attached if port["id"] == port_id), None)
        if port is None:
            raise NotFound(
                f"Router {router['id']} does not have an interface with id {port_id}",
                "RouterInterfaceNotFound",
            )
        subnets = _subnets_of(port)
        if subnet_id is not None and subnet_id not in subnets:
            raise BadRequest(
                f"Subnet on port {port_id} does not match the requested subnet {subnet_id}.",
                "SubnetMismatchForPort",
            )
        gone = subnets
    else:
        items.need(session, "subnets", str(subnet_id))
        port = next((port for port in attached if subnet_id in _subnets_of(port)), None)
        if port is None:
            raise NotFound(
                f"Router {router['id']} has no interface on subnet {subnet_id}",
                "RouterInterfaceNotFoundForSubnet",
            )
        gone = [str(subnet_id)]
    items.touch(session, _KIND, router["id"])
    for ident in gone:
        _check_unneeded(session, router, ident)
    left = [one for one in port["fixed_ips"] if one["subnet_id"] not in gone]
    if left:
        ports.update(session, port, {"fixed_ips": left})
    else:
        items.remove(session, "ports", port["id"])
    return port, gone


def change_routes(
    session: NetworkingSession, router: Record, wanted: Sequence[Record], *, add: bool
) -> Record:
    """Add routes to a router, or remove those of them that it has; return it."""
    routes = [one for one in router["routes"] if add or one not in wanted]
    routes += [one for one in wanted if add and one not in routes]
    return update(session, router, {"routes": routes})


_MIGRATIONS = {
    "ha": "Cannot change HA attribute of active routers. Please set router admin_state_up to "
    "False prior to upgrade",
    "distributed": "Cannot upgrade active router to distributed. Please set router "
    "admin_state_up to False prior to upgrade",
}


def _set_gateway(
    session: NetworkingSession, router: Record, info: Mapping[str, Any]
) -> Record | None:
    """Give a router a gateway, or none; return what is kept of it."""
    current = next(iter(attachments.of_device(session, router["id"], GATEWAY)), None)
    network_id = info.get("network_id")
    if network_id is not None:
        network = items.need(session, "networks", network_id)
        if not rbac.reaches(session, network, router["project_id"], rbac.EXTERNAL):
            _refuse(f"Network {network_id} is not an external network")
    kept = {"network_id": network_id, "enable_snat": info.get("enable_snat", True)}
    wanted = info.get("external_fixed_ips")
    if current is not None and network_id == current["network_id"]:
        if wanted:
            ports.update(session, current, {"fixed_ips": wanted})
        return kept
    if current is not None:
        if any(one["router_id"] == router["id"] for one in items.fetch(session, "floatingips")):
            raise Conflict(
                f"Gateway cannot be updated for router {router['id']}, since a gateway to external "
                f"network {current['network_id']} is required by one or more floating IPs.",
                "RouterExternalGatewayInUseByFloatingIp",
            )
        items.remove(session, "ports", current["id"])
        items.touch(session, _KIND, router["id"])
        router["revision_number"] += 1
    if network_id is None:
        return None
    ports.add_of_device(
        session,
        network_id,
        project_id="",
        device_id=router["id"],
        device_owner=GATEWAY,
        fixed_ips=wanted or None,
    )
    return kept


def _check_subnets(
    session: NetworkingSession, router: Record, wanted: Sequence[Mapping[str, Any]]
) -> None:
    """Raise BadRequest if a router can't be in subnets because of those in which it is."""
    for port in items.fetch(session, "ports", device_id=[router["id"]]):
        for ident in _subnets_of(port):
            other = items.need(session, "subnets", ident)
            for subnet in wanted:
                if ident == subnet["id"]:
                    _refuse(f"Router already has a port on subnet {ident}")
                if ip_network(subnet["cidr"]).overlaps(ip_network(other["cidr"])):
                    _refuse(
                        f"Cidr {subnet['cidr']} of subnet {subnet['id']} overlaps with cidr "
                        f"{other['cidr']} of subnet {ident}"
                    )


def _check_unneeded(session: NetworkingSession, router: Record, subnet_id: str) -> None:
    """Raise Conflict if routes or floating IPs need the interface in a subnet."""
    subnet = items.need(session, "subnets", subnet_id)
    text = (
        f"Router interface for subnet {subnet_id} on router {router['id']} cannot be deleted, as "
        "it is required by one or more {}."
    )
    network = ip_network(subnet["cidr"])
    if any(ip_address(route["nexthop"]) in network for route in router["routes"]):
        raise Conflict(text.format("routes"), "RouterInterfaceInUseByRoute")
    for floating in items.fetch(session, "floatingips"):
        forwarded = [one["internal_port_id"] for one in floating[attachments.FORWARDINGS]]
        if floating["router_id"] == router["id"] and any(
            allocations.has(session, subnet_id, port_id)
            for port_id in (floating["port_id"], *forwarded)
        ):
            raise Conflict(text.format("floating IPs"), "RouterInterfaceInUseByFloatingIP")


def _check_routes(session: NetworkingSession, router: Record, routes: Sequence[Record]) -> None:
    """Raise BadRequest if a router can't reach the next hop of a route, or is it."""
    own = items.fetch(session, "ports", device_id=[router["id"]])
    fixed = [one for port in own for one in port["fixed_ips"]]
    networks = [
        ip_network(items.need(session, "subnets", one["subnet_id"])["cidr"]) for one in fixed
    ]
    for route in routes:
        hop = ip_address(route["nexthop"])
        reason = "the nexthop is not connected with router"
        if any(hop in network for network in networks):
            reason = ""
        if any(hop == ip_address(one["ip_address"]) for one in fixed):
            reason = "the nexthop is used by router"
        if reason:
            raise BadRequest(f"Invalid format for routes: {routes}, {reason}", "InvalidRoutes")


def _subnets_of(port: Mapping[str, Any]) -> list[str]:
    return [one["subnet_id"] for one in port["fixed_ips"]]


def _is_of_ipv6(port: Mapping[str, Any]) -> bool:
    return all(":" in one["ip_address"] for one in port["fixed_ips"])


def _refuse(reason: str) -> NoReturn:
    raise BadRequest(f"Bad router request: {reason}.", "BadRequest")
