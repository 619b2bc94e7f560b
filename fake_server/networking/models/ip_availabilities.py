"""How many addresses networks have, and how many of them are in use."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.networking.models import allocations, items
from fake_server.networking.tables import allocations as table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fake_server.db.store import Record
    from fake_server.networking.models.items import NetworkingSession

_DETAILS = (
    "total_ips_in_subnet",
    "total_ips_in_allocation_pool",
    "used_ips_in_subnet",
    "used_ips_in_allocation_pool",
)


def fetch(
    session: NetworkingSession,
    versions: Sequence[str] = (),
    networks: Sequence[Record] | None = None,
) -> list[Record]:
    """Return the numbers of each network.

    :param versions: the versions of the subnets that count; by default all.
    :param networks: those to return; by default all.
    """
    if networks is None:
        networks = items.fetch(session, "networks")
    subnets: dict[str, list[Record]] = {}
    for subnet in items.fetch(session, "subnets"):
        if not versions or str(subnet["ip_version"]) in versions:
            subnets.setdefault(subnet["network_id"], []).append(_of_subnet(session, subnet))
    return [_of_network(network, subnets.get(network["id"], ())) for network in networks]


def _of_network(network: Mapping[str, Any], subnets: Sequence[Record]) -> Record:
    return {
        "network_id": network["id"],
        "network_name": network["name"],
        "project_id": network["project_id"],
        "subnet_ip_availability": list(subnets),
        "ip_availability_details": _summed(
            _DETAILS, [one["ip_availability_details"] for one in subnets]
        ),
        **_summed(("total_ips", "used_ips"), subnets),
    }


def _of_subnet(session: NetworkingSession, subnet: Mapping[str, Any]) -> Record:
    query = sa.select(table.c.ip_address).where(table.c.subnet_id == subnet["id"])
    used = [row["ip_address"] for row in session.tx.all(query)]
    pools = subnet["allocation_pools"]
    pooled = sum(any(allocations.holds(pool, one) for pool in pools) for one in used)
    network = ip_network(subnet["cidr"])
    usable = network.num_addresses
    if network.version == 4 and usable > 2:
        usable -= 2
    inside = sum(
        int(ip_address(pool["end"])) - int(ip_address(pool["start"])) + 1 for pool in pools
    )
    return {
        "subnet_id": subnet["id"],
        "subnet_name": subnet["name"],
        "cidr": subnet["cidr"],
        "ip_version": subnet["ip_version"],
        "total_ips": inside if pools else usable,
        "used_ips": len(used),
        "ip_availability_details": dict(
            zip(_DETAILS, (usable, inside, len(used), pooled), strict=True)
        ),
    }


def _summed(names: Iterable[str], rows: Sequence[Mapping[str, Any]]) -> Record:
    return {name: sum(row[name] for row in rows) for name in names}
