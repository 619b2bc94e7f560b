"""Volume connectors and volume targets of nodes.

Connectors are what a node presents to the storage, such as an initiator's name; targets are the
volumes that it uses, and in which order it boots from them. Records have the columns of their
table and ``node_uuid``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors, states
from fake_server.baremetal.models import node_resources, nodes, rows
from fake_server.baremetal.tables import volume_connectors, volume_targets
from fake_server.common import randomness
from fake_server.db.store import DuplicateError, Record

if TYPE_CHECKING:
    from collections.abc import Mapping

    import sqlalchemy as sa

    from fake_server.baremetal.models.paging import Page
    from fake_server.baremetal.session import Session


@dataclass(frozen=True)
class VolumeModel:
    """The operations on one of the two kinds.

    :param table: where they are stored.
    :param noun: what one is called.
    :param distinct: a column that makes it unique, beside its UUID.
    :param taken: says what isn't unique then.
    """

    table: sa.Table
    noun: str
    distinct: str
    taken: str

    def missing(self, uuid: str) -> errors.NotFound:
        """Return the error for a UUID that there isn't."""
        return errors.NotFound(f"{self.noun.capitalize()} {uuid} could not be found.")

    def get(self, session: Session, uuid: str) -> Record:
        """Return one; raise NotFound if there is none."""
        found = node_resources.find(session, self.table, uuid=uuid)
        if found is None:
            raise self.missing(uuid)
        return found

    def fetch(
        self,
        session: Session,
        page: Page,
        node_id: int | None = None,
        project: str | None = None,
        **match: Any,
    ) -> list[Record]:
        """Return a page of them, of one node or of all.

        :param project: the project that owns or leases their nodes; all without it.
        :param match: values that columns must have.
        """
        conditions = node_resources.of_nodes(self.table, node_id=node_id, project=project)
        conditions += [self.table.c[key] == value for key, value in match.items()]
        return node_resources.fetch(session, self.table, page, *conditions)

    def create(self, session: Session, node: Record, values: Mapping[str, Any]) -> Record:
        """Create one for a node; raise Conflict when it isn't unique."""
        row = {
            **_stored(values),
            "uuid": values.get("uuid") or randomness.uuid(),
            "node_id": node["id"],
            "created_at": session.clock.now(),
        }
        try:
            session.tx.insert(self.table, row)
        except DuplicateError as exc:
            if self.distinct in exc.columns:
                raise self._clash(row) from exc
            raise rows.not_unique(f"A {self.noun}", "uuid", row) from exc
        return self.get(session, row["uuid"])

    def update(
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
        changes = _stored(changes)
        values = {**changes, "node_id": node["id"], "updated_at": session.clock.now()}
        try:
            session.tx.update_row(self.table, item["id"], values)
        except DuplicateError as exc:
            raise self._clash({**item, **changes}) from exc
        return {**item, **values, "node_uuid": node["uuid"]}

    def delete(self, session: Session, item: Record, node: Record) -> None:
        """Remove one from its node.

        :raises NodeLocked, InvalidStateRequested: unless the node is free and powered off or not
            in service.
        """
        nodes.lock(session, node)
        only_off = session.dialect.removes_only_when_off
        if only_off or node["provision_state"] not in states.DELETABLE:
            _check_off(node, f"{self.noun} deletion")
        session.tx.delete(self.table, self.table.c.id == item["id"])

    def _clash(self, row: Mapping[str, Any]) -> errors.Conflict:
        return errors.Conflict(f"A {self.noun} {self.taken % row} already exists.")


def _stored(values: Mapping[str, Any]) -> Record:
    """Return values as columns hold them; to JSON, 7.0 is an integer as 7 is."""
    return {
        name: int(value) if isinstance(value, float) else value for name, value in values.items()
    }


CONNECTORS = VolumeModel(
    volume_connectors,
    "volume connector",
    distinct="type",
    taken="with type %(type)s and connector ID %(connector_id)s",
)
TARGETS = VolumeModel(
    volume_targets,
    "volume target",
    distinct="boot_index",
    taken="with boot index '%(boot_index)s' for the same node",
)


def _check_off(node: Record, action: str) -> None:
    if node["power_state"] != states.POWER_OFF:
        raise errors.InvalidStateRequested(
            action=action, node=node["uuid"], state=node["power_state"]
        )
