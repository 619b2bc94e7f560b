"""Groups of servers that are to be near each other, or apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import NotFound
from fake_server.compute.models import instances
from fake_server.compute.session import reader, writer
from fake_server.compute.tables import server_groups

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.db.store import Record, Transaction

ANTI_AFFINITY = "anti-affinity"


@reader
def get(tx: Transaction, ident: str, project_id: str | None = None) -> Record:
    """Return a group, of a project if one is given; raise NotFound without one."""
    row = tx.get(server_groups, id=ident)
    if row is None or project_id not in (None, row["project_id"]):
        raise NotFound(f"Instance group {ident} could not be found.")
    return row


@reader
def get_all(tx: Transaction, project_id: str | None) -> list[Record]:
    """Return groups, of a project if one is given."""
    match = {} if project_id is None else {"project_id": project_id}
    return tx.rows(server_groups, "number", **match)


@reader
def members(tx: Transaction) -> dict[str, list[Record]]:
    """Return the servers that were asked for in groups, by the id of the group."""
    found: dict[str, list[Record]] = {}
    for row in reversed(instances.get_all(tx, None)):
        group = row["scheduler_hints"].get("group")
        if group is not None:
            found.setdefault(group, []).append(row)
    return found


@writer
def create(tx: Transaction, values: Mapping[str, Any]) -> None:
    """Create a group from all its columns."""
    tx.insert(server_groups, values)


@writer
def destroy(tx: Transaction, ident: str) -> None:
    """Remove a group; its servers stay."""
    tx.delete(server_groups, server_groups.c.id == ident)
