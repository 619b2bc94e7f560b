"""The schema of the Placement service."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, DateTime, Double, ForeignKey, Index, Integer, String, Table

from fake_server.db.schema import metadata

providers = Table(
    "placement_providers",
    metadata,
    Column("uuid", String(36), primary_key=True),
    Column("name", String(200), nullable=False, unique=True),
    Column("parent_uuid", String(36), index=True),
    Column("root_uuid", String(36), nullable=False, index=True),
    Column("generation", Integer, nullable=False),
    Column("created_at", DateTime, nullable=False),
    Column("updated_at", DateTime, nullable=False),
    #: What it was last made from if it is a node: the node's resource class, and 1 unless the node
    #: was available.
    Column("is_node", Boolean, nullable=False, default=False, index=True),
    Column("node_class", String(255)),
    Column("node_reserved", Integer),
    #: When a client last edited it, in seconds since the epoch.
    Column("edited_at", Double, index=True),
)


def _provider() -> Column[str]:
    return Column(
        "provider_uuid", ForeignKey(providers.c.uuid, ondelete="CASCADE"), primary_key=True
    )


inventories = Table(
    "placement_inventories",
    metadata,
    _provider(),
    Column("resource_class", String(255), primary_key=True, index=True),
    Column("total", Integer, nullable=False),
    Column("reserved", Integer, nullable=False),
    Column("min_unit", Integer, nullable=False),
    Column("max_unit", Integer, nullable=False),
    Column("step_size", Integer, nullable=False),
    Column("allocation_ratio", Double, nullable=False),
)
provider_traits = Table(
    "placement_provider_traits",
    metadata,
    _provider(),
    Column("trait", String(255), primary_key=True, index=True),
    #: Whether the provider has it.
    Column("present", Boolean, nullable=False),
    #: Whether the node had it when it was last looked at, where the provider is one.
    Column("on_node", Boolean, nullable=False),
)
aggregates = Table(
    "placement_aggregates",
    metadata,
    _provider(),
    Column("aggregate", String(36), primary_key=True, index=True),
)
#: The traits that users made; the standard ones are those of os-traits.
custom_traits = Table("placement_traits", metadata, Column("name", String(255), primary_key=True))
custom_classes = Table(
    "placement_resource_classes", metadata, Column("name", String(255), primary_key=True)
)
consumers = Table(
    "placement_consumers",
    metadata,
    Column("uuid", String(36), primary_key=True),
    Column("project_id", String(255), nullable=False, index=True),
    Column("user_id", String(255), nullable=False),
    Column("kind", String(255)),
    Column("generation", Integer, nullable=False),
)
allocations = Table(
    "placement_allocations",
    metadata,
    Column("id", Integer, primary_key=True),
    Column(
        "consumer_uuid",
        ForeignKey(consumers.c.uuid, ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    Column("provider_uuid", ForeignKey(providers.c.uuid, ondelete="CASCADE"), nullable=False),
    Column("resource_class", String(255), nullable=False),
    Column("used", Integer, nullable=False),
    Index("placement_allocations_of", "provider_uuid", "resource_class"),
)
