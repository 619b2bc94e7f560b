"""Runbooks: steps for cleaning or servicing that nodes with certain traits may go through.

Records have the columns of their table and ``traits``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal import resource_fields
from fake_server.baremetal.models import step_lists
from fake_server.baremetal.models.model import Model
from fake_server.baremetal.tables import runbook_traits, runbooks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.baremetal.models.paging import Page
    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record


class _Runbooks(Model):
    def find(self, session: Session, **match: Any) -> Record | None:
        """Return the runbook with these values, or ``None``."""
        found = super().find(session, **match)
        return _with_traits(session, [found])[0] if found else None

    def fetch(self, session: Session, page: Page, *conditions: Any) -> list[Record]:
        """Return a page of the runbooks that meet all conditions."""
        return _with_traits(session, super().fetch(session, page, *conditions))

    def create(self, session: Session, values: Mapping[str, Any]) -> Record:
        """Create a runbook, which needs ``name`` and ``steps``."""
        flags = {name: bool(values.get(name)) for name in ("public", "disable_ramdisk")}
        steps = step_lists.stored(values["steps"], "order")
        return super().create(session, {**values, **flags, "steps": steps})

    def update(self, session: Session, row: Record, changes: Mapping[str, Any]) -> Record:
        """Change a runbook and return it as it is then."""
        values = step_lists.changed(row, changes, "order")
        return super().update(session, row, values)


RUNBOOKS = _Runbooks(runbooks, resource_fields.RUNBOOKS, "runbook")


def visible(project: str | None, *, public: bool) -> list[Any]:
    """Return the conditions for runbooks that are listed.

    :param project: the project whose runbooks and public ones are wanted; all without it.
    :param public: only public ones.
    """
    if project is not None:
        return [sa.or_(runbooks.c.owner == project, runbooks.c.public.is_(True))]
    return [runbooks.c.public.is_(True)] if public else []


def _with_traits(session: Session, rows: Sequence[Record]) -> list[Record]:
    traits: dict[int, list[str]] = {row["id"]: [] for row in rows}
    table = runbook_traits
    query = sa.select(table).where(table.c.runbook_id.in_(list(traits))).order_by(table.c.trait)
    for row in session.tx.all(query):
        traits[row["runbook_id"]].append(row["trait"])
    return [{**row, "traits": traits[row["id"]]} for row in rows]
