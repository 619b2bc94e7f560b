"""The schema of the Networking service: what is queried has a column, the rest is in ``values``."""

from __future__ import annotations

from sqlalchemy import JSON, Column, ForeignKey, String, Table, UniqueConstraint

from fake_server.db.schema import numbered


def items_table(collection: str, *columns: str) -> Table:
    """Return the table of a kind.

    :param columns: those that only this kind has.
    """
    return numbered(
        f"networking_{collection}",
        Column("id", String(36), nullable=False, unique=True),
        Column("name", String(255), index=True),
        Column("network_id", String(36), index=True),
        Column("device_id", String(255), index=True),
        Column("values", JSON, nullable=False),
        *(Column(name, String(36), nullable=False, index=True) for name in columns),
    )


_PORT = ForeignKey("networking_ports.id", ondelete="CASCADE")
#: The addresses that ports have.
allocations = numbered(
    "networking_allocations",
    Column("port_id", _PORT, nullable=False, index=True),
    Column("subnet_id", String(36), nullable=False),
    Column("ip_address", String(64), nullable=False),
    UniqueConstraint("subnet_id", "ip_address"),
)
