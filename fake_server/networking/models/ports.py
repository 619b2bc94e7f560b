"""Ports, with their addresses and their binding to a host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common import randomness
from fake_server.common.errors import BadRequest, Conflict
from fake_server.networking.errors import PortInUse
from fake_server.networking.kinds import KINDS
from fake_server.networking.models import (
    allocations,
    attachments,
    bindings,
    items,
    port_forwardings,
    security_groups,
    segments,
    trunks,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.db.store import Record
    from fake_server.networking.models.items import NetworkingSession

#: Owner of the ports of DHCP servers, which go with their networks and subnets.
DHCP = "network:dhcp"
_PREFIX = "fa:16:3e"
_VNIC_TYPE = "binding:vnic_type"


def create(session: NetworkingSession, values: Mapping[str, Any]) -> Record:
    """Create a port and return it; raise what keeps it from being one."""
    network_id = values["network_id"]
    wanted = values["fixed_ips"]
    deferred = _is_deferred(session, values)
    port = {**values, "mac_address": values["mac_address"] or _new_mac()}
    chosen = [] if deferred else allocations.choose(session, port, wanted)
    port["fixed_ips"] = chosen
    allocation = "none" if wanted == [] else "immediate"
    port["ip_allocation"] = "deferred" if deferred else allocation
    if port["device_owner"].startswith("network:"):
        port["port_security_enabled"] = False
    elif port["port_security_enabled"] is None:
        network = items.need(session, "networks", network_id)
        port["port_security_enabled"] = network["port_security_enabled"]
    port["security_groups"] = security_groups.of_port(session, port)
    port["extra_dhcp_opts"] = _merged([], port["extra_dhcp_opts"])
    port |= _completed(port) | bindings.result(session, port)
    _check_mac(session, port)
    port = items.add(session, "ports", port, revision=1)
    allocations.replace(session, port, chosen)
    return port


def add_of_device(session: NetworkingSession, network_id: str, **values: Any) -> Record:
    """Create a port that the service has for something of its own, and return it."""
    return create(session, {**KINDS["ports"].defaults(), "network_id": network_id, **values})


def update(session: NetworkingSession, port: Record, changes: Mapping[str, Any]) -> Record:
    """Change a port and return it; a MAC address of null stands for a new one."""
    changes = dict(changes)
    if "mac_address" in changes:
        changes["mac_address"] = changes["mac_address"] or _new_mac()
    if "extra_dhcp_opts" in changes:
        changes["extra_dhcp_opts"] = _merged(port["extra_dhcp_opts"], changes["extra_dhcp_opts"])
    security_groups.check_port(session, port, changes)
    wanted = changes.pop("fixed_ips", None)
    host = changes.get("binding:host_id", port["binding:host_id"]) or ""
    before = port["binding:host_id"]
    moves = bool(host) and host != before
    awaited = port["ip_allocation"] == "deferred" and moves and not before
    if moves:
        bindings.check_host(port, host)
    if wanted is None and moves and port["fixed_ips"]:
        _check_move(session, port, host)
    elif wanted is not None or awaited or "mac_address" in changes:
        if wanted is None and not awaited:
            wanted = allocations.chosen_by_service(session, port)
        chosen = allocations.choose(session, {**port, **changes}, wanted, port["fixed_ips"])
        changes["fixed_ips"] = chosen
        port_forwardings.forget(session, port["id"], [one["ip_address"] for one in chosen])
        allocations.replace(session, port, chosen)
    changed = {**port, **changes}
    changes |= _completed(changed) | bindings.result(session, changed)
    return items.save(session, "ports", port, changes)


def check_change(session: NetworkingSession, port: Record, changes: Mapping[str, Any]) -> None:
    """Raise an error if a client can't change a port so, or at all."""
    if port["binding:host_id"] is None:
        raise KINDS["ports"].missing(port["id"])
    vnic_type = changes.get(_VNIC_TYPE, port[_VNIC_TYPE])
    if vnic_type != port[_VNIC_TYPE] and port["binding:vif_type"] != bindings.UNBOUND:
        raise PortInUse(port)
    if "fixed_ips" in changes and port["device_owner"] == attachments.INTERFACE:
        raise BadRequest(
            f"Bad ports request: IP updates for port {port['id']} are not allowed.", "BadRequest"
        )
    mac = changes.get("mac_address", port["mac_address"])
    if mac == port["mac_address"]:
        return
    if port["binding:vif_type"] not in (bindings.UNBOUND, bindings.BINDING_FAILED):
        raise Conflict(
            f"Unable to complete operation on port {port['id']}, port is already bound, port type: "
            f"{port['binding:vif_type']}, old_mac {port['mac_address']}, new_mac {mac}.",
            "PortBound",
        )
    _check_mac(session, {**port, "mac_address": mac})


def delete(session: NetworkingSession, port: Record) -> None:
    """Remove a port; raise Conflict if it is part of a trunk, or of a router."""
    trunks.check_port_unused(session, port["id"])
    attachments.check_free(session, port)
    attachments.disassociate(session, port["id"])
    port_forwardings.forget(session, port["id"])
    items.remove(session, "ports", port["id"])


def complete(session: NetworkingSession, rows: Sequence[Record]) -> list[Record]:
    """Return ports with the trunks that they carry, and what they have of their networks."""
    carried = {trunk["port_id"]: trunk for trunk in items.fetch(session, "trunks")}
    networks = items.fetch(session, "networks", id=list({row["network_id"] for row in rows}))
    policies = {network["id"]: network["qos_policy_id"] for network in networks}
    found = []
    for row in rows:
        more: Record = {"qos_network_policy_id": policies[row["network_id"]]}
        if row["id"] in carried:
            more["trunk_details"] = trunks.details(session, carried[row["id"]])
        found.append({**bindings.shown(row), **more})
    return found


def _check_move(session: NetworkingSession, port: Mapping[str, Any], host: str) -> None:
    """Raise Conflict if the addresses of a port can't be used at another host."""
    there = {subnet["id"] for subnet in segments.reachable(session, port["network_id"], host)}
    if any(fixed["subnet_id"] not in there for fixed in port["fixed_ips"]):
        raise Conflict(
            f"Host {host} is not connected to a segment where the existing fixed_ips on port "
            f"{port['id']} will function given the routed network topology.",
            "HostNotCompatibleWithFixedIps",
        )


def _is_deferred(session: NetworkingSession, values: Mapping[str, Any]) -> bool:
    """Return whether a port gets its addresses only when its host, and so its segment, is set."""
    if values["fixed_ips"] is not None or values["binding:host_id"]:
        return False
    subnets = items.fetch(session, "subnets", network_id=[values["network_id"]])
    return any(subnet["segment_id"] for subnet in subnets)


def _completed(port: Mapping[str, Any]) -> Record:
    """Return what follows from other attributes of a port."""
    pairs = [{"mac_address": port["mac_address"], **pair} for pair in port["allowed_address_pairs"]]
    return {
        "binding:host_id": port["binding:host_id"] or "",
        "binding:vif_details": {},
        "allowed_address_pairs": pairs,
    }


def _merged(current: Sequence[Record], changes: Sequence[Record]) -> list[Record]:
    """Return DHCP options with others added; those with a value of null are gone."""
    found = {(one["opt_name"], one["ip_version"]): one for one in [*current, *changes]}
    return [one for one in found.values() if one["opt_value"] is not None]


def _check_mac(session: NetworkingSession, port: Mapping[str, Any]) -> None:
    network_id, mac = port["network_id"], port["mac_address"]
    if mac and items.fetch(session, "ports", network_id=[network_id], mac_address=[mac]):
        raise Conflict(
            f"Unable to complete operation for network {network_id}. The mac address {mac} is in "
            "use.",
            "MacAddressInUse",
        )


def _new_mac() -> str:
    tail = (randomness.below(256) for _ in range(3))
    return ":".join([_PREFIX, *(f"{byte:02x}" for byte in tail)])
