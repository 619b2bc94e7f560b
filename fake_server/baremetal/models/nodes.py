"""Nodes: how they are found, created, changed and removed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from uuid import uuid4

from ...store import DuplicateError, Record
from .. import errors
from ..session import Session
from ..tables import nodes

#: Applies the transition of a node that is due; see :func:`on_due`.
_due_handlers: list[Callable[[Session, Record], Record]] = []


def on_due(function: Callable[[Session, Record], Record]) -> Callable[[Session, Record], Record]:
    """Register the function that applies the due transitions of a node.

    It gets a node whose ``due_at`` has passed and returns the node as it is afterwards; it may
    plan a further transition. It is called until nothing is due.
    """
    _due_handlers[:] = [function]
    return function


def get_by_id(session: Session, node_id: int) -> Record:
    """Return a node by its ``id`` in the database."""
    return _found(session, node_id, id=node_id)


def get_by_uuid(session: Session, uuid: str) -> Record:
    """Return a node.

    :raises NodeNotFound: if there is none with this UUID, spelled just so.
    """
    return _found(session, uuid, uuid=uuid)


def get_by_name(session: Session, name: str) -> Record:
    """Return a node by its logical name.

    :raises NodeNotFound: if there is none.
    """
    return _found(session, name, name=name)


def settled(session: Session, node: Record) -> Record:
    """Return a node with its due transitions applied."""
    while node["due_at"] is not None and node["due_at"] <= session.clock.seconds():
        for function in _due_handlers:
            node = function(session, node)
    return node


def create(session: Session, values: Mapping[str, Any]) -> Record:
    """Create a node.

    :param values: columns; a ``uuid`` is made up if there is none.
    :raises NodeAlreadyExists, DuplicateName, InstanceAssociated: when it isn't unique.
    """
    row = {"uuid": str(uuid4()), **values, "created_at": session.clock.now()}
    try:
        session.tx.insert(nodes, row)
    except DuplicateError as exc:
        if "name" in exc.columns:
            raise errors.DuplicateName(name=row["name"]) from exc
        if "instance_uuid" in exc.columns:
            raise errors.InstanceAssociated(
                instance_uuid=row["instance_uuid"], node=row["uuid"]
            ) from exc
        raise errors.NodeAlreadyExists(uuid=row["uuid"]) from exc
    return get_by_uuid(session, row["uuid"])


def update(session: Session, node: Record, changes: Mapping[str, Any]) -> Record:
    """Change a node and return it as it is then.

    :raises DuplicateName, InstanceAssociated: when it isn't unique any more.
    """
    values = {**changes, "updated_at": session.clock.now()}
    try:
        session.tx.update(nodes, [nodes.c.id == node["id"]], values)
    except DuplicateError as exc:
        if "name" in exc.columns:
            raise errors.DuplicateName(name=changes["name"]) from exc
        raise errors.InstanceAssociated(
            instance_uuid=changes["instance_uuid"], node=node["uuid"]
        ) from exc
    return {**node, **values}


def reserve(session: Session, node: Record) -> Record:
    """Lock a node for this server.

    :raises NodeLocked: if someone else holds the lock.
    """
    host = session.settings.host
    free = [nodes.c.id == node["id"], nodes.c.reservation.is_(None)]
    if not session.tx.update(nodes, free, {"reservation": host}):
        current = get_by_id(session, node["id"])
        raise errors.NodeLocked(node=node["uuid"], host=current["reservation"])
    return {**node, "reservation": host}


def release(session: Session, node: Record) -> Record:
    """Unlock a node."""
    session.tx.update(nodes, [nodes.c.id == node["id"]], {"reservation": None})
    return {**node, "reservation": None}


def check_free(node: Record) -> None:
    """Refuse what needs a lock while someone else holds it.

    A request that ends within its transaction needs no stored lock, only a free node.

    :raises NodeLocked: if the node is reserved.
    """
    if node["reservation"] is not None:
        raise errors.NodeLocked(node=node["uuid"], host=node["reservation"])


def _found(session: Session, ident: Any, **match: Any) -> Record:
    node = session.tx.get(nodes, **match)
    if node is None:
        raise errors.NodeNotFound(node=ident)
    return node if node["due_at"] is None else settled(session, node)
