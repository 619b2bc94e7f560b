"""Attach volumes to nodes, and detach them, with the Block Storage and the Bare Metal service.

The workflow of the specification "Add volume connection information for Ironic nodes", in its
standalone mode: the volume connectors of the node are fetched from Ironic, the volume is attached
in Cinder, and the connection information becomes a volume target of the node. Steps that were done
already are skipped, so that a failed call can be repeated. If a step is refused, the previous ones
are rolled back, or the exception names what is left.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from baremetalclient import exc
from baremetalclient._bulk.fetcher import Fetcher
from baremetalclient._bulk.kinds import ATTACHMENT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from baremetalclient.block_storage.objects import (
        Attachment,
        AttachmentStatus,
        Connector,
        Mode,
        Volume,
    )
    from baremetalclient.block_storage.service import BlockStorage
    from baremetalclient.v1.client import Client
    from baremetalclient.v1.node import Node
    from baremetalclient.v1.objects import Patch
    from baremetalclient.v1.volume_target import VolumeTarget

_NODE_FIELDS = ("uuid", "name", "instance_uuid", "power_state")


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


def attach(
    ironic: Client,
    storage: BlockStorage,
    volume_id: str,
    node: str,
    *,
    mode: Mode = "rw",
    boot_index: int | None = None,
    allow_shared_write: bool = False,
) -> Attached:
    """Attach a volume to a node, ready for its deployment.

    Steps that were done already are skipped, so this can complete an earlier call that failed.

    :param ironic: the Bare Metal service.
    :param storage: the Block Storage service.
    :param volume_id: the id of the volume.
    :param node: the UUID or name of the node.
    :param mode: ``rw`` for read and write, ``ro`` for read only.
    :param boot_index: the boot index, by default the first free one; the node boots from 0.
    :param allow_shared_write: whether several nodes may write to the volume.
    :returns: the attachment.
    :raises ValidationError: if the node has no connector for the storage, or several nodes would
        write to the volume.
    :raises HttpError: if one of the services refuses; all steps of this call are rolled back.
    """
    found = ironic.node.get(node, fields=_NODE_FIELDS)
    owners = _owners(found)
    attachments = storage.attachments(volume_id=volume_id)
    present = next((one for one in attachments if one.get("instance") in owners), None)
    if mode == "rw" and not allow_shared_write:
        others = (one for one in attachments if one.get("instance") not in owners)
        if any(one.get("attach_mode") != "ro" for one in others):
            raise exc.ValidationError(_shared_write(volume_id))
    target = _target_of(ironic, found.uuid, volume_id)
    had_target = target is not None
    attachment = present
    if attachment is None or not attachment.get("connection_info"):
        connector = connector_of(ironic, found.uuid)
        attachment = (
            storage.connect(attachment["id"], connector, mode)
            if attachment
            else storage.attach(volume_id, owners[0], connector, mode)
        )
    try:
        if target is None or attachment is not present:
            target = _set_target(ironic, found.uuid, attachment, target, boot_index)
        if attachment.get("status") != "attached":
            storage.complete(attachment["id"])
    except exc.ClientException as error:
        if present is not None:
            raise
        new_target = None if had_target else (found.uuid, volume_id)
        left = _roll_back(ironic, storage, attachment["id"], new_target)
        if not left:
            raise
        raise exc.LeftBehind(
            f"{error} Not rolled back: {left}. Repeat the call, or detach the volume."
        ) from error
    return Attached(
        found.uuid,
        volume_id,
        attachment["id"],
        target.uuid,
        target.boot_index,
        attachment.get("attach_mode") or mode,
        "attached",
    )


def detach(ironic: Client, storage: BlockStorage, volume_id: str, node: str) -> Attached:
    """Detach a volume from a node.

    The volume target is deleted first: if Ironic refuses, since the node is powered on, the
    attachment is kept.

    :param ironic: the Bare Metal service.
    :param storage: the Block Storage service.
    :param volume_id: the id of the volume.
    :param node: the UUID or name of the node.
    :returns: the former attachment.
    :raises NotFound: if the volume is not attached to the node.
    :raises HttpError: if one of the services refuses.
    """
    found = ironic.node.get(node, fields=_NODE_FIELDS)
    target = _target_of(ironic, found.uuid, volume_id)
    owners = _owners(found)
    attachments = [
        attachment
        for attachment in storage.attachments(volume_id=volume_id)
        if attachment.get("instance") in owners
    ]
    if target is None and not attachments:
        raise exc.NotFound(f"Volume {volume_id} is not attached to node {node}.", http_status=404)
    if target is not None:
        ironic.volume_target.delete(target.uuid)
    for attachment in attachments:
        storage.detach(attachment["id"])
    return Attached(
        found.uuid,
        volume_id,
        attachments[0]["id"] if attachments else None,
        target.uuid if target else None,
        target.boot_index if target else None,
        attachments[0].get("attach_mode") if attachments else None,
    )


def connector_of(ironic: Client, node_uuid: str) -> Connector:
    """Return the connector properties of a node for the Block Storage API.

    :param ironic: the Bare Metal service.
    :param node_uuid: the UUID of the node.
    :raises ValidationError: if it has no volume connector for the storage.
    """
    found = ironic.volume_connector.list(node=node_uuid, limit=0)
    connector: Connector = {}
    for one in found:
        if one.type == "iqn":
            connector.setdefault("initiator", one.connector_id)
        elif one.type == "ip":
            connector.setdefault("ip", one.connector_id)
        elif one.type in ("wwpn", "wwnn"):
            connector.setdefault(f"{one.type}s", []).append(one.connector_id)
    if "initiator" not in connector and "wwpns" not in connector:
        raise exc.ValidationError(
            f"Node {node_uuid} has no volume connector for the storage. Create one of type iqn for "
            "iSCSI, or wwpn for Fibre Channel, with 'volume connector create'."
        )
    # Like the storage interface of Ironic.
    multipath = {"multipath": True} if len(found) > 1 else {}
    return {**connector, "host": node_uuid, **multipath}


def check_sharing(
    volume: Volume, nodes: Sequence[str], mode: Mode, *, allow_shared_write: bool
) -> None:
    """Check that a volume can be attached to nodes.

    :raises ValidationError: if several nodes would share a volume without multiattach, or write to
        it although ``allow_shared_write`` is false.
    """
    if len(nodes) < 2:
        return
    if not volume.get("multiattach"):
        raise exc.ValidationError(
            f"Volume {volume['id']} can only be attached to one node, not to {len(nodes)}. Use a "
            "volume type with multiattach."
        )
    if mode == "rw" and not allow_shared_write:
        raise exc.ValidationError(_shared_write(volume["id"]))


def list_attached(
    ironic: Client,
    storage: BlockStorage,
    *,
    volume_id: str | None = None,
    node: str | None = None,
    deadline: float | None = None,
) -> list[Attached]:
    """Return the attached volumes, combined from both services.

    An attachment that only one of the services knows is returned without the other's fields.

    :param volume_id: only this volume.
    :param node: only this node, by UUID or name.
    :param deadline: the seconds that each request may take.
    """
    owner = ironic.node.get(node, fields=_NODE_FIELDS, deadline=deadline) if node else None
    targets = ironic.volume_target.list(
        node=owner.uuid if owner else None,
        volume_id=volume_id,
        limit=0,
        detail=True,
        deadline=deadline,
    )
    fields = ["uuid", "instance_uuid"]
    nodes = [owner] if owner else ironic.node.list(limit=0, fields=fields, deadline=deadline)
    node_of = {found.uuid: found.uuid for found in nodes}
    node_of |= {found.instance_uuid: found.uuid for found in nodes if found.instance_uuid}
    rows: dict[tuple[str, str], Attached] = {}
    for attachment in storage.attachments(volume_id=volume_id, deadline=deadline):
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


def attachment_fetcher(ironic: Client, storage: BlockStorage) -> Fetcher:
    """Return what fetches attachments of volumes to nodes.

    :param ironic: the Bare Metal service.
    :param storage: the Block Storage service.
    """
    return Fetcher(
        ATTACHMENT,
        ("attachment_id", "target_uuid"),
        lambda limit: map(vars, list_attached(ironic, storage, deadline=limit)),
        None,
    )


def _owners(node: Node) -> tuple[str, ...]:
    """Return what an attachment to a node names: its instance, or the node if it had none yet."""
    return (node.instance_uuid, node.uuid) if node.instance_uuid else (node.uuid,)


def _target_of(ironic: Client, node_uuid: str, volume_id: str) -> VolumeTarget | None:
    found = ironic.volume_target.list(node=node_uuid, volume_id=volume_id, limit=0)
    return found[0] if found else None


def _shared_write(volume_id: str) -> str:
    return (
        f"More than one node would write to volume {volume_id}, which destroys most file systems. "
        "Attach it read-only (--attach-mode ro, mode='ro'), or allow shared writing "
        "(--allow-shared-write, allow_shared_write=True)."
    )


def _set_target(
    ironic: Client,
    node_uuid: str,
    attachment: Attachment,
    target: VolumeTarget | None,
    boot_index: int | None,
) -> VolumeTarget:
    properties = dict(attachment["connection_info"])
    kind = properties.pop("driver_volume_type", "iscsi")
    properties.pop("attachment_id", None)
    if target is not None:
        patch: Patch = [
            {"op": "replace", "path": "/properties", "value": properties},
            {"op": "replace", "path": "/volume_type", "value": kind},
        ]
        return ironic.volume_target.update(target.uuid, patch)
    if boot_index is None:
        taken = {one.boot_index for one in ironic.volume_target.list(node=node_uuid, limit=0)}
        boot_index = next(index for index in range(len(taken) + 1) if index not in taken)
    return ironic.volume_target.create(
        node_uuid=node_uuid,
        volume_id=attachment["volume_id"],
        volume_type=kind,
        boot_index=boot_index,
        properties=properties,
        extra={"attachment_id": attachment["id"]},
    )


def _roll_back(
    ironic: Client, storage: BlockStorage, attachment_id: str, target_of: tuple[str, str] | None
) -> str:
    """Roll an attachment back; return a description of what is left, if anything.

    :param target_of: the node and the volume of the target, if this call created it.
    """
    left = []
    if target_of is not None:
        try:
            target = _target_of(ironic, *target_of)
            if target is not None:
                ironic.volume_target.delete(target.uuid)
        except exc.ClientException as failure:
            left.append(f"the volume target of node {target_of[0]} ({failure})")
    try:
        storage.detach(attachment_id)
    except exc.NotFound:
        pass
    except exc.ClientException as failure:
        left.append(f"attachment {attachment_id} in the block storage service ({failure})")
    return " and ".join(left)
