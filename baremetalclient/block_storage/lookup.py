"""Volumes by name, and the volumes attached to nodes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from baremetalclient._http.service import find

if TYPE_CHECKING:
    from baremetalclient.block_storage.objects import AttachmentStatus, Mode, Volume
    from baremetalclient.block_storage.service import BlockStorage
    from baremetalclient.v1.client import Client

NODE_FIELDS = ("uuid", "name", "instance_uuid", "power_state")


@dataclass(frozen=True)
class Attached:
    """A volume attached to a node.

    :param node_uuid: the UUID of the node.
    :param volume_id: the id of the volume.
    :param attachment_id: the id of the attachment in the storage, if there is one.
    :param target_uuid: the UUID of the node's volume target, if there is one.
    :param boot_index: its boot index.
    :param mode: ``rw`` or ``ro``.
    :param status: the status of the attachment: ``reserved``, ``attaching`` or ``attached``.
    """

    node_uuid: str
    volume_id: str
    attachment_id: str | None = None
    target_uuid: str | None = None
    boot_index: int | None = None
    mode: Mode | None = None
    status: AttachmentStatus | None = None


def find_volume(storage: BlockStorage, name_or_id: str) -> Volume:
    """Return a volume by its id or name.

    :raises NotFound: if there is none.
    :raises NoUniqueMatch: if several have the name.
    """
    return find(storage.volume, storage.volumes_named, name_or_id, "volume")


def list_attached(
    ironic: Client, storage: BlockStorage, *, volume_id: str | None = None, node: str | None = None
) -> list[Attached]:
    """Return the attached volumes, combined from both services.

    An attachment that only one of the services knows is returned without the other's fields.

    :param volume_id: only this volume.
    :param node: only this node, by UUID or name.
    """
    owner = ironic.node.get(node, fields=NODE_FIELDS) if node else None
    targets = ironic.volume_target.list(
        node=owner.uuid if owner else None, volume_id=volume_id, limit=0, detail=True
    )
    nodes = [owner] if owner else ironic.node.list(limit=0, fields=["uuid", "instance_uuid"])
    node_of = {found.uuid: found.uuid for found in nodes}
    node_of |= {found.instance_uuid: found.uuid for found in nodes if found.instance_uuid}
    rows: dict[tuple[str, str], Attached] = {}
    for attachment in storage.attachments(volume_id=volume_id):
        node_uuid = node_of.get(attachment.get("instance") or "")
        if node_uuid is not None:
            rows[node_uuid, attachment["volume_id"]] = Attached(
                node_uuid,
                attachment["volume_id"],
                attachment["id"],
                mode=attachment.get("attach_mode"),
                status=attachment.get("status"),
            )
    for target in targets:
        key = (str(target.node_uuid), str(target.volume_id))
        known = rows.get(key, Attached(*key))
        rows[key] = replace(known, target_uuid=target.uuid, boot_index=target.boot_index)
    return sorted(rows.values(), key=lambda row: (str(row.volume_id), str(row.node_uuid)))
