"""The simulated machines of nodes, for tests to look at and to make misbehave."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal.hardware_types import FAKE_HARDWARE
from fake_server.baremetal.models import machines
from fake_server.baremetal.tables import nodes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.control.state import ControlState
    from fake_server.db.store import Transaction


class Machines:
    """Shows and changes machines.

    :param state: what gives transactions.
    """

    def __init__(self, state: ControlState) -> None:
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
            node_id = _find(tx, node)
            machines.change(tx, node_id, changes)
            return machines.get(tx, node_id)

        return self._state.transact(work)


def _find(tx: Transaction, node: str) -> int:
    query = sa.select(nodes.c.id, nodes.c.driver)
    found = tx.all(query.where(sa.or_(nodes.c.uuid == node, nodes.c.name == node)))
    if not found:
        raise KeyError(node)
    if found[0]["driver"] == FAKE_HARDWARE:
        raise ValueError(f"The driver {FAKE_HARDWARE} of node {node} has no machine.")
    return int(found[0]["id"])
