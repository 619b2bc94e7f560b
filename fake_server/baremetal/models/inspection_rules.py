"""Inspection rules as they are stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal import errors
from fake_server.baremetal.models import paging, rows
from fake_server.baremetal.tables import inspection_rules
from fake_server.db.queries import Query

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record

_IN_ORDER = Query(
    sa.select(inspection_rules).order_by(inspection_rules.c.priority.desc(), inspection_rules.c.id)
)


def get(session: Session, uuid: str) -> Record:
    """Return a rule; raise NotFound if there is none with this UUID."""
    found = session.tx.get(inspection_rules, uuid=uuid)
    if found is None:
        raise errors.NotFound(f"Rule {uuid} could not be found.")
    return found


def fetch(session: Session, page: paging.Page) -> list[Record]:
    """Return a page of the rules."""
    return paging.fetch(session, inspection_rules, sa.select(inspection_rules), page)


def in_order(session: Session) -> list[Record]:
    """Return all rules in the order in which they are applied."""
    return session.tx.ask(_IN_ORDER)


def create(session: Session, values: Mapping[str, Any]) -> Record:
    """Create a rule.

    :param values: columns; ``actions`` has to be there.
    :raises AlreadyExists: if its UUID is taken.
    """
    row = {"priority": 0, "sensitive": False, "phase": "main", "conditions": [], **values}
    return get(session, rows.insert(session, inspection_rules, row, "A rule"))


def update(session: Session, rule: Record, changes: Mapping[str, Any]) -> Record:
    """Change a rule and return it as it is then."""
    return rows.update(session, inspection_rules, rule, changes, "A rule")


def delete(session: Session, rule: Record) -> None:
    """Remove a rule."""
    session.tx.delete(inspection_rules, inspection_rules.c.id == rule["id"])
