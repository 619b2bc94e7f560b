"""Resource classes: the standard ones, and those that users made."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fake_server.common.errors import BadRequest, Conflict
from fake_server.placement.errors import ClassNotFound
from fake_server.placement.models.names import Names
from fake_server.placement.tables import allocations, custom_classes, inventories

if TYPE_CHECKING:
    from fake_server.db.store import Transaction

CUSTOM = "CUSTOM_"
STANDARD = (
    "VCPU",
    "MEMORY_MB",
    "DISK_GB",
    "PCI_DEVICE",
    "SRIOV_NET_VF",
    "NUMA_SOCKET",
    "NUMA_CORE",
    "NUMA_THREAD",
    "NUMA_MEMORY_MB",
    "IPV4_ADDRESS",
    "VGPU",
    "VGPU_DISPLAY_HEAD",
    "NET_BW_EGR_KILOBIT_PER_SEC",
    "NET_BW_IGR_KILOBIT_PER_SEC",
    "PCPU",
    "MEM_ENCRYPTION_CONTEXT",
    "FPGA",
    "PGPU",
    "NET_PACKET_RATE_KILOPACKET_PER_SEC",
    "NET_PACKET_RATE_EGR_KILOPACKET_PER_SEC",
    "NET_PACKET_RATE_IGR_KILOPACKET_PER_SEC",
)
NAMES = Names(custom_classes, lambda: STANDARD)


def normalized(resource_class: str) -> str:
    """Return what Nova makes of the resource class of a node."""
    return CUSTOM + re.sub("[^0-9A-Za-z]+", "_", resource_class).upper()


def check(tx: Transaction, name: str) -> None:
    """Raise NotFound for an unknown class."""
    if not NAMES.exists(tx, name):
        raise ClassNotFound(name)


def rename(tx: Transaction, name: str, wanted: str) -> None:
    """Rename a class; raise NotFound, BadRequest for a standard one, Conflict for a taken name."""
    check(tx, name)
    if name in STANDARD:
        raise BadRequest(f"Cannot update standard resource class {name}")
    if NAMES.exists(tx, wanted):
        raise Conflict(f"Resource class already exists: {wanted}")
    tx.update(custom_classes, [custom_classes.c.name == name], {"name": wanted})
    for table in (inventories, allocations):
        tx.update(table, [table.c.resource_class == name], {"resource_class": wanted})


def delete(tx: Transaction, name: str) -> None:
    """Remove a class; raise NotFound, BadRequest for a standard one, Conflict for one in use."""
    check(tx, name)
    if name in STANDARD:
        raise BadRequest(
            f"Error in delete resource class: Cannot delete standard resource class {name}."
        )
    if tx.get(inventories, resource_class=name):
        raise Conflict(
            f"Error in delete resource class: Cannot delete resource class {name}. "
            "Class is in use in inventory."
        )
    tx.remove(custom_classes, name=name)
