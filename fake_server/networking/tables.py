"""The schema of the Networking service: what is queried has a column, the rest is in ``values``."""

from __future__ import annotations

from sqlalchemy import JSON, Column, String, Table

from fake_server.db.schema import numbered


def _table(kind: str) -> Table:
    return numbered(
        f"networking_{kind}",
        Column("id", String(36), nullable=False, unique=True),
        Column("name", String(255), index=True),
        Column("network_id", String(36), index=True),
        Column("device_id", String(255), index=True),
        Column("values", JSON, nullable=False),
    )


#: Tables by the plural of what they hold.
TABLES = {kind: _table(kind) for kind in ("networks", "subnets", "segments", "ports")}
