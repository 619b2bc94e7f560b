"""The schema of the Networking service: what is queried has a column, the rest is in ``values``."""

from __future__ import annotations

from sqlalchemy import JSON, Column, ForeignKey, String, Table, UniqueConstraint

from fake_server.db.schema import numbered


def _table(kind: str, *more: Column[str]) -> Table:
    return numbered(
        f"networking_{kind}",
        Column("id", String(36), nullable=False, unique=True),
        Column("name", String(255), index=True),
        Column("network_id", String(36), index=True),
        Column("device_id", String(255), index=True),
        Column("values", JSON, nullable=False),
        *more,
    )


_PORTS = _table("ports", Column("mac_address", String(32), nullable=False, index=True))

#: Tables by the plural of what they hold.
TABLES = {
    **{kind: _table(kind) for kind in ("networks", "subnets", "segments")},
    "ports": _PORTS,
    "trunks": _table("trunks"),
    "agents": _table("agents"),
    "security_groups": _table("security_groups"),
    "security_group_rules": _table("security_group_rules"),
    # By the ids of projects.
    "quotas": _table("quotas"),
}

#: The addresses that ports have.
allocations = numbered(
    "networking_allocations",
    Column("port_id", ForeignKey(_PORTS.c.id, ondelete="CASCADE"), nullable=False, index=True),
    Column("subnet_id", String(36), nullable=False),
    Column("ip_address", String(64), nullable=False),
    UniqueConstraint("subnet_id", "ip_address"),
)
