"""Volume connectors and volume targets of nodes.

Connectors are what a node presents to the storage, such as an initiator's name; targets are the
volumes that it uses, and in which order it boots from them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors, resource_fields, states
from fake_server.baremetal.models import nodes
from fake_server.baremetal.models.model import Model
from fake_server.baremetal.tables import volume_connectors, volume_targets

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import sqlalchemy as sa

    from fake_server.baremetal.fields import Fields
    from fake_server.baremetal.session import Session
    from fake_server.db.store import DuplicateError, Record


class VolumeModel(Model):
    """The operations on one of the two kinds; see :class:`~.model.Model`.

    :param distinct: a column that makes it unique, beside its UUID.
    :param taken: says what isn't unique then.
    """

    def __init__(
        self, table: sa.Table, fields: Fields, noun: str, *, distinct: str, taken: str
    ) -> None:
        super().__init__(table, fields, noun)
        self._distinct = distinct
        self._taken = taken

    def create(self, session: Session, values: Mapping[str, Any]) -> Record:
        """Create one; raise Conflict when it isn't unique."""
        return super().create(session, _stored(values))

    def move(
        self, session: Session, item: Record, node: Record, changes: Mapping[str, Any]
    ) -> Record:
        """Change one.

        :param node: the node it belongs to afterwards.
        :raises NodeLocked, InvalidStateRequested: unless that node is free and powered off.
        :raises Conflict: when it isn't unique any more.
        """
        nodes.lock(session, node)
        _check_off(node, f"{self.noun} update")
        if not changes and node["id"] == item["node_id"]:
            return item
        changed = self.update(session, item, {**_stored(changes), "node_id": node["id"]})
        return {**changed, "node_uuid": node["uuid"]}

    def remove(self, session: Session, item: Record, node: Record) -> None:
        """Remove one from its node.

        :raises NodeLocked, InvalidStateRequested: unless the node is free and powered off or not
            in service.
        """
        nodes.lock(session, node)
        only_off = session.dialect.removes_only_when_off
        if only_off or node["provision_state"] not in states.DELETABLE:
            _check_off(node, f"{self.noun} deletion")
        self.delete(session, item)

    def _not_unique(
        self, exc: DuplicateError, row: Mapping[str, Any], named: Sequence[str]
    ) -> errors.Conflict:
        if self._distinct in exc.columns:
            return errors.Conflict(f"A {self.noun} {self._taken % row} already exists.")
        return super()._not_unique(exc, row, named)


def _stored(values: Mapping[str, Any]) -> Record:
    """Return values as columns hold them; to JSON, 7.0 is an integer as 7 is."""
    return {
        name: int(value) if isinstance(value, float) else value for name, value in values.items()
    }


CONNECTORS = VolumeModel(
    volume_connectors,
    resource_fields.VOLUME_CONNECTORS,
    "volume connector",
    distinct="type",
    taken="with type %(type)s and connector ID %(connector_id)s",
)
TARGETS = VolumeModel(
    volume_targets,
    resource_fields.VOLUME_TARGETS,
    "volume target",
    distinct="boot_index",
    taken="with boot index '%(boot_index)s' for the same node",
)


def _check_off(node: Record, action: str) -> None:
    if node["power_state"] != states.POWER_OFF:
        raise errors.InvalidStateRequested(
            action=action, node=node["uuid"], state=node["power_state"]
        )
