"""Block devices and ports of servers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.common import randomness
from fake_server.compute.models import servers
from fake_server.compute.tables import block_devices, ports

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fake_server.db.store import Record, Transaction

VOLUME, LOCAL = "volume", "local"
READ_WRITE = "rw"


def of_server(tx: Transaction, server_id: str) -> list[Record]:
    """Return the block devices of a server in their order."""
    query = sa.select(block_devices).where(block_devices.c.server_id == server_id)
    return tx.all(query.order_by(block_devices.c.number))


def volumes_of(tx: Transaction, server_ids: Iterable[str]) -> dict[str, list[Record]]:
    """Return the block devices that are volumes, by the id of their server."""
    found: dict[str, list[Record]] = {}
    query = sa.select(block_devices).where(
        block_devices.c.server_id.in_(list(server_ids)), block_devices.c.volume_id.is_not(None)
    )
    for row in tx.all(query.order_by(block_devices.c.number)):
        found.setdefault(row["server_id"], []).append(row)
    return found


def of_volume(tx: Transaction, server_id: str, volume_id: str) -> Record | None:
    """Return the block device of a server that is a certain volume, if there is one."""
    return tx.get(block_devices, server_id=server_id, volume_id=volume_id)


def with_volume(tx: Transaction, volume_id: str) -> list[Record]:
    """Return the block devices of all servers that are a certain volume."""
    return tx.all(sa.select(block_devices).where(block_devices.c.volume_id == volume_id))


def add(tx: Transaction, server_id: str, values: Mapping[str, Any]) -> str:
    """Add a block device to a server and return its id; raise ServerNotFound without a server."""
    servers.find(tx, server_id, None)
    ident = randomness.uuid()
    row = {"tag": None, "device_name": None, **values, "id": ident, "server_id": server_id}
    tx.insert(block_devices, row)
    return ident


def update(tx: Transaction, ident: str, **changes: Any) -> None:
    """Change columns of a block device."""
    tx.update_row(block_devices, ident, changes)


def remove(tx: Transaction, ident: str) -> None:
    """Take a block device away from its server."""
    tx.delete(block_devices, block_devices.c.id == ident)


def next_name(devices: Iterable[Mapping[str, Any]], *, local_root: bool) -> str:
    """Return the first free device name; ``local_root`` means that a disk has the first one."""
    taken = {device["device_name"] for device in devices}
    if local_root:
        taken.add("/dev/sda")
    number = 0
    while (name := f"/dev/sd{_letters(number)}") in taken:
        number += 1
    return name


def ports_of(tx: Transaction, server_id: str) -> list[Record]:
    """Return the ports of a server in their order."""
    query = sa.select(ports).where(ports.c.server_id == server_id)
    return tx.all(query.order_by(ports.c.number))


def add_port(tx: Transaction, server_id: str, port_id: str, *, made: bool, tag: str | None) -> None:
    """Add a port, possibly made for the server; raise ServerNotFound without a server."""
    servers.find(tx, server_id, None)
    row = {"server_id": server_id, "port_id": port_id, "made": made, "tag": tag}
    tx.insert(ports, row)


def remove_port(tx: Transaction, server_id: str, port_id: str) -> None:
    """Take a port away from a server."""
    tx.delete(ports, ports.c.server_id == server_id, ports.c.port_id == port_id)


def _letters(number: int) -> str:
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text
