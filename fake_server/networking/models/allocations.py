"""The addresses of ports: taken from the subnets of their network, each by one port."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.common.errors import BadRequest, Conflict
from fake_server.db.store import DuplicateError
from fake_server.networking.errors import InvalidInput, Missing
from fake_server.networking.models import items, segments
from fake_server.networking.models.attachments import INTERFACE
from fake_server.networking.tables import allocations

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from fake_server.db.store import Record
    from fake_server.networking.models.items import NetworkingSession

#: How many addresses of a pool are looked at.
_MOST = 65536


def choose(
    session: NetworkingSession,
    port: Mapping[str, Any],
    wanted: Sequence[Mapping[str, Any]] | None,
    current: Sequence[Record] = (),
) -> list[Record]:
    """Return the addresses of a port.

    :param port: its network, MAC address, owner and host, which has to be connected to the subnets.
    :param wanted: addresses, subnets or both; ``None`` for one of each version of the subnets.
    :param current: those that the port has.
    """
    network_id = port["network_id"]
    host = port["binding:host_id"] or ""
    subnets = segments.reachable(session, network_id, "" if wanted == [] else host)
    own = {} if port["device_owner"] == INTERFACE else _automatic(subnets, port["mac_address"])
    added = [{"subnet_id": ident, "ip_address": address} for ident, address in own.items()]
    chosen: list[Record] = []
    if wanted is not None:
        for one in wanted:
            if _is_automatic(subnets, own, one):
                continue
            kept = [have for have in current if have not in chosen]
            chosen.append(_wanted(session, network_id, subnets, one, chosen, kept))
        used = {one["subnet_id"] for one in chosen}
        if len({one["segment_id"] for one in subnets if one["id"] in used}) > 1:
            raise BadRequest(
                "Cannot allocate addresses from different segments.",
                "FixedIpsSubnetsNotOnSameSegment",
            )
        return chosen + added
    subnets = [subnet for subnet in subnets if subnet["id"] not in own]
    # Those for ports of an owner are for no others, and come first for these.
    meant = [one for one in subnets if port["device_owner"] in one["service_types"]]
    subnets = meant or [one for one in subnets if not one["service_types"]]
    for version in sorted({subnet["ip_version"] for subnet in subnets}):
        same = [subnet for subnet in subnets if subnet["ip_version"] == version]
        found = [one for one in (_free(session, subnet, ()) for subnet in same) if one]
        if not found:
            raise _used_up(network_id)
        chosen.append(found[0])
    return chosen + added


def is_automatic(subnet: Mapping[str, Any]) -> bool:
    """Return whether ports choose their addresses of a subnet by their MAC addresses."""
    return subnet["ipv6_address_mode"] in ("slaac", "dhcpv6-stateless")


def replace(session: NetworkingSession, port: Record, chosen: Sequence[Record]) -> None:
    """Let a port have these addresses and no others; raise Conflict if one is another's."""
    session.tx.remove(allocations, port_id=port["id"])
    for one in chosen:
        try:
            session.tx.insert(allocations, {**one, "port_id": port["id"]})
        except DuplicateError:
            raise Conflict(
                f"IP address {one['ip_address']} already allocated in subnet {one['subnet_id']}",
                "IpAddressAlreadyAllocated",
            ) from None


def has(session: NetworkingSession, subnet_id: str, port_id: str) -> bool:
    """Return whether a port has an address of a subnet."""
    found = session.tx.rows(allocations, "number", subnet_id=subnet_id, port_id=port_id)
    return bool(list(found))


def holds(pool: Mapping[str, Any], address: str) -> bool:
    """Return whether an address is in a pool."""
    start, end = ip_address(pool["start"]), ip_address(pool["end"])
    return int(start) <= int(ip_address(address)) <= int(end)


def chosen_by_service(session: NetworkingSession, port: Mapping[str, Any]) -> list[Record]:
    """Return the addresses of a port that don't follow from its MAC address."""
    subnets = items.fetch(session, "subnets", network_id=[port["network_id"]])
    automatic = {subnet["id"] for subnet in subnets if is_automatic(subnet)}
    return [one for one in port["fixed_ips"] if one["subnet_id"] not in automatic]


def _automatic(subnets: Sequence[Mapping[str, Any]], mac: str) -> dict[str, str]:
    """Return the address that a port chooses in each subnet that leaves it to the ports."""
    digits = bytes.fromhex(mac.replace(":", ""))
    # As RFC 4291 makes it from a MAC address.
    ending = bytes([digits[0] ^ 2, *digits[1:3], 0xFF, 0xFE, *digits[3:]])
    return {
        subnet["id"]: str(ip_network(subnet["cidr"])[int.from_bytes(ending)])
        for subnet in subnets
        if is_automatic(subnet)
    }


def _is_automatic(
    subnets: Sequence[Mapping[str, Any]], own: Mapping[str, str], one: Mapping[str, Any]
) -> bool:
    """Return whether a port has what is wanted anyway; raise BadRequest for another address."""
    ident, address = one.get("subnet_id"), one.get("ip_address")
    for subnet in subnets:
        if subnet["id"] not in own:
            continue
        if address is None:
            if ident == subnet["id"]:
                return True
        elif ip_address(address) in ip_network(subnet["cidr"]):
            if str(ip_address(address)) != own[subnet["id"]]:
                raise BadRequest(
                    f"IPv6 address {address} cannot be directly assigned to a port on subnet "
                    f"{subnet['id']} as the subnet is configured for automatic addresses",
                    "AllocationOnAutoAddressSubnet",
                )
            return True
    return False


def _wanted(
    session: NetworkingSession,
    network_id: str,
    subnets: Sequence[Record],
    one: Mapping[str, Any],
    chosen: Sequence[Record],
    kept: Sequence[Record],
) -> Record:
    ident, address = one.get("subnet_id"), one.get("ip_address")
    if ident is not None:
        subnet = next((subnet for subnet in subnets if subnet["id"] == ident), None)
        if subnet is None and items.find(session, "subnets", ident) is None:
            raise Missing("Subnet", ident)
        if subnet is None:
            raise InvalidInput(
                f"Failed to create port on network {network_id}, because fixed_ips included "
                f"invalid subnet {ident}"
            )
        if address is None:
            same = (have for have in kept if have["subnet_id"] == ident)
            found = next(same, None) or _free(session, subnet, chosen)
            if found is None:
                raise _used_up(network_id)
            return found
        if not _fits(subnet, address):
            raise BadRequest(
                f"IP address {address} is not a valid IP for the specified subnet.",
                "InvalidIpForSubnet",
            )
        return {"subnet_id": ident, "ip_address": address}
    if address is None:
        raise InvalidInput("IP allocation requires subnet_id or ip_address")
    for subnet in subnets:
        if _fits(subnet, address):
            return {"subnet_id": subnet["id"], "ip_address": address}
    raise BadRequest(
        f"IP address {address} is not a valid IP for any of the subnets on the specified network.",
        "InvalidIpForNetwork",
    )


def _fits(subnet: Mapping[str, Any], text: str) -> bool:
    """Return whether a port can have an address of a subnet."""
    network, address = ip_network(subnet["cidr"]), ip_address(text)
    if address not in network:
        return False
    if subnet["gateway_ip"] is not None and address == ip_address(subnet["gateway_ip"]):
        return True
    edges = (network[0], network[-1]) if network.version == 4 else (network[0],)
    return network.num_addresses < 4 or address not in edges


def _free(
    session: NetworkingSession, subnet: Mapping[str, Any], chosen: Sequence[Record]
) -> Record | None:
    """Return the first address of a subnet's pools that nobody has or gets, or ``None``."""
    query = sa.select(allocations.c.ip_address).where(allocations.c.subnet_id == subnet["id"])
    taken = {row["ip_address"] for row in session.tx.all(query)}
    taken |= {one["ip_address"] for one in chosen}
    for address in _addresses(subnet):
        if address not in taken:
            return {"subnet_id": subnet["id"], "ip_address": address}
    return None


def _addresses(subnet: Mapping[str, Any]) -> Iterator[str]:
    for pool in subnet["allocation_pools"]:
        start, end = ip_address(pool["start"]), ip_address(pool["end"])
        for offset in range(min(int(end) - int(start) + 1, _MOST)):
            yield str(start + offset)


def _used_up(network_id: str) -> Conflict:
    return Conflict(
        f"No more IP addresses available on network {network_id}.", "IpAddressGenerationFailure"
    )
