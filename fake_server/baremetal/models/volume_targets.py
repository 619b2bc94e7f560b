"""Volume targets: the volumes that a node uses, and in which order it boots from them.

Records have the columns of the table and ``node_uuid``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ...store import DuplicateError, Record
from .. import errors
from ..tables import volume_targets
from . import belongings, nodes, volume

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..session import Session
    from .paging import Page


def get(session: Session, uuid: str) -> Record:
    """Return a target.

    :raises VolumeTargetNotFound: if there is none.
    """
    target = belongings.find(session, volume_targets, uuid=uuid)
    if target is None:
        raise errors.VolumeTargetNotFound(target=uuid)
    return target


def fetch(session: Session, page: Page, node_id: int | None = None, **match: Any) -> list[Record]:
    """Return a page of the targets, of one node or of all.

    :param match: values that columns must have.
    """
    conditions = [volume_targets.c[key] == value for key, value in match.items()]
    if node_id is not None:
        conditions.append(volume_targets.c.node_id == node_id)
    return belongings.fetch(session, volume_targets, page, *conditions)


def create(session: Session, node: Record, values: Mapping[str, Any]) -> Record:
    """Create a target of a node.

    :raises VolumeTargetBootIndexAlreadyExists, VolumeTargetAlreadyExists: when it isn't
        unique.
    """
    row = {
        **values,
        "uuid": values.get("uuid") or str(uuid4()),
        "node_id": node["id"],
        "created_at": session.clock.now(),
    }
    try:
        session.tx.insert(volume_targets, row)
    except DuplicateError as exc:
        if "boot_index" in exc.columns:
            raise _taken(row) from exc
        raise errors.VolumeTargetAlreadyExists(uuid=row["uuid"]) from exc
    return get(session, row["uuid"])


def update(session: Session, target: Record, node: Record, changes: Mapping[str, Any]) -> Record:
    """Change a target.

    :param node: the node it belongs to afterwards.
    :raises NodeLocked, InvalidStateRequested: unless that node is free and powered off.
    :raises VolumeTargetBootIndexAlreadyExists: when it isn't unique any more.
    """
    nodes.lock(session, node)
    volume.check_off(node, "volume target update")
    if not changes and node["id"] == target["node_id"]:
        return target
    values = {**changes, "node_id": node["id"], "updated_at": session.clock.now()}
    try:
        session.tx.update(volume_targets, [volume_targets.c.id == target["id"]], values)
    except DuplicateError as exc:
        raise _taken({**target, **changes}) from exc
    return {**target, **values, "node_uuid": node["uuid"]}


def delete(session: Session, target: Record, node: Record) -> None:
    """Remove a target of a node.

    :raises NodeLocked, InvalidStateRequested: unless the node is free and powered off or not in
        service.
    """
    nodes.lock(session, node)
    volume.check_removable(session, node, "volume target deletion")
    session.tx.delete(volume_targets, volume_targets.c.id == target["id"])


def _taken(row: Mapping[str, Any]) -> errors.Conflict:
    return errors.VolumeTargetBootIndexAlreadyExists(boot_index=row["boot_index"])
