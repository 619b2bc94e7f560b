"""The bindings of a port to hosts: the active one, and those that can be activated.

The active one is in the attributes of the port; its host is ``None`` if it was removed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, Conflict, NotFound, ServiceError
from fake_server.networking.models import items, segments

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.db.store import Record
    from fake_server.networking.models.items import NetworkingSession

#: ``vif_type`` of a binding that no mechanism could make, and of one that has no host.
BINDING_FAILED, UNBOUND = "binding_failed", "unbound"
ACTIVE, INACTIVE = "ACTIVE", "INACTIVE"
#: The attributes of ports that show the active binding, by what bindings call them.
NAMES = {
    "host": "binding:host_id",
    **{name: f"binding:{name}" for name in ("vnic_type", "profile", "vif_type", "vif_details")},
}
_OWNERS = ("compute:", "manila:")


class BindingError(ServiceError):
    """No mechanism can bind a port to a host."""

    def __init__(self, port_id: str, host: str) -> None:
        super().__init__(
            f"Binding for port {port_id} on host {host} could not be created or updated.",
            "PortBindingError",
        )


def result(session: NetworkingSession, port: Mapping[str, Any]) -> Record:
    """Return what becomes of the binding in the attributes of a port.

    It fails where the port of the node is in another physical network than the segments of its
    own.
    """
    if not port["binding:host_id"]:
        return {"binding:vif_type": UNBOUND, "status": "DOWN"}
    wanted = port["binding:profile"].get("physical_network")
    there = segments.physical_networks(session, port)
    if wanted and there and wanted not in there:
        return {"binding:vif_type": BINDING_FAILED, "status": "DOWN"}
    return {"binding:vif_type": "other", "status": "ACTIVE"}


def shown(port: Record) -> Record:
    """Return the attributes of a port, without those of the active binding if it was removed."""
    if port["binding:host_id"] is not None:
        return port
    return {name: value for name, value in port.items() if name not in NAMES.values()}


def fetch(port: Mapping[str, Any]) -> list[Record]:
    """Return the bindings of a port; raise BadRequest if it is none that can have several."""
    if not port["device_owner"].startswith(_OWNERS):
        raise BadRequest(
            f"Bad port request: Invalid port {port['id']}. Operation only valid on compute and "
            "shared filesystem ports.",
            "BadRequest",
        )
    found = _inactive(port)
    if port["binding:host_id"] is not None:
        active = {name: port[attribute] for name, attribute in NAMES.items()}
        found = [*found, {**active, "status": ACTIVE}]
    return sorted(found, key=lambda one: str(one["host"]))


def find(port: Mapping[str, Any], host: str) -> Record:
    """Return the binding of a port to a host; raise NotFound if there is none."""
    for one in fetch(port):
        if one["host"] == host:
            return one
    raise NotFound(
        f"Binding for port {port['id']} for host {host} could not be found.", "PortBindingNotFound"
    )


def create(session: NetworkingSession, port: Record, values: Mapping[str, Any]) -> Record:
    """Bind a port to one more host and return the binding, active if no other one is.

    :raises ServiceError: if it can't be bound there, or is.
    """
    others = fetch(port)
    check_host(port, values["host"])
    status = INACTIVE if any(one["status"] == ACTIVE for one in others) else ACTIVE
    return _save(session, port, {**values, "vif_details": {}, "status": status})


def update(
    session: NetworkingSession, port: Record, binding: Record, changes: Mapping[str, Any]
) -> Record:
    """Change a binding and return it; its profile is empty unless the changes have one.

    :raises ServiceError: if the port can't be bound so.
    """
    changed = {**binding, "profile": {}, **changes}
    if changed["host"] != binding["host"]:
        check_host(port, changed["host"])
    return _save(session, port, changed, instead=binding)


def activate(session: NetworkingSession, port: Record, binding: Record) -> Record:
    """Make a binding the active one and return it; raise Conflict if it is."""
    if binding["status"] == ACTIVE:
        raise Conflict(
            f"Binding for port {port['id']} on host {binding['host']} is already active.",
            "PortBindingAlreadyActive",
        )
    others = [
        {**one, "status": INACTIVE, "vif_type": UNBOUND} if one["status"] == ACTIVE else one
        for one in fetch(port)
        if one != binding
    ]
    # It stays unbound if it was the active one before.
    status = "DOWN" if binding["vif_type"] == UNBOUND else "ACTIVE"
    changes = {**_attributes(binding), "status": status, "bindings": others}
    items.save(session, "ports", port, changes)
    return {**binding, "status": ACTIVE}


def delete(session: NetworkingSession, port: Record, binding: Record) -> None:
    """Remove a binding; without an active one, a port can't be changed."""
    changes: Record = {"bindings": [one for one in _inactive(port) if one != binding]}
    if binding["status"] == ACTIVE:
        changes["binding:host_id"] = None
    items.save(session, "ports", port, changes)


def check_host(port: Mapping[str, Any], host: str) -> None:
    """Raise Conflict if a port has a binding to a host."""
    if any(one["host"] == host for one in _inactive(port)) or host == port["binding:host_id"]:
        raise Conflict(
            f"Binding for port {port['id']} on host {host} already exists.",
            "PortBindingAlreadyExists",
        )


def _inactive(port: Mapping[str, Any]) -> list[Record]:
    found: list[Record] = port.get("bindings", [])
    return found


def _attributes(binding: Mapping[str, Any]) -> Record:
    """Return what a port shows of a binding that is active."""
    return {attribute: binding[name] for name, attribute in NAMES.items() if name in binding}


def _save(
    session: NetworkingSession, port: Record, binding: Record, instead: Record | None = None
) -> Record:
    """Bind a port as a binding says, and return it."""
    named = _attributes(binding)
    found = result(session, {**port, **named})
    if found["binding:vif_type"] == BINDING_FAILED:
        raise BindingError(port["id"], binding["host"])
    binding = {**binding, "vif_type": found["binding:vif_type"]}
    left = [one for one in _inactive(port) if one != instead]
    if binding["status"] == ACTIVE:
        changes = {**named, **found, "bindings": left}
    else:
        changes = {"bindings": [*left, binding]}
    items.save(session, "ports", port, changes)
    return binding
