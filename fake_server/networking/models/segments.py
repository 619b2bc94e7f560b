"""Segments: the parts of physical networks that networks are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, Conflict
from fake_server.networking.errors import InvalidAttribute, InvalidInput, Missing
from fake_server.networking.models import items

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from fake_server.db.store import Record
    from fake_server.networking.models.items import NetworkingSession

_PREFIX = "provider:"
PROVIDER = ("provider:network_type", "provider:physical_network", "provider:segmentation_id")
_FIELDS = tuple(name.removeprefix(_PREFIX) for name in PROVIDER)
_VLANS = range(1, 4095)
_TUNNELS = range(1, 2**24)
#: Types of networks whose packets are in packets of another network.
TUNNELED = ("vxlan", "geneve")
#: What networks are that nobody asked for.
_DEFAULT = {"network_type": "vxlan", "physical_network": None, "segmentation_id": None}


def of_network(values: Mapping[str, Any]) -> list[Record]:
    """Return the segments that the attributes of a new network ask for."""
    single = {name: values[name] for name in PROVIDER if values.get(name) is not None}
    several = values.get("segments")
    if several is not None and not isinstance(several, list):
        raise InvalidAttribute("segments", f"'{several}' is not a list")
    if several and single:
        raise BadRequest(
            "Segments and provider values cannot both be set.",
            "SegmentsSetInConjunctionWithProviders",
        )
    if not several and not single:
        return [_DEFAULT]
    return [_parsed(one) for one in several or [single]]


def create(session: NetworkingSession, values: Mapping[str, Any]) -> Record:
    """Create a segment of a network and return it; raise what keeps it from being one."""
    return items.add(session, "segments", {**values, **_checked(session, values)})


def delete(session: NetworkingSession, segment: Record) -> None:
    """Remove a segment; raise Conflict if a subnet is in it."""
    subnets = items.fetch(session, "subnets", network_id=[segment["network_id"]])
    using = [one["id"] for one in subnets if one["segment_id"] == segment["id"]]
    if using:
        raise Conflict(
            f"Segment '{segment['id']}' cannot be deleted: The segment is still associated with "
            f"subnet(s) {', '.join(using)}.",
            "SegmentInUse",
        )
    items.remove(session, "segments", segment["id"])


def renumber(session: NetworkingSession, network_id: str, number: int) -> None:
    """Give the only segment of a network another VLAN; raise Conflict if it is in use."""
    found = items.fetch(session, "segments", network_id=[network_id])
    if len(found) != 1 or found[0]["network_type"] != "vlan":
        raise InvalidInput("Only VLAN type networks can be updated.")
    wanted = _checked(session, {**found[0], "segmentation_id": number})
    items.save(session, "segments", found[0], wanted)


def check_subnet(
    session: NetworkingSession, network_id: str, segment_id: str | None, others: Sequence[Record]
) -> None:
    """Raise an error if a subnet can't be in a segment, or in none.

    :param others: the other subnets of its network.
    """
    if any((other["segment_id"] is None) != (segment_id is None) for other in others):
        raise BadRequest(
            f"All of the subnets on network '{network_id}' must either all be associated with "
            "segments or all not associated with any segment.",
            "SubnetsNotAllAssociatedWithSegments",
        )
    if segment_id is None:
        return
    segment = items.find(session, "segments", segment_id)
    if segment is None:
        raise Missing("Segment", segment_id)
    if segment["network_id"] != network_id:
        raise BadRequest(
            f"The subnet's network id, '{network_id}', doesn't match the network_id of segment "
            f"'{segment_id}'",
            "NetworkIdsDontMatch",
        )


def shown(segments: Sequence[Record]) -> Record:
    """Return the attributes of a network that describe its segments."""
    rows = [{_PREFIX + name: one[name] for name in _FIELDS} for one in segments]
    if len(rows) > 1:
        return {"segments": rows}
    return rows[0] if rows else dict.fromkeys(PROVIDER)


def reachable(session: NetworkingSession, network_id: str, host: str) -> list[Record]:
    """Return the subnets of a network that a host is connected to.

    :param host: ``""`` for all subnets.
    :raises Conflict: if they are in segments, and the host is connected to none of these.
    """
    subnets = items.fetch(session, "subnets", network_id=[network_id])
    if not host or not any(subnet["segment_id"] for subnet in subnets):
        return subnets
    there = session.hosts(session.tx).get(host, ())
    found = items.fetch(session, "segments", network_id=[network_id])
    connected = {one["id"] for one in found if one["physical_network"] in there}
    subnets = [subnet for subnet in subnets if subnet["segment_id"] in connected]
    if not subnets:
        raise Conflict(
            f"Host {host} is not connected to any segments on routed provider network "
            f"'{network_id}'.  It should be connected to one.",
            "HostNotConnectedToAnySegment",
        )
    return subnets


def physical_networks(session: NetworkingSession, port: Mapping[str, Any]) -> Collection[str]:
    """Return the physical networks that a port is in; none if that doesn't matter.

    In a network of several segments it is that of the port's subnet, or else all of them.
    """
    found = items.fetch(session, "segments", network_id=[port["network_id"]])
    names = {one["id"]: one["physical_network"] for one in found if one["physical_network"]}
    if len(found) > 1:
        for fixed in port["fixed_ips"]:
            subnet = items.find(session, "subnets", fixed["subnet_id"])
            name = names.get(subnet["segment_id"]) if subnet else None
            if name:
                return {name}
    return set(names.values())


def _parsed(one: Any) -> Record:
    unknown = set(one) - set(PROVIDER) if isinstance(one, dict) else {str(one)}
    if unknown:
        raise BadRequest(f"Unrecognized attribute(s) '{', '.join(sorted(unknown))}'")
    return {name: one.get(_PREFIX + name) for name in _FIELDS}


def _checked(session: NetworkingSession, values: Mapping[str, Any]) -> Record:
    """Return type, physical network and id of a segment; an id that is free if it needs one."""
    kind, physical, number = (values.get(name) for name in _FIELDS)
    if kind is None:
        raise InvalidInput("network_type required")
    if kind not in ("flat", "vlan", "local", *TUNNELED):
        raise InvalidInput(f"network_type value '{kind}' not supported")
    if kind in ("flat", "local") and number is not None:
        raise InvalidInput(f"segmentation_id prohibited for {kind} provider network")
    if kind in TUNNELED and physical:
        raise InvalidInput(f"provider:physical_network specified for {kind} network")
    if kind == "local" and physical:
        raise InvalidInput("physical_network prohibited for local provider network")
    if kind == "flat" and not physical:
        raise InvalidInput("physical_network required for flat provider network")
    if kind == "vlan" and number is not None:
        if not physical:
            raise InvalidInput(
                "segmentation_id requires physical_network for VLAN provider network"
            )
        if number not in _VLANS:
            raise InvalidInput("segmentation_id out of range (1 through 4094)")
    if kind != "local":
        number = _numbered(session, kind, physical, number)
    return {"network_type": kind, "physical_network": physical, "segmentation_id": number}


def _numbered(
    session: NetworkingSession, kind: str, physical: str | None, number: int | None
) -> int | None:
    """Return the id of a segment; raise Conflict if another one has it."""
    same = items.fetch(session, "segments", network_type=[kind])
    if kind not in TUNNELED:
        same = [one for one in same if one["physical_network"] == physical]
    taken = {one["segmentation_id"] for one in same}
    if kind == "flat" and same and not session.shares_flat:
        raise Conflict(
            f"Unable to create the flat network. Physical network {physical} is in use.",
            "FlatNetworkInUse",
        )
    if kind == "flat":
        return None
    if number is None:
        free = _VLANS if kind == "vlan" else _TUNNELS
        return next((one for one in free if one not in taken), None)
    if number in taken and kind == "vlan":
        raise Conflict(
            f"Unable to create the network. The VLAN {number} on physical network {physical} is "
            "in use.",
            "VlanIdInUse",
        )
    if number in taken:
        raise Conflict(
            f"Unable to create the network. The tunnel ID {number} is in use.", "TunnelIdInUse"
        )
    return number
