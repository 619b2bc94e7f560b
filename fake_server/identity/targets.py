"""What requests are about, as Keystone describes it to its policies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.identity import tables

if TYPE_CHECKING:
    from fake_server.db.store import Record

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
