"""The simulated machines of nodes, which tests can read and change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal.hardware_types import FAKE_HARDWARE
from fake_server.baremetal.models import machines
from fake_server.baremetal.models import nodes as node_models
from fake_server.baremetal.models.nodes import NODES
from fake_server.baremetal.session import open_session
from fake_server.baremetal.tables import nodes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.session import Session
    from fake_server.common.lab import Lab
    from fake_server.control.state import ControlState
    from fake_server.db.store import Record, Transaction


class Machines:
    """Shows and changes machines.

    :param state: gives transactions, and brings what is stored up to date.
    """

    def __init__(self, lab: Lab, state: ControlState) -> None:
        self._lab = lab
        self._state = state

    def get(self, node: str) -> dict[str, Any]:
        """Return the state of a node's machine.

        :param node: UUID or name of the node.
        :raises KeyError: if there is no such node.
        :raises ValueError: if its driver has no machines.
        """
        return self.change(node, {})

    def change(self, node: str, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Change parts of the state of a node's machine, and return the whole.

        :param node: UUID or name of the node.
        :param changes: new values by name, such as ``{"reachable": False}``.
        :raises KeyError: if there is no such node.
        :raises ValueError: for an unknown name or a wrong value, or if the node's driver has no
            machines.
        """
        if problem := machines.problem(dict(changes)):
            raise ValueError(problem)

        def work(tx: Transaction) -> dict[str, Any]:
            session = open_session(self._lab, tx)
            found = _find(session, node)
            if changes:
                machines.change(tx, found["id"], changes)
                node_models.look_later(session, found)
            return machines.get(tx, found["id"])

        self._state.apply_due_work()
        return self._state.transact(work)


def _find(session: Session, node: str) -> Record:
    """Return a node; raise ValueError if it has no machine."""
    query = sa.select(nodes.c.id).where(sa.or_(nodes.c.uuid == node, nodes.c.name == node))
    ids = session.tx.all(query)
    if not ids:
        raise KeyError(node)
    found = NODES.get_by_id(session, ids[0]["id"])
    if found["driver"] == FAKE_HARDWARE:
        raise ValueError(f"Node {node} has no machine, because its driver is {FAKE_HARDWARE}.")
    return found
