"""Trusts: what a user lets another one do in its place, for a while and so many times."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from fake_server.common.errors import BadRequest, Forbidden
from fake_server.identity import errors, models, tables

if TYPE_CHECKING:
    from fake_server.db.store import Record, Transaction

#: How many times a trust can be passed on, each time to somebody else, as Keystone is set up.
LONGEST_CHAIN = 3
_TABLE = tables.trusts


def find(tx: Transaction, now: float, ident: str) -> Record:
    """Return a trust that is good.

    :raises NotFound: if it has ended, has no uses left, or one that it comes from has.
    :raises Forbidden: if it couldn't be passed on as it is, or an agent in between is disabled.
    """
    row = _good(tx, now, ident)
    chain = pedigree(tx, now, row)
    for parent, child in zip(chain[1:], chain, strict=False):
        check_passed_on(parent, child)
        agent = models.find(tx, tables.users, parent["trustee_user_id"])
        if agent is None or not agent["enabled"]:
            raise hidden()
    return row


def pedigree(tx: Transaction, now: float, row: Record) -> list[Record]:
    """Return a trust, the one that it comes from, and so on; raise NotFound if one has ended."""
    chain = [row]
    while chain[-1]["redelegated_trust_id"]:
        chain.append(_good(tx, now, chain[-1]["redelegated_trust_id"]))
    return chain


def check_passed_on(parent: Record, child: Record) -> None:
    """Raise Forbidden if a trust lets somebody do more than the one that it comes from."""
    depth = parent["redelegation_count"] or 0
    ends, may_end = child["expires_at"], parent["expires_at"]
    if ends is not None and may_end is None:
        raise BadRequest("A trust without an end can't be passed on with one.")
    if (
        not 0 < depth <= LONGEST_CHAIN
        or child["remaining_uses"] is not None
        or (ends is not None and ends > may_end)
        or not {*child["roles"]} <= {*parent["roles"]}
        or (child["impersonation"] and not parent["impersonation"])
    ):
        raise hidden()


def roles(tx: Transaction, now: float, row: Record) -> dict[str, str]:
    """Return the ids, by name, of the roles that a trust gives.

    :raises NotFound: if its project, or a trust that it comes from, isn't there.
    :raises Forbidden: if the one who gave them, or who passed them on, has lost one of them.
    """
    if models.find(tx, tables.projects, row["project_id"] or "") is None:
        raise errors.not_found("project", row["project_id"])
    given = models.with_implied(tx, row["roles"])
    for one in (row, pedigree(tx, now, row)[-1]):
        held = models.effective_roles(tx, one["trustor_user_id"], row["project_id"])
        if not {*given} <= held:
            raise hidden()
    return models.named_roles(tx, {*given})


def use(tx: Transaction, row: Record) -> None:
    """Count one use of a trust."""
    if row["remaining_uses"] is not None:
        tx.update_row(_TABLE, row["id"], {"remaining_uses": row["remaining_uses"] - 1})


def delete(tx: Transaction, now: float, row: Record) -> None:
    """End a trust, and those that come from it."""
    giver = row["trustor_user_id"]
    for one in models.fetch(tx, _TABLE, redelegated_trust_id=row["id"], trustor_user_id=giver):
        if one["deleted_at"] is None:
            delete(tx, now, one)
    end(tx, now, _TABLE.c.id == row["id"])


def end(tx: Transaction, now: float, *where: sa.ColumnElement[bool]) -> None:
    """End the trusts that conditions are true of."""
    tx.update(_TABLE, [_TABLE.c.deleted_at.is_(None), *where], {"deleted_at": now})


def of_domain(ident: str) -> sa.ColumnElement[bool]:
    """Return the condition for the trusts of users or for projects of a domain."""
    users, projects = (
        sa.select(table.c.id).where(table.c.domain_id == ident)
        for table in (tables.users, tables.projects)
    )
    column = _TABLE.c
    between = column.trustor_user_id.in_(users) | column.trustee_user_id.in_(users)
    return between | column.project_id.in_(projects)


def of_user(ident: str) -> sa.ColumnElement[bool]:
    """Return the condition for the trusts that a user gives or is given."""
    return (_TABLE.c.trustor_user_id == ident) | (_TABLE.c.trustee_user_id == ident)


def hidden() -> Forbidden:
    """Return the error of which Keystone tells no reason."""
    return Forbidden("You are not authorized to perform the requested action.")


def _good(tx: Transaction, now: float, ident: str) -> Record:
    row = tx.get(_TABLE, id=ident)
    if (
        row is None
        or row["deleted_at"] is not None
        or (row["expires_at"] is not None and row["expires_at"] < now)
        or row["remaining_uses"] == 0
    ):
        raise errors.not_found("trust", ident)
    return row
