"""Traits of a node: words that the scheduler matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.baremetal import errors
from fake_server.baremetal.tables import node_traits

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record

MAX_TRAITS = 50


def fetch(session: Session, node: Record) -> list[str]:
    """Return the node's traits in alphabetical order."""
    rows = session.tx.rows(node_traits, "trait", node_id=node["id"])
    return [row["trait"] for row in rows]


def replace(session: Session, node: Record, traits: Iterable[str]) -> None:
    """Set the node's traits; raise InvalidParameterValue, changing nothing, for over 50."""
    wanted = sorted(set(traits))
    _check_number(node, len(wanted))
    session.tx.delete(node_traits, node_traits.c.node_id == node["id"])
    for trait in wanted:
        session.tx.insert(node_traits, {"node_id": node["id"], "trait": trait})


def add(session: Session, node: Record, trait: str) -> None:
    """Add a trait, if the node lacks it; raise InvalidParameterValue for the 51st."""
    present = fetch(session, node)
    if trait in present:
        return
    _check_number(node, len(present) + 1)
    session.tx.insert(node_traits, {"node_id": node["id"], "trait": trait})


def remove(session: Session, node: Record, trait: str) -> None:
    """Remove a trait; raise NodeTraitNotFound if the node doesn't have it."""
    table = node_traits
    if not session.tx.delete(table, table.c.node_id == node["id"], table.c.trait == trait):
        raise errors.NodeTraitNotFound(node_id=node["uuid"], trait=trait)


def remove_all(session: Session, node: Record) -> None:
    """Remove all traits."""
    session.tx.delete(node_traits, node_traits.c.node_id == node["id"])


def _check_number(node: Record, number: int) -> None:
    if number > MAX_TRAITS:
        raise errors.InvalidParameterValue(
            f"Could not modify traits for node {node['id']} as it would exceed the maximum number "
            f"of traits per node ({number} vs. {MAX_TRAITS})"
        )
