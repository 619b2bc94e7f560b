"""Block devices of instances (Nova's block device mappings), and their ports."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.common import randomness
from fake_server.compute.errors import InvalidVolume, PortInUse
from fake_server.compute.models import instances
from fake_server.compute.session import reader, writer
from fake_server.compute.tables import block_devices, ports
from fake_server.db.store import DuplicateError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from fake_server.db.store import Record, Transaction

VOLUME, LOCAL = "volume", "local"
READ_WRITE = "rw"


@reader
def get_all(tx: Transaction, /, **match: str) -> list[Record]:
    """Return the block devices whose columns have these values, in their order."""
    return tx.rows(block_devices, "number", **match)


@reader
def volumes_of(tx: Transaction, server_ids: Collection[str]) -> dict[str, list[Record]]:
    """Return the block devices of instances that are volumes, by the id of each instance."""
    found: dict[str, list[Record]] = {ident: [] for ident in server_ids}
    query = sa.select(block_devices).where(
        block_devices.c.server_id.in_(list(found)), block_devices.c.volume_id.is_not(None)
    )
    for row in tx.all(query.order_by(block_devices.c.number)):
        found[row["server_id"]].append(row)
    return found


@reader
def get(tx: Transaction, server_id: str, volume_id: str) -> Record | None:
    """Return the block device of an instance that is a certain volume, if there is one."""
    return tx.get(block_devices, server_id=server_id, volume_id=volume_id)


@writer
def create(tx: Transaction, server_id: str, values: Mapping[str, Any]) -> Record:
    """Add a block device to an instance; raise InstanceNotFound without one."""
    instances.get(tx, server_id)
    row = {**values, "id": randomness.uuid(), "server_id": server_id}
    tx.insert(block_devices, row)
    return row


@reader
def check_attachable(tx: Transaction, server_id: str, volume: Mapping[str, Any]) -> None:
    """Raise InvalidVolume if an instance has a volume, or another one has it for itself."""
    ident = volume["id"]
    having = [row["server_id"] for row in get_all(tx, volume_id=ident)]
    if having and not volume["multiattach"]:
        raise InvalidVolume(f"volume {ident} is already attached to instances: {', '.join(having)}")
    if server_id in having:
        raise InvalidVolume(f"volume {ident} already attached to instance {server_id}")


@writer
def reserve(
    tx: Transaction, server_id: str, volume: Mapping[str, Any], values: Mapping[str, Any]
) -> Record:
    """Add a volume that is yet to be attached to an instance, with a free name unless it has one.

    :raises InvalidVolume: see :func:`check_attachable`.
    """
    check_attachable(tx, server_id, volume)
    name = values["device_name"]
    if name is None:
        owned = get_all(tx, server_id=server_id)
        name = next_name(owned, local_root=all(device["boot_index"] != 0 for device in owned))
    own = {"volume_id": volume["id"], "device_name": name, "attachment_id": None}
    return create(tx, server_id, {**values, **own})


@writer
def update(tx: Transaction, /, ident: str, **changes: Any) -> bool:
    """Change columns of a block device; return whether it is still there."""
    return bool(tx.update_row(block_devices, ident, changes))


@writer
def destroy(tx: Transaction, ident: str) -> None:
    """Take a block device away from its instance."""
    tx.remove(block_devices, id=ident)


def next_name(devices: Iterable[Mapping[str, Any]], *, local_root: bool) -> str:
    """Return the first free device name; ``local_root`` means that a disk has the first one.

    As ``get_next_device_name`` of Nova.
    """
    taken = {device["device_name"] for device in devices}
    if local_root:
        taken.add("/dev/sda")
    names = (f"/dev/sd{_letters(number)}" for number in count())
    return next(name for name in names if name not in taken)


@reader
def ports_of(tx: Transaction, server_id: str) -> dict[str, Record]:
    """Return the ports of an instance in their order, by their ids in Neutron."""
    return {row["port_id"]: row for row in tx.rows(ports, "number", server_id=server_id)}


@reader
def port_numbers(tx: Transaction, server_ids: Iterable[str]) -> dict[str, int]:
    """Return the place of each port of instances among those of its own, by its id in Neutron."""
    query = sa.select(ports.c.port_id, ports.c.number)
    return {row["port_id"]: row["number"] for row in tx.among(query, ports.c.server_id, server_ids)}


@writer
def add_port(tx: Transaction, port: Mapping[str, Any]) -> None:
    """Add a port from its columns.

    :raises InstanceNotFound: without its instance.
    :raises PortInUse: if an instance has it.
    """
    instances.get(tx, port["server_id"])
    try:
        tx.insert(ports, port)
    except DuplicateError:
        raise PortInUse(port["port_id"]) from None


@writer
def remove_port(tx: Transaction, port: Mapping[str, Any]) -> None:
    """Take a port away from its instance."""
    tx.remove(ports, server_id=port["server_id"], port_id=port["port_id"])


def _letters(number: int) -> str:
    first, last = divmod(number, 26)
    return (_letters(first - 1) if first else "") + chr(ord("a") + last)
