"""Connection information: how a node reaches a volume, in the shapes that drivers return it."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING, Any

from fake_server.block_storage.errors import InvalidInput
from fake_server.common import randomness

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.db.store import Record

#: Where the storage listens; a multipath connection uses both.
PORTALS = ("192.0.2.10:3260", "192.0.2.11:3260")
_TARGET = "iqn.2010-10.org.openstack:volume"
_WWPN_BASE = 0x50014380_00000000
_LETTERS = string.ascii_letters + string.digits


def connect(
    volume: Record, connector: Mapping[str, Any], mode: str, protocol: str | None
) -> dict[str, Any]:
    """Return the connection of a volume to what a connector describes.

    :param connector: ``initiator`` for iSCSI, ``wwpns`` for Fibre Channel; ``multipath``.
    :param mode: ``rw`` or ``ro``.
    :param protocol: ``iscsi`` or ``fibre_channel`` where the volume's type tells it, else what
        the connector has.
    :returns: ``driver_volume_type`` and ``data``.
    :raises InvalidInput: if the connector has nothing for it.
    """
    if protocol is None:
        protocol = "fibre_channel" if not connector.get("initiator") else "iscsi"
        if protocol == "fibre_channel" and not connector.get("wwpns"):
            raise _missing("initiator or wwpns")
    data: dict[str, Any] = {
        "volume_id": volume["id"],
        "encrypted": False,
        "qos_specs": None,
        "access_mode": mode,
        "cacheable": False,
    }
    if protocol == "iscsi":
        if not connector.get("initiator"):
            raise _missing("initiator")
        data |= _iscsi(volume, multipath=bool(connector.get("multipath")))
    else:
        if not connector.get("wwpns"):
            raise _missing("wwpns")
        data |= _fibre_channel(volume, connector["wwpns"])
    return {"driver_volume_type": protocol, "data": data}


def _iscsi(volume: Record, *, multipath: bool) -> dict[str, Any]:
    iqn = f"{_TARGET}-{volume['id']}"
    data: dict[str, Any] = {
        "target_discovered": False,
        "target_iqn": iqn,
        "target_portal": PORTALS[0],
        "target_lun": 0,
        "auth_method": "CHAP",
        "auth_username": _word(20),
        "auth_password": _word(16),
        "discard": False,
    }
    if multipath:
        data |= {
            "target_iqns": [iqn, f"{iqn}-1"],
            "target_portals": list(PORTALS),
            "target_luns": [0, 1],
        }
    return data


def _fibre_channel(volume: Record, wwpns: Any) -> dict[str, Any]:
    initiators = wwpns if isinstance(wwpns, list) else [wwpns]
    number = volume["number"]
    targets = [f"{_WWPN_BASE + 2 * number + port:016x}" for port in range(2)]
    return {
        "target_discovered": True,
        "target_wwn": targets,
        "target_lun": 1,
        "initiator_target_map": {str(initiator): targets for initiator in initiators},
    }


def _missing(what: str) -> InvalidInput:
    return InvalidInput(f"Connector doesn't have required information: {what}")


def _word(length: int) -> str:
    return "".join(randomness.choice(_LETTERS) for _ in range(length))
