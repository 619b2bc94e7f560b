"""What requests are about, as Keystone describes it to its policies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.identity import kinds, models, tables

if TYPE_CHECKING:
    from fake_server.common.caller import Caller
    from fake_server.db.store import Record, Transaction
    from fake_server.identity.kinds import Kind

#: What a policy may ask of a resource.
_ASKED = ("id", "name", "domain_id", "user_id", "project_id")


def of(**parts: Record | None) -> dict[str, Any]:
    """Return a target with resources by the names of their kinds; ``None`` is none."""
    return {
        f"target.{kind}.{name}": None if row[name] == tables.NO_DOMAIN else row[name]
        for kind, row in parts.items()
        if row is not None
        for name in _ASKED
        if name in row
    }


def of_one(tx: Transaction, kind: Kind, row: Record | None) -> dict[str, Any]:
    """Return the target of a request for one resource; ``None`` is none."""
    found = of(**{kind.name: row})
    if kind is kinds.LIMIT and row is not None:
        for name in ("project", "domain"):
            place = row[f"{name}_id"] and models.find(tx, tables.projects, row[f"{name}_id"])
            found |= {
                f"{part.replace('target', 'target.limit')}": value
                for part, value in of(**{name: place or None}).items()
            }
    return found


def of_list(kind: Kind, caller: Caller) -> dict[str, Any]:
    """Return the target of a request for a list, which is about the scope of the token."""
    if kind is kinds.CREDENTIAL:
        return {} if caller.system else {"target.credential.user_id": caller.user_id}
    if caller.domain_id is None:
        return {}
    names = ("target.domain_id", "target.domain.id", "target.group.domain_id")
    return dict.fromkeys(names, caller.domain_id)
