"""Floating IPs: addresses in external networks that lead to ports behind routers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from fake_server.common import randomness
from fake_server.common.errors import BadRequest, Conflict, NotFound
from fake_server.networking.models import attachments, items, port_forwardings, ports, rbac
from fake_server.networking.models.attachments import FLOATING, FORWARDINGS, UNASSOCIATED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.db.store import Record
    from fake_server.networking.models.items import NetworkingSession

_KIND = "floatingips"
_OF_FORWARDING = (
    *("id", "internal_ip_address", "internal_port", "internal_port_id"),
    *("external_port", "protocol"),
)
_OF_PORT = ("port_id", "fixed_ip_address")
_DETAILS = (
    *("admin_state_up", "device_id", "device_owner", "mac_address", "name", "network_id"),
    "status",
)


def create(session: NetworkingSession, values: Mapping[str, Any]) -> Record:
    """Take an address of an external network, and return the floating IP that it is."""
    network_id = values["floating_network_id"]
    network = items.need(session, "networks", network_id)
    if not rbac.reaches(session, network, values["project_id"], rbac.EXTERNAL):
        _refuse(f"Network {network_id} is not a valid external network")
    subnets = items.fetch(session, "subnets", network_id=[network_id])
    if not any(subnet["ip_version"] == 4 for subnet in subnets):
        _refuse(f"Network {network_id} does not contain any IPv4 subnet")
    floating = {"id": randomness.uuid(), FORWARDINGS: [], **values}
    # A seed may have it already.
    port = next(iter(attachments.of_device(session, floating["id"], FLOATING)), None)
    port = port or ports.add_of_device(
        session,
        network_id,
        project_id="",
        device_id=floating["id"],
        device_owner=FLOATING,
        fixed_ips=_wanted(values),
    )
    items.save(session, "ports", port, {"status": "N/A"})
    address = next(one["ip_address"] for one in port["fixed_ips"] if ":" not in one["ip_address"])
    floating["floating_ip_address"] = address
    floating |= _associated(session, floating, values)
    return items.add(session, _KIND, floating)


def update(session: NetworkingSession, floating: Record, changes: Mapping[str, Any]) -> Record:
    """Let a floating IP lead to another port, or to none; return it."""
    changes = {name: value for name, value in changes.items() if name != "router_id"}
    if changes.get("port_id") is not None:
        _check_unforwarded(floating)
    if set(_OF_PORT) & set(changes):
        changes |= _associated(session, floating, changes)
    if not changes:
        return floating
    return items.revise(session, _KIND, floating, changes)


def delete(session: NetworkingSession, floating: Record) -> None:
    """Give the address back; raise Conflict while it forwards ports."""
    _check_unforwarded(floating)
    for port in attachments.of_device(session, floating["id"], FLOATING):
        items.remove(session, "ports", port["id"])
    items.remove(session, _KIND, floating["id"])


def delete_unassociated(session: NetworkingSession, network_id: str) -> None:
    """Give the addresses of a network back that lead to no port."""
    for floating in items.fetch(session, _KIND):
        if floating["floating_network_id"] == network_id and floating["port_id"] is None:
            delete(session, floating)


def complete(session: NetworkingSession, rows: Sequence[Record]) -> list[Record]:
    """Return floating IPs with what they show of their ports."""
    idents = [row["port_id"] for row in rows if row["port_id"]]
    found = {port["id"]: port for port in items.fetch(session, "ports", id=idents)}
    return [
        {
            **row,
            "port_details": {name: found[row["port_id"]][name] for name in _DETAILS}
            if row["port_id"] in found
            else None,
            FORWARDINGS: [_forwarding(one) for one in row[FORWARDINGS]],
        }
        for row in rows
    ]


def _forwarding(one: Mapping[str, Any]) -> Record:
    """Return what a floating IP shows of a port forwarding."""
    complete = port_forwardings.shown(one)
    return {name: complete[name] for name in _OF_FORWARDING if name in complete}


def _check_unforwarded(floating: Mapping[str, Any]) -> None:
    if floating[FORWARDINGS]:
        raise Conflict(
            f"Floating IP {floating['id']} in use by Port Forwarding resources.",
            "FipInUseByPortForwarding",
        )


def _wanted(values: Mapping[str, Any]) -> list[Record] | None:
    """Return what is asked for: an address, a subnet, both or neither."""
    names = {"subnet_id": values["subnet_id"], "ip_address": values["floating_ip_address"]}
    given = {name: value for name, value in names.items() if value is not None}
    return [given] if given else None


def _associated(
    session: NetworkingSession, floating: Mapping[str, Any], values: Mapping[str, Any]
) -> Record:
    """Return what a floating IP has of the port that values name."""
    port_id, address = values.get("port_id"), values.get("fixed_ip_address")
    if port_id is None:
        if address is not None:
            _refuse("fixed_ip_address cannot be specified without a port_id")
        return dict(UNASSOCIATED)
    port = items.need(session, "ports", port_id)
    fixed = _fixed(port, address)
    for other in items.fetch(session, _KIND):
        if (
            other["id"] != floating["id"]
            and (other["port_id"], other["fixed_ip_address"]) == (port_id, fixed["ip_address"])
            and other["floating_network_id"] == floating["floating_network_id"]
        ):
            raise Conflict(
                f"Cannot associate floating IP {floating['floating_ip_address']} "
                f"({floating['id']}) with port {port_id} using fixed IP {fixed['ip_address']}, as "
                "that fixed IP already has a floating IP on external network "
                f"{floating['floating_network_id']}.",
                "FloatingIPPortAlreadyAssociated",
            )
    network_id, subnet_id = floating["floating_network_id"], fixed["subnet_id"]
    router_id = attachments.router_between(session, network_id, subnet_id)
    if router_id is None:
        raise NotFound(
            f"External network {network_id} is not reachable from subnet {subnet_id}.  Therefore, "
            f"cannot associate Port {port_id} with a Floating IP.",
            "ExternalGatewayForFloatingIPNotFound",
        )
    return {
        "port_id": port_id,
        "fixed_ip_address": fixed["ip_address"],
        "router_id": router_id,
        "status": "ACTIVE",
    }


def _fixed(port: Mapping[str, Any], address: str | None) -> Mapping[str, str]:
    """Return the address of a port that a floating IP leads to."""
    found: list[Mapping[str, str]] = [
        one for one in port["fixed_ips"] if ":" not in one["ip_address"]
    ]
    if address is not None:
        found = [one for one in found if one["ip_address"] == address]
        if not found:
            _refuse(f"Port {port['id']} does not have fixed ip {address}")
    if not found:
        _refuse(f"Cannot add floating IP to port {port['id']} that has no fixed IPv4 addresses")
    if len(found) > 1:
        _refuse(
            f"Port {port['id']} has multiple fixed IPv4 addresses.  Must provide a specific IPv4 "
            "address when assigning a floating IP"
        )
    return found[0]


def _refuse(reason: str) -> NoReturn:
    raise BadRequest(f"Bad floatingip request: {reason}.", "BadRequest")
