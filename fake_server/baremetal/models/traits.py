"""Traits of nodes and of runbooks: words that the scheduler matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.baremetal import errors
from fake_server.baremetal.tables import node_traits, runbook_traits

if TYPE_CHECKING:
    from collections.abc import Iterable

    import sqlalchemy as sa

    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record

MAX_TRAITS = 50


class Traits:
    """The traits of a kind of resources.

    :param table: where they are stored.
    :param owner: the column there with the ``id`` of what has them.
    """

    def __init__(self, table: sa.Table, owner: str) -> None:
        self._table = table
        self._owner = owner

    def fetch(self, session: Session, row: Record) -> list[str]:
        """Return the traits of one in alphabetical order."""
        rows = session.tx.rows(self._table, "trait", **{self._owner: row["id"]})
        return [found["trait"] for found in rows]

    def replace(self, session: Session, row: Record, traits: Iterable[str]) -> None:
        """Set its traits; for too many, raise InvalidParameterValue, and change nothing."""
        wanted = sorted(set(traits))
        self.check_number(row, len(wanted))
        self.remove_all(session, row)
        for trait in wanted:
            session.tx.insert(self._table, {self._owner: row["id"], "trait": trait})

    def add(self, session: Session, row: Record, trait: str) -> None:
        """Add a trait, if it lacks it; raise InvalidParameterValue for one too many."""
        present = self.fetch(session, row)
        if trait not in present:
            self.check_number(row, len(present) + 1)
            session.tx.insert(self._table, {self._owner: row["id"], "trait": trait})

    def remove(self, session: Session, row: Record, trait: str) -> int:
        """Remove a trait, and return how many went: one, or none if it doesn't have it."""
        return session.tx.remove(self._table, **{self._owner: row["id"]}, trait=trait)

    def remove_all(self, session: Session, row: Record) -> None:
        """Remove all traits."""
        session.tx.remove(self._table, **{self._owner: row["id"]})

    def check_number(self, row: Record, number: int) -> None:
        """Raise InvalidParameterValue if it can't have so many traits."""


class _NodeTraits(Traits):
    def remove(self, session: Session, row: Record, trait: str) -> int:
        """Remove a trait; raise NodeTraitNotFound if the node doesn't have it."""
        if not super().remove(session, row, trait):
            raise errors.NodeTraitNotFound(node_id=row["uuid"], trait=trait)
        return 1

    def check_number(self, row: Record, number: int) -> None:
        """Raise InvalidParameterValue if a node can't have so many traits."""
        if number > MAX_TRAITS:
            raise errors.InvalidParameterValue(
                f"Could not modify traits for node {row['id']} as it would exceed the maximum "
                f"number of traits per node ({number} vs. {MAX_TRAITS})"
            )


NODE_TRAITS = _NodeTraits(node_traits, "node_id")
RUNBOOK_TRAITS = Traits(runbook_traits, "runbook_id")
