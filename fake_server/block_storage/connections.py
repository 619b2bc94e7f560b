"""Connection information: how a node reaches a volume, in the shapes that drivers return it."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING, Any

from fake_server.common import randomness
from fake_server.common.dialects.cinder import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.db.store import Record

#: Where the storage listens; a multipath connection uses both.
PORTALS = ("192.0.2.10:3260", "192.0.2.11:3260")
_TARGET = "iqn.2010-10.org.openstack:volume"
_WWPN_BASE = 0x50014380_00000000
_NVME_PORT = 4420
#: What a connector needs for each protocol; of several that it has, the first one is used.
_NEEDED = {"iscsi": "initiator", "fibre_channel": "wwpns", "nvmeof": "nqn"}
_LETTERS = string.ascii_letters + string.digits


def connect(
    volume: Record, connector: Mapping[str, Any], mode: str, protocol: str | None
) -> dict[str, Any]:
    """Return the connection of a volume to what a connector describes.

    :param connector: ``initiator`` for iSCSI, ``wwpns`` for Fibre Channel, ``nqn`` for NVMe over
        Fabrics; ``multipath``.
    :param mode: ``rw`` or ``ro``.
    :param protocol: ``iscsi``, ``fibre_channel`` or ``nvmeof`` where the volume's type tells it,
        else what the connector has.
    :returns: ``driver_volume_type`` and ``data``.
    :raises InvalidInput: if the connector has nothing for it.
    """
    if protocol is None:
        found = [name for name, needed in _NEEDED.items() if connector.get(needed)]
        if not found:
            raise _missing("initiator or wwpns")
        protocol = found[0]
    elif not connector.get(_NEEDED[protocol]):
        raise _missing(_NEEDED[protocol])
    data: dict[str, Any] = {
        "volume_id": volume["id"],
        "encrypted": volume["encryption_key_id"] is not None,
        "qos_specs": None,
        "access_mode": mode,
        "cacheable": False,
    }
    if protocol == "iscsi":
        data |= _iscsi(volume, multipath=bool(connector.get("multipath")))
    elif protocol == "nvmeof":
        data |= _nvme(volume)
    else:
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


def _nvme(volume: Record) -> dict[str, Any]:
    address, _, _ = PORTALS[0].partition(":")
    return {
        "target_nqn": f"nqn.2010-10.org.openstack:{volume['id']}",
        "target_portal": address,
        "target_port": _NVME_PORT,
        "transport_type": "tcp",
        "ns_id": 1,
        "vol_uuid": volume["id"],
        "discard": False,
    }


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
