"""Inspection rules as they are stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal import resource_fields
from fake_server.baremetal.models.model import Model
from fake_server.baremetal.tables import inspection_rules
from fake_server.db.queries import Query

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.session import Session
    from fake_server.db.store import Record

_IN_ORDER = Query(
    sa.select(inspection_rules).order_by(inspection_rules.c.priority.desc(), inspection_rules.c.id)
)


class _InspectionRules(Model):
    def create(self, session: Session, values: Mapping[str, Any]) -> Record:
        """Create a rule, which needs ``actions``."""
        new = {"priority": 0, "sensitive": False, "phase": "main", "conditions": []}
        return super().create(session, {**new, **values})


INSPECTION_RULES = _InspectionRules(inspection_rules, resource_fields.INSPECTION_RULES, "rule")


def in_order(session: Session) -> list[Record]:
    """Return all rules in the order in which they are applied."""
    return session.tx.ask(_IN_ORDER)
