"""The simulated machines of nodes whose hardware type manages real ones.

A machine is what its node's controller (BMC) answers for. It exists without being stored until
something differs from a new one.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from fake_server.baremetal.tables import machines as table
from fake_server.common.schemas import Checker, object_schema
from fake_server.common.suggestion import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.db.store import Transaction

#: A new machine. Of BIOS settings it has the values, and all values from the next start on if they
#: change then; of firmware components the versions, of drives the sizes in GiB, of indicators the
#: states, of devices for virtual media the images that are in them, and of network cards the MAC
#: addresses.
NEW: Mapping[str, Any] = {
    "power_state": "power off",
    "boot_device": None,
    "boot_mode": "uefi",
    "secure_boot": False,
    "bios": {
        "BootMode": "Uefi",
        "EmbeddedSata": "Raid",
        "NicBoot1": "NetworkBoot",
        "ProcTurboMode": "Enabled",
    },
    "pending_bios": {},
    "firmware": {"bmc": "1.00"},
    "drives": {"d1": 100},
    "volumes": {},
    "indicators": {"chassis": "on", "system": "on", "disk": "on"},
    "media": {"cdrom": None, "removable": None},
    "nics": [],
    "subscriptions": {},
    "health": "OK",
    "reachable": True,
    "password": None,
    "power_stuck": False,
    "failing": [],
}


#: What of a machine can be told to fail.
PARTS = (
    "power",
    "boot_device",
    "boot_mode",
    "bios",
    "firmware",
    "indicators",
    "inspect",
    "media",
    "raid",
    "subscriptions",
    "bmc",
)
_LIGHT = {"enum": ["off", "on", "blinking"]}
_IMAGE = {"type": ["string", "null"]}
_MAC = "^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$"
_TEXTS = {"type": "object", "additionalProperties": {"type": "string"}}
_VOLUME = object_schema(
    {
        "name": {"type": "string"},
        "raid_level": {"type": "string"},
        "size_gb": {"type": "integer"},
        "drives": {"type": "array", "items": {"type": "string"}},
    },
    "name",
    "raid_level",
    "size_gb",
    "drives",
)
#: The schema of each part of a machine's state.
FIELDS: Mapping[str, Any] = {
    "power_state": {"enum": ["power on", "power off"]},
    "boot_device": {"enum": [None, "pxe", "disk", "cdrom", "bios", "safe"]},
    "boot_mode": {"enum": ["bios", "uefi"]},
    "secure_boot": {"type": "boolean"},
    "bios": _TEXTS,
    "pending_bios": _TEXTS,
    "firmware": _TEXTS,
    "drives": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1}},
    "volumes": {"type": "object", "additionalProperties": _VOLUME},
    "indicators": object_schema(
        dict.fromkeys(NEW["indicators"], _LIGHT),
        *NEW["indicators"],
    ),
    "media": object_schema(dict.fromkeys(NEW["media"], _IMAGE), *NEW["media"]),
    "nics": {"type": "array", "items": {"type": "string", "pattern": _MAC}},
    "subscriptions": {"type": "object", "additionalProperties": {"type": "object"}},
    "health": {"enum": ["OK", "Warning", "Critical", None]},
    "reachable": {"type": "boolean"},
    "password": {"type": ["string", "null"]},
    "power_stuck": {"type": "boolean"},
    "failing": {"type": "array", "items": {"enum": list(PARTS)}},
}
_CHECKER = Checker(object_schema(FIELDS))


def problem(changes: Any) -> str | None:
    """Return what is wrong with parts of a machine's state, if anything is."""
    for name in changes if isinstance(changes, dict) else ():
        if name not in FIELDS and (hint := did_you_mean(name, FIELDS)):
            return f"unknown field {name!r}.{hint}"
    found = _CHECKER.best(changes)
    if found is None:
        return None
    place = ".".join(str(step) for step in found.absolute_path)
    return f"{place}: {found.message}" if place else str(found.message)


def get(tx: Transaction, node_id: int) -> dict[str, Any]:
    """Return the whole state of a node's machine."""
    return {**deepcopy(dict(NEW)), **_stored(tx, node_id)}


def change(tx: Transaction, node_id: int, changes: Mapping[str, Any]) -> None:
    """Change parts of the state of a node's machine.

    :param changes: new values by the keys of :data:`NEW`.
    """
    before = _stored(tx, node_id)
    after = differing({**before, **changes})
    if after == before:
        return
    tx.remove(table, node_id=node_id)
    if after:
        tx.insert(table, {"node_id": node_id, "state": after})


def differing(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of a machine's state that a new one doesn't have."""
    return {name: value for name, value in state.items() if value != NEW[name]}


def _stored(tx: Transaction, node_id: int) -> dict[str, Any]:
    found = tx.get(table, node_id=node_id)
    return found["state"] if found else {}
