"""Subnets."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, Conflict
from fake_server.networking.attributes import UNSET
from fake_server.networking.errors import InvalidInput
from fake_server.networking.models import allocations, items, ports, segments, subnetpools
from fake_server.networking.models.attachments import INTERFACE

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from fake_server.db.store import Record
    from fake_server.networking.models.items import NetworkingSession

_Network = IPv4Network | IPv6Network
_MODES = ("ipv6_ra_mode", "ipv6_address_mode")
#: What Neutron keeps apart from subnets: changing it makes no revision.
_APART = {"allocation_pools", "dns_nameservers", "host_routes"}
#: The smallest packets that networks have to carry, by version.
_LEAST_MTU = {4: 68, 6: 1280}
#: Prefixes that leave too few addresses for a DHCP server, by version.
_TOO_LONG = {4: 31, 6: 127}


def create(session: NetworkingSession, values: Mapping[str, Any]) -> Record:
    """Create a subnet and return it; raise what keeps it from being one."""
    values = dict(values)
    others = items.fetch(session, "subnets", network_id=[values["network_id"]])
    pool = _pool(session, values)
    if values["cidr"] is not None and values["prefixlen"] is not None:
        raise BadRequest(
            "Bad subnets request: cidr and prefixlen must not be supplied together.", "BadRequest"
        )
    if pool is not None:
        values["subnetpool_id"] = pool["id"]
        values["cidr"] = subnetpools.take(session, pool, values)
    elif values["cidr"] is None:
        raise BadRequest(
            "Bad subnets request: a subnetpool must be specified in the absence of a cidr.",
            "BadRequest",
        )
    del values["prefixlen"]
    network = ip_network(values["cidr"])
    if values["gateway_ip"] == UNSET:
        gateway = _default_gateway(network)
        values["gateway_ip"] = gateway if pool is None else str(network[0] + 1)
    _check_version(values, network)
    if values["enable_dhcp"]:
        _check_dhcp(network)
    if network.prefixlen == 0:
        raise InvalidInput("0 is not allowed as CIDR prefix length")
    _check_modes(values, network)
    _check_gateway(values["gateway_ip"], network)
    check_mtu(items.need(session, "networks", values["network_id"]), [values["ip_version"]])
    if not values["allocation_pools"]:
        values["allocation_pools"] = _default_pools(network, values["gateway_ip"])
    else:
        values["allocation_pools"] = _sorted(values["allocation_pools"])
        _check_pools(values["allocation_pools"], network)
        _check_conflict(values["gateway_ip"], values["allocation_pools"])
    same = [one for one in others if one["ip_version"] == values["ip_version"]]
    if any(one["subnetpool_id"] != values["subnetpool_id"] for one in same):
        raise BadRequest(
            "Subnets hosted on the same network must be allocated from the same subnet pool.",
            "NetworkSubnetPoolAffinityError",
        )
    if any(network.overlaps(ip_network(other["cidr"])) for other in others):
        raise InvalidInput(
            f"Requested subnet with cidr: {network} for network: {values['network_id']} overlaps "
            "with another subnet"
        )
    segments.check_subnet(session, values["network_id"], values["segment_id"], others)
    subnet = items.add(session, "subnets", values)
    items.touch(session, "networks", subnet["network_id"])
    if allocations.is_automatic(subnet):
        for port in items.fetch(session, "ports", network_id=[subnet["network_id"]]):
            ports.update(session, port, {"fixed_ips": port["fixed_ips"]})
    return subnet


def _pool(session: NetworkingSession, values: Record) -> Record | None:
    """Return the subnet pool that the attributes of a new subnet ask for, or ``None``."""
    if values.pop("use_default_subnetpool"):
        return subnetpools.default(session, values["ip_version"], values["project_id"])
    if values["subnetpool_id"] is None:
        return None
    return items.need(session, "subnetpools", values["subnetpool_id"])


def update(session: NetworkingSession, subnet: Record, changes: Mapping[str, Any]) -> Record:
    """Change a subnet and return it."""
    changes = dict(changes)
    wanted = {**subnet, **changes}
    network = ip_network(subnet["cidr"])
    if changes.get("enable_dhcp"):
        _check_dhcp(network)
    if "gateway_ip" in changes:
        _check_version(wanted, network)
        _check_gateway(wanted["gateway_ip"], network)
    if "allocation_pools" in changes:
        wanted["allocation_pools"] = changes["allocation_pools"] = _sorted(
            changes["allocation_pools"]
        )
        _check_pools(wanted["allocation_pools"], network)
    if {"gateway_ip", "allocation_pools"} & set(changes):
        _check_conflict(wanted["gateway_ip"], wanted["allocation_pools"])
    if changes.get("segment_id", subnet["segment_id"]) != subnet["segment_id"]:
        if subnet["segment_id"] is not None:
            raise BadRequest(
                "A subnet that is already associated with a segment cannot have its segment "
                "association changed.",
                "SubnetSegmentAssociationChangeNotAllowed",
            )
        others = items.fetch(session, "subnets", network_id=[subnet["network_id"]])
        others = [other for other in others if other["id"] != subnet["id"]]
        segments.check_subnet(session, subnet["network_id"], changes["segment_id"], others)
    bump = not set(changes) <= _APART
    changed = items.save(session, "subnets", subnet, changes, bump=bump)
    if changed["revision_number"] != subnet["revision_number"]:
        items.touch(session, "networks", subnet["network_id"])
    return changed


def delete(session: NetworkingSession, subnet: Record) -> None:
    """Remove a subnet; raise Conflict if ports other than those of DHCP have its addresses."""
    found = items.fetch(session, "ports", network_id=[subnet["network_id"]])
    using = [
        port
        for port in found
        if any(fixed["subnet_id"] == subnet["id"] for fixed in port["fixed_ips"])
    ]
    automatic = allocations.is_automatic(subnet)
    if any(
        port["device_owner"] == INTERFACE if automatic else port["device_owner"] != ports.DHCP
        for port in using
    ):
        raise Conflict(
            f"Unable to complete operation on subnet {subnet['id']}: One or more ports have an IP "
            "allocation from this subnet.",
            "SubnetInUse",
        )
    for port in using:
        left = [one for one in port["fixed_ips"] if one["subnet_id"] != subnet["id"]]
        allocations.replace(session, port, left)
        items.save(session, "ports", port, {"fixed_ips": left})
    items.remove(session, "subnets", subnet["id"])
    items.touch(session, "networks", subnet["network_id"])


def complete(session: NetworkingSession, rows: Sequence[Record]) -> list[Record]:
    """Return subnets with what they have of their networks."""
    idents = list({row["network_id"] for row in rows})
    networks = {one["id"]: one for one in items.fetch(session, "networks", id=idents)}
    names = ("router:external", "shared")
    return [{**row, **{name: networks[row["network_id"]][name] for name in names}} for row in rows]


def check_mtu(network: Mapping[str, Any], versions: Collection[int]) -> None:
    """Raise Conflict if a network is too narrow for subnets of versions of IP."""
    mtu = network["mtu"]
    least = max((_LEAST_MTU[version] for version in versions), default=0)
    if mtu < least:
        least = _LEAST_MTU[4] if mtu < _LEAST_MTU[4] else least
        raise Conflict(
            f"MTU of {network['id']} is not valid, subnet requires a minimum of {least}",
            "NetworkMTUSubnetConflict",
        )


def _check_modes(values: Mapping[str, Any], network: _Network) -> None:
    """Raise an error if hosts can't get their addresses as a subnet says."""
    found = [values[name] for name in _MODES if values[name] is not None]
    if found and not values["enable_dhcp"]:
        raise InvalidInput(
            "ipv6_ra_mode or ipv6_address_mode cannot be set when enable_dhcp is set to False"
        )
    if len(set(found)) > 1:
        raise InvalidInput(
            f"ipv6_ra_mode set to '{found[0]}' with ipv6_address_mode set to '{found[1]}' is not "
            "valid. If both attributes are set, they must be the same value"
        )
    if values["ipv6_address_mode"] in ("slaac", "dhcpv6-stateless") and network.prefixlen != 64:
        raise InvalidInput(
            f"Invalid CIDR {network} for IPv6 address mode. OpenStack uses the EUI-64 address "
            "format, which requires the prefix to be /64"
        )


def _sorted(pools: Sequence[Record]) -> list[Record]:
    return sorted(pools, key=lambda pool: int(ip_address(pool["start"])))


def _check_version(values: Mapping[str, Any], network: _Network) -> None:
    version = values["ip_version"]
    gateway = values["gateway_ip"]
    for name, found in (("cidr", network), ("gateway_ip", gateway and ip_address(gateway))):
        if found and found.version != version:
            raise InvalidInput(f"{name} '{found}' does not match the ip_version '{version}'")
    for name in _MODES:
        if values[name] is not None and version == 4:
            raise InvalidInput(f"{name} is not valid when ip_version is 4")


def _check_dhcp(network: _Network) -> None:
    if network.prefixlen >= _TOO_LONG[network.version]:
        raise InvalidInput(
            "Subnet has a prefix length that is incompatible with DHCP service enabled"
        )
    if network.is_multicast or network.is_loopback:
        kind = "Multicast" if network.is_multicast else "Loopback"
        raise InvalidInput(f"{kind} IP subnet is not supported if enable_dhcp is True")
    if int(network[0]) == 0:
        raise InvalidInput(
            f"First IP '{network[0]}' of network is not supported if enable_dhcp is True."
        )


def _check_gateway(gateway: str | None, network: _Network) -> None:
    if gateway is None or network.version == 6 or network.num_addresses < 4:
        return
    if ip_address(gateway) in (network[0], network[-1]):
        raise InvalidInput("Gateway is not valid on subnet")


def _check_pools(pools: Sequence[Record], network: _Network) -> None:
    ranges: list[tuple[int, int, str]] = []
    for pool in pools:
        start, end = ip_address(pool["start"]), ip_address(pool["end"])
        shown = f"{start}-{end}"
        if start.version != network.version or end.version != network.version:
            raise BadRequest(f"The allocation pool {shown} is not valid.", "InvalidAllocationPool")
        if int(start) > int(end):
            raise BadRequest(f"The allocation pool {pool} is not valid.", "InvalidAllocationPool")
        edges = (network[0], network[-1]) if network.version == 4 < network.num_addresses else ()
        if not (start in network and end in network) or start in edges or end in edges:
            raise BadRequest(
                f"The allocation pool {shown} spans beyond the subnet cidr {network}.",
                "OutOfBoundsAllocationPool",
            )
        ranges.append((int(start), int(end), shown))
    for one, other in pairwise(sorted(ranges)):
        if other[0] <= one[1]:
            raise Conflict(
                f"Found overlapping allocation pools: {one[2]} {other[2]} for subnet {network}.",
                "OverlappingAllocationPools",
            )


def _check_conflict(gateway: str | None, pools: Sequence[Record]) -> None:
    for pool in pools:
        if gateway is not None and allocations.holds(pool, gateway):
            raise Conflict(
                f"Gateway ip {gateway} conflicts with allocation pool "
                f"{pool['start']}-{pool['end']}.",
                "GatewayConflictWithAllocationPools",
            )


def _default_gateway(network: _Network) -> str | None:
    if network.version == 6:
        return str(network[0])
    gateway = network[0] + 1
    if network.num_addresses == 2:
        raise Conflict(
            f"Gateway IP {gateway} cannot be the network or broadcast IP address {network}",
            "IpamValueInvalid",
        )
    return str(gateway)


def _default_pools(network: _Network, gateway: str | None) -> list[Record]:
    """Return ranges of all addresses of machines but that of the gateway."""
    first, last = int(network[0]), int(network[-1])
    if network.num_addresses > 2:
        first += 1
        last -= network.version == 4
    ranges = [(first, last)]
    if gateway is not None and first <= int(ip_address(gateway)) <= last:
        own = int(ip_address(gateway))
        ranges = [(first, own - 1), (own + 1, last)]
    kind = type(network[0])
    return [
        {"start": str(kind(start)), "end": str(kind(end))} for start, end in ranges if start <= end
    ]
