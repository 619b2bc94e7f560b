"""Tasks: a locked node with its driver, ports, volumes and traits."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from fake_server.baremetal import interfaces, periodic, states
from fake_server.baremetal.drivers import registry
from fake_server.baremetal.models import conductors
from fake_server.baremetal.models import nodes as node_models
from fake_server.baremetal.models.nodes import NODES
from fake_server.baremetal.models.ports import TENANT_VIF
from fake_server.baremetal.models.traits import NODE_TRAITS
from fake_server.baremetal.tables import (
    portgroups,
    ports,
    volume_connectors,
    volume_targets,
)
from fake_server.common import due_work
from fake_server.common.json_text import copied
from fake_server.common.outgoing_calls import Outcomes

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    import sqlalchemy as sa

    from fake_server.baremetal.drivers.base import Driver
    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record


class Plan(NamedTuple):
    """Work that follows once a task is done.

    :param work: name of the function in :data:`.work.WORK`.
    :param arguments: its arguments, as JSON.
    :param share: how much of the time of its transition it takes.
    """

    work: str
    arguments: dict[str, Any]
    share: float = 1.0


class Task:
    """One operation on a node, under one lock.

    ``node`` is changed in place and stored by :meth:`save`.

    :param session: the session of the request.
    :param node: the node as it is stored.
    :param shared: whether others may work on the node at the same time.
    """

    def __init__(self, session: Session, node: Record, *, shared: bool = False) -> None:
        self.session = session
        self.shared = shared
        self.plan: Plan | None = None
        #: The results of calls to agents and web services.
        self.outcomes = Outcomes([])
        self.load(node)

    def of(self, node: Record) -> Task:
        """Return a task on another node, which it shares with others."""
        return Task(self.session, node, shared=True)

    def load(self, node: Record) -> None:
        """Use a node as it is stored."""
        objects = {name: node[name] or {} for name in NODES.fields.objects}
        self._stored = {**node, **objects}
        # These are changed in place.
        self.node: Record = {**node, **copied(objects)}
        # Where the state machine is, whatever is stored in the meantime.
        self._state, self._target = node["provision_state"], node["target_provision_state"]

    def refresh(self) -> None:
        """Read the node again, without the changes that weren't saved."""
        self.load(NODES.get_by_id(self.session, self.node["id"]))

    def revert(self, column: str) -> None:
        """Undo the unsaved changes of one column."""
        self.node[column] = copied(self._stored[column])

    def lock(self) -> None:
        """Lock the node for this task alone.

        The lock ends with the transaction; work that takes longer is planned and holds a stored
        reservation.

        :raises NodeLocked: if someone else works on the node.
        """
        self.shared = False
        now = self.session.clock.now()
        node_models.reserve(self.session, self.node, now)
        self.node["updated_at"] = self._stored["updated_at"] = now

    @cached_property
    def driver(self) -> Driver:
        """The hardware interfaces of the node.

        :raises InvalidParameterValue: for an interface that the node can't have.
        """
        return registry.load(self.session.settings, self.node)

    def driver_with(self, **interfaces: str) -> Driver:
        """Return what :attr:`driver` were with other interfaces.

        :param interfaces: names of interfaces by kind.
        """
        columns = {f"{kind}_interface": name for kind, name in interfaces.items()}
        return registry.load(self.session.settings, {**self.node, **columns})

    def reload_driver(self) -> None:
        """Load the interfaces again, after the names in the node changed."""
        del self.driver

    def interface_name(self, kind: str) -> str:
        """Return the name of the interface of a kind that the node uses."""
        return interfaces.name_of(self.session.settings, self.node, kind)

    @cached_property
    def host(self) -> str:
        """The name of the conductor that does the work."""
        return conductors.host_of(self.session, self.node) or self.session.settings.host

    @property
    def internal(self) -> dict[str, Any]:
        """The node's ``driver_internal_info``."""
        return self.node["driver_internal_info"]  # type: ignore[no-any-return]

    def forget(self, *keys: str) -> None:
        """Remove keys from ``driver_internal_info``."""
        for key in keys:
            self.internal.pop(key, None)

    def stamp(self, key: str) -> None:
        """Set a key of ``driver_internal_info`` to the current time."""
        moment = self.session.clock.now()
        self.internal[key] = moment.isoformat(timespec="microseconds")

    def make_due(
        self, kind: str, seconds: float, arguments: Mapping[str, Any] | None = None
    ) -> None:
        """Have something happen at the node later.

        :param kind: name of a kind of due work.
        :param seconds: how much later.
        :param arguments: its arguments, as JSON.
        """
        at = self.session.clock.seconds() + seconds
        due_work.add(self.session.tx, kind, node_models.thing_of(self.node), at, arguments)

    def look_again(self, kind: str) -> None:
        """Have a periodic look follow that has found nothing.

        Looks that would find what this one found needn't be caught up with.
        """
        self.make_due(kind, periodic.INTERVAL + self.session.clock.late())

    def pending(self, *kinds: str) -> list[Record]:
        """Return what is pending at the node, in order; of some kinds only, if any are given."""
        return due_work.pending(self.session.tx, node_models.thing_of(self.node), *kinds)

    def cancel_due(self, *kinds: str) -> None:
        """Have nothing of some kinds happen at the node any more."""
        due_work.cancel(self.session.tx, node_models.thing_of(self.node), *kinds)

    def restart_timeout(self) -> None:
        """Restart the callback timeout, because the agent is alive."""
        self.node["provision_updated_at"] = self.session.clock.now()
        self.save()

    @property
    def ports(self) -> list[Record]:
        """The node's ports."""
        return self._with_vifs(self._rows(ports))

    @property
    def portgroups(self) -> list[Record]:
        """The node's port groups."""
        return self._with_vifs(self._rows(portgroups))

    @property
    def volume_connectors(self) -> list[Record]:
        """The node's volume connectors."""
        return self._rows(volume_connectors)

    @property
    def volume_targets(self) -> list[Record]:
        """The node's volume targets."""
        return self._rows(volume_targets)

    def remove_volume_targets(self) -> None:
        """Remove the node's volume targets."""
        self.session.tx.remove(volume_targets, node_id=self.node["id"])

    @property
    def traits(self) -> list[str]:
        """The node's traits."""
        return NODE_TRAITS.fetch(self.session, self.node)

    def save(self) -> None:
        """Store what was changed in the node."""
        changes = {
            column: value for column, value in self.node.items() if value != self._stored[column]
        }
        if not changes:
            return
        if "provision_state" in changes:
            now = self.session.clock.now()
            changes.update(_moments(self._stored["provision_state"], changes, now))
        stored = NODES.update(self.session, self._stored, changes)
        machine = self._state, self._target
        self.load(stored)
        self._state, self._target = machine

    def process(
        self,
        event: str,
        *,
        target: str | None = None,
        last_error: str | None = None,
        work: str | None = None,
        arguments: dict[str, Any] | None = None,
    ) -> None:
        """Process an event of the state machine, and store the new state.

        :param event: name of the event.
        :param target: stable state that the node is to reach instead of the usual one.
        :param last_error: becomes the node's ``last_error``.
        :param work: what is to be done in the new state; it clears ``last_error``.
        :param arguments: arguments of that work.
        :raises InvalidState: if the event can't happen now.
        """
        node = self.node
        self._state, self._target = states.follow(self._state, event, self._target, target)
        node["provision_state"] = self._state
        stable = work is None and self._state in states.STABLE
        node["target_provision_state"] = None if stable else self._target
        if work is not None:
            node["last_error"] = last_error
            self.plan = Plan(work, arguments or {})
        elif last_error is not None:
            node["last_error"] = last_error
        self.save()

    def _with_vifs(self, rows: list[Record]) -> list[Record]:
        """Count VIFs in ``extra`` as attached, in the dialect that has them."""
        if self.session.dialect.vifs_in_extra:
            for row in rows:
                vif = (row["extra"] or {}).get("vif_port_id")
                if vif:
                    row["internal_info"] = {TENANT_VIF: vif, **(row["internal_info"] or {})}
        return rows

    def _rows(self, table: sa.Table) -> list[Record]:
        return self.session.tx.rows(table, "id", node_id=self.node["id"])


def _moments(before: str, changes: Record, now: datetime) -> Record:
    """Return the moments that are kept when a node changes its provision state."""
    after = changes["provision_state"]
    moments: Record = {"provision_updated_at": now}
    if after == states.INSPECTING:
        moments.update(inspection_started_at=now, inspection_finished_at=None)
    elif before in (states.INSPECTING, states.INSPECTWAIT):
        if after == states.MANAGEABLE:
            moments.update(inspection_finished_at=now, inspection_started_at=None)
        elif after == states.INSPECTFAIL:
            moments["inspection_started_at"] = None
    return moments
