"""Addresses of ports: taken from the subnets of their network."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from fake_server.db.store import Record

#: How many addresses of a subnet are looked at.
_MOST = 65536


def of_subnet(cidr: Any) -> Record:
    """Return Neutron's default gateway and pool for a CIDR; none if it isn't valid."""
    try:
        network = ip_network(str(cidr), strict=False)
    except ValueError:
        return {"gateway_ip": None, "allocation_pools": []}
    if network.num_addresses < 4:
        return {"gateway_ip": None, "allocation_pools": []}
    last = network[-1] if network.version == 6 else network[-2]
    pool = {"start": str(network[2]), "end": str(last)}
    return {"gateway_ip": str(network[1]), "allocation_pools": [pool]}


def of_port(
    wanted: Any, subnets: Sequence[Mapping[str, Any]], taken: Collection[str]
) -> list[Record]:
    """Return the addresses of a new port: the wanted ones, else one per version of the subnets."""
    if wanted:
        return [_completed(one, subnets, taken) for one in objects(wanted)]
    first: dict[str, Mapping[str, Any]] = {}
    for subnet in subnets:
        first.setdefault(str(subnet["ip_version"]), subnet)
    found = (_completed({"subnet_id": one["id"]}, subnets, taken) for one in first.values())
    return [one for one in found if "ip_address" in one]


def objects(value: Any) -> list[Record]:
    """Return the objects of a list from a client, which isn't validated."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _completed(
    one: Mapping[str, Any], subnets: Sequence[Mapping[str, Any]], taken: Collection[str]
) -> Record:
    for subnet in subnets:
        if "ip_address" in one and _holds(subnet, one["ip_address"]):
            return {"subnet_id": subnet["id"], **one}
        if "ip_address" not in one and subnet["id"] == one.get("subnet_id"):
            free = next((text for text in _pool(subnet) if text not in taken), None)
            return dict(one) if free is None else {**one, "ip_address": free}
    return dict(one)


def _holds(subnet: Mapping[str, Any], text: Any) -> bool:
    try:
        return ip_address(str(text)) in ip_network(str(subnet["cidr"]), strict=False)
    except ValueError:
        return False


def _pool(subnet: Mapping[str, Any]) -> Iterator[str]:
    for pool in objects(subnet["allocation_pools"]):
        try:
            start, end = ip_address(str(pool["start"])), ip_address(str(pool["end"]))
        except (KeyError, ValueError):
            continue
        for offset in range(min(int(end) - int(start) + 1, _MOST)):
            yield str(start + offset)
