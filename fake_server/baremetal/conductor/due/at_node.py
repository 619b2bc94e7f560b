"""What comes due at a node, which a conductor does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fake_server.baremetal.models import conductors
from fake_server.baremetal.session import open_session
from fake_server.baremetal.tables import nodes
from fake_server.common import due_work, outgoing_calls

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.baremetal.session import Session
    from fake_server.common.due_work import Jump
    from fake_server.common.lab import Lab
    from fake_server.db.store import Record


@dataclass(frozen=True, slots=True)
class AtNode:
    """A kind of work that comes due at a node.

    :param act: gets a session, the node, and the row of the work, which isn't pending any more.
    :param transition: the transition of which it is the end, and whose delay comes before it.
    """

    name: str
    act: Callable[[Session, Record, Record], None]
    transition: str | None = None
    jump: Jump = "first"

    @property
    def label(self) -> str:
        """What people are told that is pending."""
        return self.transition or self.name

    def apply(self, lab: Lab, row: Record) -> bool:
        """Do what is due, unless another process did.

        :returns: ``False`` if no conductor is there for the node, or a call to an agent or a web
            service is being made for it.
        """
        with lab.store.transaction() as tx:
            present = due_work.current(tx, row)
            node = tx.get(nodes, uuid=due_work.ident(row))
            if present is None or node is None:
                return True
            session = open_session(lab, tx)
            if outgoing_calls.is_under_way(present) or not _has_conductor(session, node):
                return False
            if due_work.take(tx, present):
                self.act(session, node, present)
        return True


def _has_conductor(session: Session, node: Record) -> bool:
    holder = node["reservation"]
    return holder in conductors.alive(session) or conductors.host_of(session, node) is not None
