"""The volume targets of a node, kept in line with the volumes of its server.

Ironic lets targets be deleted or changed only while their node is off. What isn't possible yet is
done by a later request.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.compute.cloud import Refused, listed
from fake_server.compute.errors import BuildError
from fake_server.compute.models import devices, servers

if TYPE_CHECKING:
    from fake_server.compute.session import Session
    from fake_server.db.store import Record

_NOT_NOW = (400, 409)


def add(session: Session, server: Record, node_uuid: str, owned: list[Record]) -> None:
    """Add the targets of a server's volumes to its node; raise BuildError if Ironic refuses one."""
    taken = {target["boot_index"] for target in _present(session, node_uuid)}
    for device in sorted(owned, key=_order):
        try:
            taken.add(_create(session, node_uuid, device, taken))
        except Refused as exc:
            raise BuildError(
                f"Failed to add volume target information of volume {device['volume_id']} on node "
                f"{node_uuid} when provisioning the instance {server['id']}: {exc}"
            ) from exc


def sync(session: Session, server: Record) -> None:
    """Make the targets of a node match the volumes of its server, as far as possible now."""
    if server["node_uuid"] is None:
        return
    try:
        pending = not _brought_in_line(session, server)
    except Refused:
        pending = True
    if pending != server["unfinished"]:
        session.database.write(
            lambda tx: servers.update(tx, session.clock, server["id"], unfinished=pending)
        )


def remove(session: Session, node_uuid: str, owned: list[Record]) -> bool:
    """Delete the targets of a server's volumes from a node; return whether all are gone."""
    ids = {device["volume_id"] for device in owned}
    mine = [target for target in _present(session, node_uuid) if target["volume_id"] in ids]
    left = [target for target in mine if not _remove(session, target)]
    return not left


def _brought_in_line(session: Session, server: Record) -> bool:
    owned = session.database.read(lambda tx: devices.volumes_of(tx, [server["id"]]))
    wanted = {device["volume_id"]: device for device in owned.get(server["id"], ())}
    present = _present(session, server["node_uuid"])
    unwanted = [target for target in present if target["volume_id"] not in wanted]
    gone = [target for target in unwanted if _remove(session, target)]
    present = [target for target in present if target not in gone]
    taken = {target["boot_index"] for target in present}
    having = {target["volume_id"] for target in present}
    for device in sorted(wanted.values(), key=_order):
        if device["volume_id"] in having or device["attachment_id"] is None:
            continue
        taken.add(_create(session, server["node_uuid"], device, taken))
    return len(gone) == len(unwanted)


def _present(session: Session, node_uuid: str) -> list[dict[str, Any]]:
    try:
        found = session.cloud.baremetal("GET", f"/volume/targets?node={node_uuid}&detail=True")
    except Refused as exc:
        if exc.status == 404:
            return []
        raise
    return listed(found)


def _remove(session: Session, target: dict[str, Any]) -> bool:
    try:
        session.cloud.baremetal("DELETE", f"/volume/targets/{target['uuid']}")
    except Refused as exc:
        if exc.status in _NOT_NOW:
            return False
        if exc.status != 404:
            raise
    return True


def _create(session: Session, node_uuid: str, device: Record, taken: set[int]) -> int:
    """Create the target of a volume; return its place in the boot order."""
    boot_index = device["boot_index"]
    if boot_index is None or boot_index < 0:
        boot_index = next(index for index in range(1, len(taken) + 2) if index not in taken)
    path = f"/attachments/{device['attachment_id']}"
    connection = dict(session.cloud.storage("GET", path)["attachment"]["connection_info"])
    kind = connection.pop("driver_volume_type")
    del connection["attachment_id"]
    body = {
        "node_uuid": node_uuid,
        "volume_type": kind,
        "volume_id": device["volume_id"],
        "boot_index": boot_index,
        "properties": connection,
    }
    session.cloud.baremetal("POST", "/volume/targets", body)
    return int(boot_index)


def _order(device: Record) -> tuple[bool, int, int]:
    """Return the sort key of a device: those with a boot index come first."""
    index = device["boot_index"]
    unplaced = index is None or index < 0
    return (unplaced, 0 if unplaced else index, device["number"])
