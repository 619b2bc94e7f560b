"""Which tables and columns make up the state that two runs are compared by."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

# Importing them defines the tables of services that are loaded at their first request.
import fake_server.compute.tables
import fake_server.image.tables
import fake_server.object_storage.tables
import fake_server.placement.tables  # noqa: F401
from fake_server.control.tables import OF_CONTROLS
from fake_server.db.schema import metadata

if TYPE_CHECKING:
    from collections.abc import Sequence

    import sqlalchemy as sa

#: What happened, what is kept for speed, and what the server watches itself by.
_LEFT_OUT = frozenset(
    {
        *("node_history", "node_states", "compute_actions", "image_tasks", "identity_tokens"),
        *("conductors_down", "networking_agents", "node_inventory", "due_work"),
    }
)
_COPIES = "kept_"


@cache
def of_resources() -> Sequence[sa.Table]:
    """Return the tables of what the services have, those first that others refer to."""
    return [
        table
        for table in metadata.sorted_tables
        if table.name not in OF_CONTROLS | _LEFT_OUT and not table.name.startswith(_COPIES)
    ]
