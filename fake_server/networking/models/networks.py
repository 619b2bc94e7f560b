"""Networks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_URL, uuid5

from fake_server.common.errors import Conflict
from fake_server.networking.errors import InvalidInput
from fake_server.networking.models import (
    floatingips,
    items,
    ports,
    qos,
    rbac,
    segments,
    subnets,
)
from fake_server.networking.models.attachments import GATEWAY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.db.store import Record
    from fake_server.networking.models.items import NetworkingSession

#: The attributes that name the address scopes of networks, by version.
_SCOPES = {4: "ipv4_address_scope", 6: "ipv6_address_scope"}
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
    kept["qos_policy_id"] = kept["qos_policy_id"] or qos.default_of(session, kept["project_id"])
    network = items.add(session, "networks", {**kept, "availability_zones": []}, revision=1)
    rbac.follow(session, "networks", network)
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
    found_ports = _ports(session, network) if {"shared", "router:external"} & set(changes) else []
    if changes.get("router:external") is False and any(
        port["device_owner"] == GATEWAY for port in found_ports
    ):
        raise Conflict(
            f"External network {network['id']} cannot be updated to be made non-external, "
            "since it has existing gateway ports.",
            "ExternalNetworkInUse",
        )
    if changes.get("shared") is False and network["shared"]:
        users = {port["project_id"] for port in found_ports} - {""}
        if users - {network["project_id"]}:
            raise Conflict(
                f"Unable to reconfigure sharing settings for network {network['name']}. Multiple "
                "projects are using it.",
                "InvalidSharedSetting",
            )
    changed = items.save(session, "networks", network, changes)
    rbac.follow(session, "networks", changed)
    return changed


def delete(session: NetworkingSession, network: Record) -> None:
    """Remove a network with its subnets; raise Conflict if ports are in it."""
    floatingips.delete_unassociated(session, network["id"])
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
    rbac.forget(session, network["id"])
    items.remove(session, "networks", network["id"])


def complete(session: NetworkingSession, rows: Sequence[Record]) -> list[Record]:
    """Return networks with their subnets and segments."""
    idents = [row["id"] for row in rows]
    own: dict[str, dict[str, list[Record]]] = {"subnets": {}, "segments": {}}
    for kind, by_network in own.items():
        for item in items.fetch(session, kind, network_id=idents):
            by_network.setdefault(item["network_id"], []).append(item)
    scopes = {pool["id"]: pool["address_scope_id"] for pool in items.fetch(session, "subnetpools")}
    found = []
    for row in rows:
        below = own["subnets"].get(row["id"], [])
        more = {
            **dict.fromkeys(_SCOPES.values()),
            **{
                _SCOPES[subnet["ip_version"]]: scopes.get(subnet["subnetpool_id"])
                for subnet in below
            },
            "subnets": [subnet["id"] for subnet in below],
            "l2_adjacency": not any(subnet["segment_id"] for subnet in below),
        }
        network = {**row, **more, **segments.shown(own["segments"].get(row["id"], []))}
        if not network["router:external"]:
            del network["is_default"]
        found.append(network)
    return found


def _ports(session: NetworkingSession, network: Record) -> list[Record]:
    return items.fetch(session, "ports", network_id=[network["id"]])


def _is_of_segment(name: str) -> bool:
    return name == "segments" or name in segments.PROVIDER


def _mtu(segment: Mapping[str, Any]) -> int:
    return _TUNNELED if segment["network_type"] in segments.TUNNELED else _LARGEST


def _checked_mtu(mtu: int, largest: int) -> int:
    if mtu > largest:
        raise InvalidInput(f"Requested MTU is too big, maximum is {largest}")
    return mtu
