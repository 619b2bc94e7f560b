"""What is above and below projects; each is named once, even where they are stored in a circle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.common.errors import BadRequest, Forbidden
from fake_server.identity import tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fake_server.db.store import Record, Transaction

#: How many projects there may be from a domain down to one: Keystone's ``max_project_tree_depth``.
_DEEPEST = 6


def above(tx: Transaction, ident: str) -> list[str]:
    """Return the projects above one, the nearest first, and their domain."""
    return [row["id"] for row in _upward(tx, ident)][1:]


def below(
    tx: Transaction, ident: str, parent: sa.Column[Any] = tables.projects.c.parent_id
) -> list[str]:
    """Return the projects below a project or a domain.

    :param parent: the column with what a row is below, of projects or of another table.
    """
    found: dict[str, None] = {}
    waiting = [ident]
    while waiting:
        for child in _children(tx, waiting.pop(), parent):
            if child not in found and child != ident:
                found[child] = None
                waiting.append(child)
    return list(found)


def tree(tx: Transaction, ident: str) -> dict[str, Any] | None:
    """Return the projects below one by their ids, each with those below it."""
    return _tree(tx, ident, frozenset((ident,)))


def is_leaf(tx: Transaction, ident: str) -> bool:
    """Return whether nothing is below a project but what is above it, too."""
    return {*below(tx, ident)} <= {*above(tx, ident)}


def check_place(tx: Transaction, row: Record) -> None:
    """Raise an error if a new project can't be where it is to be.

    :param row: the project, with its domain and its parent.
    """
    parent_id, domain_id = row["parent_id"], row["domain_id"]
    parents = list(_upward(tx, parent_id))
    parent = parents[0]
    if parent["is_domain"] and parent_id != domain_id:
        raise BadRequest(
            f"Cannot create project, the parent ({parent_id}) is acting as a domain, but this "
            f"project's domain id ({domain_id}) does not match the parent's id."
        )
    if not parent["is_domain"] and parent["domain_id"] != domain_id:
        raise BadRequest(
            f"Cannot create project, since it specifies its domain_id {domain_id}, but specifies "
            f"a parent in a different domain ({parent['domain_id']})."
        )
    for one in (*parents[1:], parent):
        if not one["enabled"]:
            raise BadRequest(
                f"cannot create a project in a branch containing a disabled project: {one['id']}"
            )
    if len(parents) + 1 > _DEEPEST:
        raise Forbidden(f"Max hierarchy depth reached for {parent_id} branch.")


def _upward(tx: Transaction, ident: str | None) -> Iterator[Record]:
    """Yield a project and those above it."""
    seen: set[str] = set()
    while ident is not None and ident not in seen:
        row = tx.get(tables.projects, id=ident)
        if row is None:
            return
        yield row
        seen.add(ident)
        ident = None if row["is_domain"] else row["parent_id"]


def _children(
    tx: Transaction, ident: str, parent: sa.Column[Any] = tables.projects.c.parent_id
) -> list[str]:
    rows = tx.all(sa.select(parent.table.c.id).where(parent == ident).order_by(parent.table.c.id))
    return [row["id"] for row in rows]


def _tree(tx: Transaction, ident: str, seen: frozenset[str]) -> dict[str, Any] | None:
    children = [child for child in _children(tx, ident) if child not in seen]
    return {child: _tree(tx, child, seen | {child}) for child in children} or None
