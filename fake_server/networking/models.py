"""Networks, subnets, segments and ports: plain objects, kept by kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.common import randomness
from fake_server.networking import addresses
from fake_server.networking.tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from fake_server.clock import Clock
    from fake_server.db.store import Record, Transaction

_COLUMNS = ("id", "name", "network_id", "device_id")
_PREFIX = "fa:16:3e"
#: ``binding:vif_type`` of a port that no mechanism could bind.
BINDING_FAILED = "binding_failed"


def create(tx: Transaction, clock: Clock, kind: str, values: Mapping[str, Any]) -> Record:
    """Create an item of a kind such as ``ports`` with Neutron's defaults, and return it."""
    moment = f"{clock.now():%Y-%m-%dT%H:%M:%SZ}"
    item: Record = {
        "id": randomness.uuid(),
        "name": "",
        "description": "",
        "project_id": "",
        "tenant_id": "",
        "created_at": moment,
        "updated_at": moment,
        "revision_number": 1,
        "tags": [],
        **_DEFAULTS[kind](values),
        **values,
    }
    if kind == "ports":
        item["fixed_ips"] = _addresses(tx, item)
        item |= _bound(tx, item)
    tx.insert(TABLES[kind], _row(item))
    if kind == "subnets":
        _note_subnets(tx, item["network_id"])
    return item


def find(tx: Transaction, kind: str, ident: str) -> Record | None:
    """Return something by its id, or ``None``."""
    row = tx.get(TABLES[kind], id=ident)
    return None if row is None else row["values"]


def find_by_name(tx: Transaction, kind: str, ident: str) -> list[Record]:
    """Return what has this id, else everything that has this name."""
    found = find(tx, kind, ident)
    return [found] if found else fetch(tx, kind, {"name": [ident]})


def fetch(tx: Transaction, kind: str, filters: Mapping[str, Sequence[Any]]) -> list[Record]:
    """Return the items that match filters: acceptable values by name."""
    table = TABLES[kind]
    where = [table.c[key].in_(filters[key]) for key in _COLUMNS if key in filters]
    rows = tx.all(sa.select(table.c["values"]).where(*where).order_by(table.c.number))
    found = (row["values"] for row in rows)
    return [item for item in found if all(_matches(item, key, filters[key]) for key in filters)]


def update(
    tx: Transaction, clock: Clock, kind: str, ident: str, changes: Mapping[str, Any]
) -> Record | None:
    """Change something and return it, or ``None`` if there is no such thing.

    A port without an address gets a new one.
    """
    item = find(tx, kind, ident)
    if item is None:
        return None
    if kind == "ports" and changes.get("mac_address", "") is None:
        changes = {**changes, "mac_address": _address()}
    if all(item.get(name) == value for name, value in changes.items()):
        return item
    item = {**item, **changes, "updated_at": f"{clock.now():%Y-%m-%dT%H:%M:%SZ}"}
    item["revision_number"] += 1
    if kind == "ports":
        item |= _bound(tx, item)
    table = TABLES[kind]
    tx.update(table, [table.c.id == ident], _row(item))
    return item


def delete(tx: Transaction, kind: str, ident: str) -> bool:
    """Remove something; tell whether it was there."""
    table = TABLES[kind]
    item = find(tx, kind, ident)
    if item is None:
        return False
    tx.delete(table, table.c.id == ident)
    if kind == "subnets":
        _note_subnets(tx, item["network_id"])
    return True


def physical_networks(tx: Transaction, port: Mapping[str, Any]) -> Collection[str]:
    """Return the physical networks that a port is in; none if that doesn't matter.

    In a network of several segments it is that of the port's subnet, or else all of them.
    """
    network = find(tx, "networks", port["network_id"])
    if network is None:
        return ()
    segments = network.get("segments")
    if segments is None:
        single = network.get("provider:physical_network")
        return {single} if single else ()
    for fixed in addresses.objects(port.get("fixed_ips")):
        subnet = find(tx, "subnets", str(fixed.get("subnet_id")))
        segment = subnet and find(tx, "segments", str(subnet.get("segment_id")))
        if segment and segment.get("physical_network"):
            return {segment["physical_network"]}
    key = "provider:physical_network"
    return {segment[key] for segment in segments if segment.get(key)}


def _addresses(tx: Transaction, port: Mapping[str, Any]) -> list[Record]:
    """Return the addresses that a new port gets in its network."""
    within = {"network_id": [port["network_id"]]}
    subnets = fetch(tx, "subnets", within)
    if not subnets:
        return addresses.objects(port["fixed_ips"])
    taken = {
        str(fixed.get("ip_address"))
        for other in fetch(tx, "ports", within)
        for fixed in addresses.objects(other["fixed_ips"])
    }
    return addresses.of_port(port["fixed_ips"], subnets, taken)


def _note_subnets(tx: Transaction, network_id: str) -> None:
    """Let a network show its subnets."""
    network = find(tx, "networks", network_id)
    if network is not None:
        ids = [subnet["id"] for subnet in fetch(tx, "subnets", {"network_id": [network_id]})]
        table = TABLES["networks"]
        row = _row({**network, "subnets": ids})
        tx.update(table, [table.c.id == network_id], row)


def _bound(tx: Transaction, port: Mapping[str, Any]) -> Record:
    """Return what became of the binding of a port.

    It fails where the port of the node is in another physical network than the segments of its
    own.
    """
    if not port["binding:host_id"]:
        return {"binding:vif_type": "unbound", "status": "DOWN"}
    wanted = (port["binding:profile"] or {}).get("physical_network")
    there = physical_networks(tx, port)
    if wanted and there and wanted not in there:
        return {"binding:vif_type": BINDING_FAILED, "status": "DOWN"}
    return {"binding:vif_type": "other", "status": "ACTIVE"}


def _row(item: Record) -> Record:
    return {**{column: item.get(column) for column in _COLUMNS}, "values": item}


def _matches(item: Mapping[str, Any], key: str, values: Sequence[Any]) -> bool:
    value = item.get(key)
    if isinstance(value, bool):
        return str(value).lower() in [str(wanted).lower() for wanted in values]
    return str(value) in [str(wanted) for wanted in values]


def _address() -> str:
    tail = (randomness.hexadecimal(1) for _ in range(3))
    return ":".join([_PREFIX, *tail])


def _network(_values: Mapping[str, Any]) -> Record:
    return {
        "admin_state_up": True,
        "availability_zones": [],
        "mtu": 1500,
        "port_security_enabled": True,
        "provider:network_type": "flat",
        "provider:physical_network": None,
        "provider:segmentation_id": None,
        "router:external": False,
        "shared": False,
        "status": "ACTIVE",
        "subnets": [],
    }


def _subnet(values: Mapping[str, Any]) -> Record:
    return {
        **addresses.of_subnet(values.get("cidr")),
        "cidr": None,
        "dns_nameservers": [],
        "enable_dhcp": True,
        "host_routes": [],
        "ip_version": 6 if ":" in str(values.get("cidr")) else 4,
        "network_id": None,
        "segment_id": None,
    }


def _segment(_values: Mapping[str, Any]) -> Record:
    return {
        "network_id": None,
        "network_type": "flat",
        "physical_network": None,
        "segmentation_id": None,
    }


def _port(_values: Mapping[str, Any]) -> Record:
    return {
        "admin_state_up": True,
        "allowed_address_pairs": [],
        "binding:host_id": "",
        "binding:profile": {},
        "binding:vif_details": {},
        "binding:vnic_type": "normal",
        "device_id": "",
        "device_owner": "",
        "extra_dhcp_opts": [],
        "fixed_ips": [],
        "mac_address": _address(),
        "network_id": None,
        "port_security_enabled": True,
        "security_groups": [],
    }


_DEFAULTS: Mapping[str, Callable[[Mapping[str, Any]], Record]] = {
    "networks": _network,
    "subnets": _subnet,
    "segments": _segment,
    "ports": _port,
}
