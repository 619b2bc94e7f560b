"""Port forwardings: ports of a floating IP that lead to ports of machines behind a router."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common import randomness
from fake_server.common.errors import BadRequest, Conflict, NotFound
from fake_server.networking.models import attachments, items

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from fake_server.db.store import Record
    from fake_server.networking.models.items import NetworkingSession

_KIND = "floatingips"
_SIDES = ("external", "internal")


def fetch(floating: Mapping[str, Any]) -> list[Record]:
    """Return the port forwardings of a floating IP."""
    return list(floating[attachments.FORWARDINGS])


def find(floating: Mapping[str, Any], ident: str) -> Record:
    """Return a port forwarding of a floating IP; raise NotFound if it has no such one."""
    for one in floating[attachments.FORWARDINGS]:
        if one["id"] == ident:
            return dict(one)
    raise NotFound(f"Port Forwarding {ident} could not be found.", "PortForwardingNotFound")


def add(session: NetworkingSession, floating: Record, values: Mapping[str, Any]) -> Record:
    """Add a port forwarding to a floating IP and return it; raise an error if it can't be."""
    wanted = {"id": randomness.uuid(), **_ranges(values), **_rest(values)}
    for side in _SIDES:
        if f"{side}_port_range" not in wanted:
            raise _refusal(f"Either {side}_port or {side}_port_range is needed")
    _check(session, floating, wanted)
    _check_unassociated(session, wanted)
    if floating["port_id"] is not None:
        raise Conflict(
            f"Cannot associate floating IP {floating['floating_ip_address']} ({floating['id']}) "
            f"with port {wanted['internal_port_id']} using fixed IP "
            f"{wanted['internal_ip_address']}, as that fixed IP already has a floating IP on "
            f"external network {floating['floating_network_id']}.",
            "FloatingIPPortAlreadyAssociated",
        )
    router = _router(session, floating, wanted)
    _save(session, floating, [*floating[attachments.FORWARDINGS], wanted], router_id=router)
    items.touch(session, "ports", wanted["internal_port_id"])
    # Neutron shows what a new one hasn't only then.
    return {**dict.fromkeys(f"{side}_port" for side in _SIDES), **wanted}


def update(
    session: NetworkingSession, floating: Record, found: Record, changes: Mapping[str, Any]
) -> Record:
    """Change a port forwarding and return it; raise an error if it can't be so."""
    changed = {**found, **_ranges(changes), **_rest(changes)}
    if "internal_port_id" in changes:
        _check_unassociated(session, changed)
    if changed["internal_port_id"] != found["internal_port_id"]:
        _router(session, floating, changed)
    port = items.need(session, "ports", changed["internal_port_id"])
    if changed["internal_ip_address"] not in [one["ip_address"] for one in port["fixed_ips"]]:
        raise _refusal(
            "The internal IP does not correspond to an address on the internal port, which has "
            f"fixed_ips {port['fixed_ips']}"
        )
    _check_unlike(floating, changed)
    _check(session, floating, changed)
    rows = [
        changed if one["id"] == found["id"] else one for one in floating[attachments.FORWARDINGS]
    ]
    _save(session, floating, rows)
    items.touch(session, "ports", changed["internal_port_id"])
    return changed


def remove(session: NetworkingSession, floating: Record, found: Record) -> None:
    """Remove a port forwarding; the router of a floating IP goes with the last one."""
    rows = _others(floating, found["id"])
    _save(session, floating, rows, **({} if rows else {"router_id": None}))
    items.touch(session, "ports", found["internal_port_id"])


def shown(one: Mapping[str, Any]) -> Record:
    """Return a port forwarding with the ports that its ranges have, if each has only one."""
    single = {}
    for side in _SIDES:
        first, last = _bounds(one[f"{side}_port_range"])
        if first == last:
            single[f"{side}_port"] = first
    return {**one, **single}


def forget(session: NetworkingSession, port_id: str, kept: Collection[str] = ()) -> None:
    """Remove what leads to a port, but for the addresses that are kept."""
    for floating in items.fetch(session, _KIND):
        for one in floating[attachments.FORWARDINGS]:
            if one["internal_port_id"] == port_id and one["internal_ip_address"] not in kept:
                remove(session, items.need(session, _KIND, floating["id"]), one)


def _ranges(values: Mapping[str, Any]) -> Record:
    """Return the ranges of ports that values name, by the one way or the other."""
    found = {}
    for side in _SIDES:
        port, text = values.get(f"{side}_port"), values.get(f"{side}_port_range")
        if port is not None or text is not None:
            first, last = _bounds(str(text if port is None else port))
            found[f"{side}_port_range"] = f"{first}:{last}"
    return found


def _rest(values: Mapping[str, Any]) -> Record:
    ports = {f"{side}_port{kind}" for side in _SIDES for kind in ("", "_range")}
    return {name: value for name, value in values.items() if name not in ports}


def _bounds(text: str) -> tuple[int, int]:
    first, _, last = text.partition(":")
    return int(first), int(last or first)


def _check(session: NetworkingSession, floating: Record, wanted: Mapping[str, Any]) -> None:
    """Raise BadRequest if the ranges don't fit each other, or those of another one."""
    spans = [last - first for first, last in (_bounds(wanted[f"{s}_port_range"]) for s in _SIDES)]
    if spans[1] not in (0, spans[0]):
        raise _refusal(
            "Invalid ranges of internal and/or external ports. The relation between internal and "
            "external ports must be N-N or 1-N"
        )
    inside = ("internal_port_id", "protocol", "internal_ip_address")
    for one in (one for each in items.fetch(session, _KIND) for one in _others(each, wanted["id"])):
        if all(one[name] == wanted[name] for name in inside):
            _check_apart(one, wanted, "internal_port_range")
    for one in _others(floating, wanted["id"]):
        if one["protocol"] == wanted["protocol"]:
            _check_apart(one, wanted, "external_port_range")


def _check_apart(one: Mapping[str, Any], wanted: Mapping[str, Any], name: str) -> None:
    (first, last), (start, end) = _bounds(one[name]), _bounds(wanted[name])
    if max(first, start) <= min(last, end):
        raise _refusal(
            f"There is a port collision with the {name}. The following ranges collide: {one[name]} "
            f"and {wanted[name]}"
        )


def _check_unlike(floating: Record, changed: Mapping[str, Any]) -> None:
    """Raise BadRequest if another one has the same port, or the same lack of one, on a side."""
    outside = {"floating_ip_address": floating["floating_ip_address"]}
    inside = {name: changed[name] for name in ("internal_port_id", "internal_ip_address")}
    own = shown(changed)
    for one in map(shown, _others(floating, changed["id"])):
        for name, more in (("external_port", outside), ("internal_port", inside)):
            alike = one.get(name) == own.get(name) and {**one, **outside}.items() >= more.items()
            if one["protocol"] == own["protocol"] and alike:
                raise _refusal(
                    "Another port forwarding entry with the same attributes already exists, "
                    f"conflicting values are {more | {name: own.get(name)}}"
                )


def _check_unassociated(session: NetworkingSession, wanted: Mapping[str, Any]) -> None:
    """Raise Conflict if a floating IP leads to the port as a whole."""
    for other in items.fetch(session, _KIND):
        if other["port_id"] == wanted["internal_port_id"]:
            raise Conflict(
                f"Cannot create port forwarding to floating IP {other['floating_ip_address']} "
                f"({other['id']}) with port {other['port_id']} using fixed IP "
                f"{wanted['internal_ip_address']}, as that port already has a binding floating IP.",
                "PortHasBindingFloatingIP",
            )


def _router(session: NetworkingSession, floating: Record, wanted: Mapping[str, Any]) -> str:
    """Return the router between a floating IP and a port; raise BadRequest if there is none."""
    port_id, address = wanted["internal_port_id"], wanted["internal_ip_address"]
    port = items.need(session, "ports", port_id)
    fixed = [one for one in port["fixed_ips"] if ":" not in one["ip_address"]]
    if not fixed:
        raise _refusal(f"Requested internal port {port_id} must allocate an IPv4 address at least.")
    subnets = [one["subnet_id"] for one in fixed if one["ip_address"] == address]
    if not subnets:
        raise _refusal(
            f"Requested internal IP address {address} is not suitable for internal neutron port "
            f"{port_id}, as its fixed_ips are {fixed}"
        )
    router = attachments.router_between(session, floating["floating_network_id"], subnets[0])
    if router is None:
        raise _refusal(
            f"External network {floating['floating_network_id']} is not reachable from subnet "
            f"{subnets[0]}. Cannot set Port forwarding for port {port_id} with Floating IP "
            f"{floating['id']}"
        )
    if floating["router_id"] not in (None, router):
        raise _refusal(
            f"The Floating IP {floating['id']} had been set on router {floating['router_id']}, the "
            f"internal Neutron port {port_id} can not reach it"
        )
    return router


def _others(floating: Mapping[str, Any], ident: str) -> list[Record]:
    return [one for one in floating[attachments.FORWARDINGS] if one["id"] != ident]


def _save(session: NetworkingSession, floating: Record, rows: list[Record], **more: Any) -> None:
    items.save(session, _KIND, floating, {attachments.FORWARDINGS: rows, **more})


def _refusal(reason: str) -> BadRequest:
    return BadRequest(f"Bad port_forwarding request: {reason}.", "BadRequest")
