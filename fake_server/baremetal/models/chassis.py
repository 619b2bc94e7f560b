"""Chassis: groups of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal import errors
from fake_server.baremetal.models import paging, rows
from fake_server.baremetal.tables import chassis, nodes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record


def get(session: Session, uuid: str) -> Record:
    """Return a chassis; raise ChassisNotFound if there is none."""
    found = session.tx.get(chassis, uuid=uuid)
    if found is None:
        raise errors.ChassisNotFound(chassis=uuid)
    return found


def identify(session: Session, uuid: str | None) -> int | None:
    """Return the ``id`` of a node's chassis, if any; raise ChassisNotFound with status 400."""
    if not uuid:
        return None
    try:
        return int(get(session, uuid)["id"])
    except errors.ChassisNotFound as exc:
        exc.code = 400
        raise


def fetch(session: Session, page: paging.Page) -> list[Record]:
    """Return a page of the chassis."""
    return paging.fetch(session, chassis, sa.select(chassis), page)


def create(session: Session, values: Mapping[str, Any]) -> Record:
    """Create a chassis; raise AlreadyExists if its UUID is taken."""
    return get(session, rows.insert(session, chassis, values, "A chassis"))


def update(session: Session, found: Record, changes: Mapping[str, Any]) -> Record:
    """Change a chassis and its ``updated_at``; raise InvalidParameterValue for another UUID."""
    if "uuid" in changes:
        raise errors.InvalidParameterValue("Cannot overwrite UUID for an existing Chassis.")
    values = {**changes, "updated_at": session.clock.now()}
    session.tx.update_row(chassis, found["id"], values)
    return {**found, **values}


def delete(session: Session, found: Record) -> None:
    """Remove a chassis; raise Invalid if a node is in it."""
    if session.tx.get(nodes, chassis_id=found["id"]):
        raise errors.Invalid(
            f"Cannot complete the requested action because chassis {found['uuid']} contains nodes."
        )
    session.tx.delete(chassis, chassis.c.id == found["id"])
