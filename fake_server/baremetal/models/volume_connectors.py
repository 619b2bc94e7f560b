"""Volume connectors: what a node presents to the storage, such as an initiator's name.

Records have the columns of the table and ``node_uuid``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ...store import DuplicateError, Record
from .. import errors
from ..tables import volume_connectors
from . import belongings, nodes, volume

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..session import Session
    from .paging import Page


def get(session: Session, uuid: str) -> Record:
    """Return a connector.

    :raises VolumeConnectorNotFound: if there is none.
    """
    connector = belongings.find(session, volume_connectors, uuid=uuid)
    if connector is None:
        raise errors.VolumeConnectorNotFound(connector=uuid)
    return connector


def fetch(session: Session, page: Page, node_id: int | None = None, **match: Any) -> list[Record]:
    """Return a page of the connectors, of one node or of all.

    :param match: values that columns must have.
    """
    conditions = [volume_connectors.c[key] == value for key, value in match.items()]
    if node_id is not None:
        conditions.append(volume_connectors.c.node_id == node_id)
    return belongings.fetch(session, volume_connectors, page, *conditions)


def create(session: Session, node: Record, values: Mapping[str, Any]) -> Record:
    """Create a connector of a node.

    :raises VolumeConnectorTypeAndIdAlreadyExists, VolumeConnectorAlreadyExists: when it isn't
        unique.
    """
    row = {
        **values,
        "uuid": values.get("uuid") or str(uuid4()),
        "node_id": node["id"],
        "created_at": session.clock.now(),
    }
    try:
        session.tx.insert(volume_connectors, row)
    except DuplicateError as exc:
        if "type" in exc.columns:
            raise _taken(row) from exc
        raise errors.VolumeConnectorAlreadyExists(uuid=row["uuid"]) from exc
    return get(session, row["uuid"])


def update(session: Session, connector: Record, node: Record, changes: Mapping[str, Any]) -> Record:
    """Change a connector.

    :param node: the node it belongs to afterwards.
    :raises NodeLocked, InvalidStateRequested: unless that node is free and powered off.
    :raises VolumeConnectorTypeAndIdAlreadyExists: when it isn't unique any more.
    """
    nodes.lock(session, node)
    volume.check_off(node, "volume connector update")
    if not changes and node["id"] == connector["node_id"]:
        return connector
    values = {**changes, "node_id": node["id"], "updated_at": session.clock.now()}
    try:
        session.tx.update(volume_connectors, [volume_connectors.c.id == connector["id"]], values)
    except DuplicateError as exc:
        raise _taken({**connector, **changes}) from exc
    return {**connector, **values, "node_uuid": node["uuid"]}


def delete(session: Session, connector: Record, node: Record) -> None:
    """Remove a connector of a node.

    :raises NodeLocked, InvalidStateRequested: unless the node is free and powered off or not in
        service.
    """
    nodes.lock(session, node)
    volume.check_removable(session, node, "volume connector deletion")
    session.tx.delete(volume_connectors, volume_connectors.c.id == connector["id"])


def _taken(row: Mapping[str, Any]) -> errors.Conflict:
    return errors.VolumeConnectorTypeAndIdAlreadyExists(
        type=row["type"], connector_id=row["connector_id"]
    )
