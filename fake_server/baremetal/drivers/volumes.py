"""Attach volumes of the server's own Cinder to nodes, as Ironic's storage interface does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors, states
from fake_server.baremetal.tables import volume_targets
from fake_server.block_storage import client as cinder
from fake_server.common.errors import ServiceError

if TYPE_CHECKING:
    from fake_server.baremetal.task.protocol import Task
    from fake_server.db.store import Record

_MOUNTPOINT = "ironic_mountpoint"
_CONNECTORS = ("wwpn", "wwnn", "iqn")


def attach(task: Task) -> None:
    """Attach the volumes of a node's targets, and note in those how they are reached.

    :raises StorageError: if one can't be attached; those that were are detached again.
    """
    if not task.volume_targets:
        return
    connector = connector_of(task)
    try:
        for target in task.volume_targets:
            _attach_one(task, target["volume_id"], connector)
    except errors.StorageError:
        detach(task, tolerant=True)
        raise


def detach(task: Task, *, tolerant: bool = False) -> None:
    """Detach the volumes of a node's targets.

    :param tolerant: whether what can't be detached is passed over, as it is of an active node.
    :raises StorageError: if one can't be detached.
    """
    if not task.volume_targets:
        return
    connector_of(task)
    tolerant = tolerant or task.node["provision_state"] == states.ACTIVE
    for target in task.volume_targets:
        try:
            _detach_one(task, target["volume_id"])
        except errors.StorageError:
            if not tolerant:
                raise


def connector_of(task: Task) -> dict[str, Any]:
    """Return what a node presents to the storage; raise StorageError if there is nothing."""
    found = task.volume_connectors
    data: dict[str, Any] = {}
    usable = False
    for row in found:
        kind, ident = row["type"] or "", row["connector_id"]
        if "iqn" in kind and "initiator" not in data:
            data["initiator"] = ident
            usable = True
        elif "ip" in kind and "ip" not in data:
            data["ip"] = ident
        elif "wwpn" in kind or "wwnn" in kind:
            data.setdefault("wwpns" if "wwpn" in kind else "wwnns", []).append(ident)
            usable = True
    if not usable:
        raise errors.StorageError(
            "Insufficient or incompatible volume connection records for node "
            f"{task.node['uuid']}. Valid connector types: {', '.join(_CONNECTORS)}"
        )
    data["host"] = task.node["uuid"]
    if len(found) > 1 and len(data) > 1:
        data["multipath"] = True
    return data


def _attach_one(task: Task, volume_id: str, connector: dict[str, Any]) -> None:
    client, uuid = _client(task), task.node["uuid"]
    volume = _get_volume(task, volume_id)
    if _attachments(task, volume_id):
        return
    if not client.begin_attaching(volume):
        raise errors.StorageError(
            f"Failed to reserve volume {volume_id} for node {uuid}: its status is "
            f"{volume['status']})"
        )
    mode = "ro" if volume["readonly"] else "rw"
    try:
        data = client.connect(volume, connector, mode)
    except ServiceError as exc:
        raise errors.StorageError(
            f"Failed to initialize connection for volume {volume_id} to node {uuid}: {exc}"
        ) from exc
    client.attach(volume, task.node["instance_uuid"] or uuid, mode, _MOUNTPOINT)
    _mark(task, volume, "attached")
    # Of every target that has the volume, as Ironic does it.
    now = task.session.clock.now()
    values = {"properties": {**data, "ironic_volume_uuid": volume_id}, "updated_at": now}
    task.session.tx.update(volume_targets, [volume_targets.c.volume_id == volume_id], values)


def _detach_one(task: Task, volume_id: str) -> None:
    volume = _get_volume(task, volume_id)
    for attachment in _attachments(task, volume_id)[:1]:
        # Cinder keeps what Nova has made until Nova removes it.
        if attachment["mountpoint"] == _MOUNTPOINT:
            _client(task).detach(attachment)
            _mark(task, volume, "detached")


def _client(task: Task) -> cinder.BlockStorageClient:
    return cinder.BlockStorageClient(task.session.tx, task.session.clock)


def _get_volume(task: Task, volume_id: str) -> Record:
    try:
        return _client(task).get_volume(volume_id)
    except ServiceError as exc:
        raise errors.StorageError(
            f"Failed to get volume {volume_id} from cinder for node {task.node['uuid']}: {exc}"
        ) from exc


def _attachments(task: Task, volume_id: str) -> list[Record]:
    owners = (task.node["instance_uuid"], task.node["uuid"])
    return [
        attachment
        for attachment in _client(task).list_attachments(volume_id)
        if attachment["instance_uuid"] in owners
    ]


def _mark(task: Task, volume: Record, action: str) -> None:
    """Note the attachment in the volume's metadata, for users to see."""
    node = task.node
    note = {
        "instance_uuid": node["instance_uuid"] or node["uuid"],
        "last_seen": task.session.clock.now().isoformat(),
        "last_action": action,
    }
    metadata = {**volume["metadata"], f"ironic_node_{node['uuid']}": json.dumps(note)}
    _client(task).set_metadata(volume, metadata)
