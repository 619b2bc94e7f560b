"""Chassis: groups of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors, resource_fields
from fake_server.baremetal.models.model import Model
from fake_server.baremetal.tables import chassis, nodes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record


class _Chassis(Model):
    def update(self, session: Session, row: Record, changes: Mapping[str, Any]) -> Record:
        """Change a chassis, or only ``updated_at``; raise InvalidParameterValue for a UUID."""
        if "uuid" in changes:
            raise errors.InvalidParameterValue("Cannot overwrite UUID for an existing Chassis.")
        return super().update(session, row, {**changes, "updated_at": session.clock.now()})

    def delete(self, session: Session, row: Record) -> None:
        """Remove a chassis; raise Invalid if a node is in it."""
        if session.tx.get(nodes, chassis_id=row["id"]):
            raise errors.Invalid(
                "Cannot complete the requested action because chassis "
                f"{row['uuid']} contains nodes."
            )
        super().delete(session, row)


CHASSIS = _Chassis(chassis, resource_fields.CHASSIS, "chassis")


def identify(session: Session, uuid: str | None) -> int | None:
    """Return the ``id`` of a node's chassis, if any; raise NotFound with status 400."""
    if not uuid:
        return None
    try:
        return int(CHASSIS.get_by_uuid(session, uuid)["id"])
    except errors.NotFound as exc:
        raise exc.with_code(400) from None
