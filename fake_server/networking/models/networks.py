"""Networks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_URL, uuid5

from fake_server.common.errors import Conflict
from fake_server.networking.errors import InvalidInput
from fake_server.networking.models import items, ports, segments, subnets

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.db.store import Record
    from fake_server.networking.models.items import NetworkingSession

#: The largest packets of networks that are carried in others, and of all.
_TUNNELED, _LARGEST = 1450, 1500


def ident_of(name: str) -> str:
    """Return the id that a network of this name has if the server made it for itself."""
    return str(uuid5(NAMESPACE_URL, f"fake:network:{name}"))


def create(
    session: NetworkingSession, values: Mapping[str, Any], parts: Sequence[Record] | None = None
) -> Record:
    """Create a network with its segments and return it.

    :param parts: its segments, if they aren't to be those that the values ask for.
    """
    wanted = parts or segments.of_network(values)
    largest = min(map(_mtu, wanted))
    kept = {name: value for name, value in values.items() if not _is_of_segment(name)}
    kept |= {"mtu": _checked_mtu(kept["mtu"], largest) or largest, "status": "ACTIVE"}
    network = items.add(session, "networks", {**kept, "availability_zones": []}, revision=1)
    for one in wanted:
        own = {"name": None, "description": None, "network_id": network["id"]}
        segments.create(session, {**own, **one})
    return network


def update(session: NetworkingSession, network: Record, changes: Mapping[str, Any]) -> Record:
    """Change a network and return it."""
    if any(name in changes for name in segments.PROVIDER[:2]):
        raise InvalidInput(
            "Plugin does not support updating the following provider network attributes: "
            f"{', '.join(segments.PROVIDER[:2])}"
        )
    changes = dict(changes)
    changes.pop("segments", None)
    number = changes.pop("provider:segmentation_id", None)
    if number is not None:
        segments.renumber(session, network["id"], number)
    if "mtu" in changes:
        found = items.fetch(session, "segments", network_id=[network["id"]])
        _checked_mtu(changes["mtu"], min(map(_mtu, found), default=_LARGEST))
        own = items.fetch(session, "subnets", network_id=[network["id"]])
        subnets.check_mtu({**network, **changes}, {subnet["ip_version"] for subnet in own})
    if changes.get("shared") is False and network["shared"]:
        users = {port["project_id"] for port in _ports(session, network)}
        if users - {network["project_id"]}:
            raise Conflict(
                f"Unable to reconfigure sharing settings for network {network['name']}. Multiple "
                "projects are using it.",
                "InvalidSharedSetting",
            )
    return items.save(session, "networks", network, changes)


def delete(session: NetworkingSession, network: Record) -> None:
    """Remove a network with its subnets; raise Conflict if ports are in it."""
    using = [port["id"] for port in _ports(session, network) if port["device_owner"] != ports.DHCP]
    if using:
        raise Conflict(
            f"Unable to complete operation on network {network['id']}. There are one or more ports "
            f"still in use on the network, id for these ports is: {','.join(using)}.",
            "NetworkInUse",
        )
    for kind in ("ports", "subnets", "segments"):
        for item in items.fetch(session, kind, network_id=[network["id"]]):
            items.remove(session, kind, item["id"])
    items.remove(session, "networks", network["id"])


def complete(session: NetworkingSession, rows: Sequence[Record]) -> list[Record]:
    """Return networks with their subnets and segments."""
    idents = [row["id"] for row in rows]
    own: dict[str, dict[str, list[Record]]] = {"subnets": {}, "segments": {}}
    for kind, by_network in own.items():
        for item in items.fetch(session, kind, network_id=idents):
            by_network.setdefault(item["network_id"], []).append(item)
    found = []
    for row in rows:
        below = own["subnets"].get(row["id"], [])
        more = {
            "subnets": [subnet["id"] for subnet in below],
            "l2_adjacency": not any(subnet["segment_id"] for subnet in below),
        }
        found.append({**row, **more, **segments.shown(own["segments"].get(row["id"], []))})
    return found


def _ports(session: NetworkingSession, network: Record) -> list[Record]:
    return items.fetch(session, "ports", network_id=[network["id"]])


def _is_of_segment(name: str) -> bool:
    return name == "segments" or name in segments.PROVIDER


def _mtu(segment: Mapping[str, Any]) -> int:
    return _TUNNELED if segment["network_type"] == "vxlan" else _LARGEST


def _checked_mtu(mtu: int, largest: int) -> int:
    if mtu > largest:
        raise InvalidInput(f"Requested MTU is too big, maximum is {largest}")
    return mtu
