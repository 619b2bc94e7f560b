"""Groups of servers that are to be near each other, or apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.resources.rows import Rows
from fake_server.compute.models import instances
from fake_server.compute.session import reader
from fake_server.compute.tables import server_groups

if TYPE_CHECKING:
    from fake_server.db.store import Record, Transaction

ANTI_AFFINITY = "anti-affinity"


ROWS = Rows(server_groups, "Instance group {} could not be found.")
#: Return a group by its id, of a project if one is given, and all of them.
get, get_all = reader(ROWS.find), reader(ROWS.fetch)


@reader
def members(tx: Transaction) -> dict[str, list[Record]]:
    """Return the servers that were asked for in groups, by the id of the group."""
    found: dict[str, list[Record]] = {}
    for row in reversed(instances.get_all(tx, None)):
        group = row["scheduler_hints"].get("group")
        if group is not None:
            found.setdefault(group, []).append(row)
    return found
