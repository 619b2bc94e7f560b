"""Trunks: a port that carries the networks of others, each with a VLAN."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import Conflict
from fake_server.networking.errors import InvalidInput, Missing
from fake_server.networking.models import items

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.db.store import Record
    from fake_server.networking.models.items import NetworkingSession

_SEGMENTATION = ("segmentation_type", "segmentation_id")
_VLANS = range(1, 4095)


def create(session: NetworkingSession, values: Mapping[str, Any]) -> Record:
    """Create a trunk and return it; raise what keeps it from being one."""
    items.need(session, "ports", values["port_id"])
    _check_free(session, values["port_id"])
    _check_ports(session, values["sub_ports"], {values["port_id"]})
    return items.add(session, "trunks", values)


def delete(session: NetworkingSession, trunk: Record) -> None:
    """Remove a trunk; raise Conflict if it is disabled, or if its port is bound."""
    check_enabled(trunk)
    if _status(session, trunk) == "ACTIVE":
        raise Conflict(f"Trunk {trunk['id']} is currently in use.", "TrunkInUse")
    items.remove(session, "trunks", trunk["id"])


def add_ports(session: NetworkingSession, trunk: Record, wanted: Sequence[Record]) -> Record:
    """Add ports to a trunk and return it."""
    check_enabled(trunk)
    _check_ports(session, wanted, set())
    for one in wanted:
        for other in trunk["sub_ports"]:
            if all(one[name] == other[name] for name in _SEGMENTATION):
                raise Conflict(
                    f"segmentation_type {one['segmentation_type']} and segmentation_id "
                    f"{one['segmentation_id']} already in use on trunk {trunk['id']}.",
                    "DuplicateSubPort",
                )
    return _with_ports(session, trunk, [*trunk["sub_ports"], *wanted])


def remove_ports(session: NetworkingSession, trunk: Record, wanted: Sequence[Record]) -> Record:
    """Remove ports from a trunk and return it; raise NotFound for one that isn't in it."""
    check_enabled(trunk)
    left = {one["port_id"]: one for one in trunk["sub_ports"]}
    for one in wanted:
        if left.pop(one["port_id"], None) is None:
            raise Missing("SubPort", f"{one['port_id']} on trunk {trunk['id']}")
    return _with_ports(session, trunk, list(left.values()))


def check_enabled(trunk: Record) -> None:
    """Raise Conflict if a trunk is disabled."""
    if not trunk["admin_state_up"]:
        raise Conflict(f"Trunk {trunk['id']} is currently disabled.", "TrunkDisabled")


def check_port_unused(session: NetworkingSession, port_id: str) -> None:
    """Raise Conflict if a port is part of a trunk."""
    for trunk in items.fetch(session, "trunks"):
        if trunk["port_id"] == port_id:
            raise Conflict(
                f"Port {port_id} is currently a parent port for trunk {trunk['id']}.",
                "PortInUseAsTrunkParent",
            )
        if any(one["port_id"] == port_id for one in trunk["sub_ports"]):
            raise Conflict(
                f"Port {port_id} is currently a subport for trunk {trunk['id']}.",
                "PortInUseAsSubPort",
            )


def complete(session: NetworkingSession, rows: Sequence[Record]) -> list[Record]:
    """Return trunks with their status."""
    return [{**row, "status": _status(session, row)} for row in rows]


def details(session: NetworkingSession, trunk: Record) -> Record:
    """Return what a port shows of the trunk that it carries."""
    found = items.fetch(session, "ports", id=[one["port_id"] for one in trunk["sub_ports"]])
    macs = {port["id"]: port["mac_address"] for port in found}
    shown = [{**one, "mac_address": macs.get(one["port_id"])} for one in trunk["sub_ports"]]
    return {"trunk_id": trunk["id"], "sub_ports": shown}


def _status(session: NetworkingSession, trunk: Record) -> str:
    """Return ``ACTIVE`` for a trunk whose port is bound, else ``DOWN``."""
    port = items.find(session, "ports", trunk["port_id"])
    return "ACTIVE" if port and port["status"] == "ACTIVE" else "DOWN"


def _check_ports(session: NetworkingSession, wanted: Sequence[Record], parents: set[str]) -> None:
    """Raise an error if ports can't be added to a trunk."""
    for one in wanted:
        if one["port_id"] in parents:
            raise _in_use_as_parent(one["port_id"])
        if items.find(session, "ports", one["port_id"]) is None:
            raise Missing("Port", one["port_id"])
        if any(one.get(name) is None for name in _SEGMENTATION):
            raise InvalidInput(
                f"Invalid subport details '{one}': missing segmentation information. Must specify "
                "both segmentation_id and segmentation_type"
            )
        if one["segmentation_type"] != "vlan":
            raise InvalidInput(f"Unknown segmentation_type '{one['segmentation_type']}'")
        if not isinstance(one["segmentation_id"], int):
            raise InvalidInput(
                f"Invalid subport details: segmentation_id '{one['segmentation_id']}' is not an "
                "integer"
            )
        if one["segmentation_id"] not in _VLANS:
            raise InvalidInput(f"Segmentation ID '{one['segmentation_id']}' is not in range")
        _check_free(session, one["port_id"])


def _check_free(session: NetworkingSession, port_id: str) -> None:
    try:
        check_port_unused(session, port_id)
    except Conflict as exc:
        if exc.code == "PortInUseAsTrunkParent":
            raise _in_use_as_parent(port_id) from None
        raise Conflict(f"Port {port_id} is in use by another trunk.", "TrunkPortInUse") from None


def _in_use_as_parent(port_id: str) -> Conflict:
    return Conflict(
        f"Port {port_id} is currently in use and is not eligible for use as a parent port.",
        "ParentPortInUse",
    )


def _with_ports(session: NetworkingSession, trunk: Record, sub_ports: list[Record]) -> Record:
    return items.save(session, "trunks", trunk, {"sub_ports": sub_ports}, bump=False)
