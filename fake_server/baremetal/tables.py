"""The schema of the Bare Metal service; uniqueness and cascades are the database's business.

JSON columns hold ``NULL`` for what was never set. Of several constraints that a row violates,
SQLite names the one declared last; their order here is Ironic's, so errors name the same one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    DateTime,
    Double,
    ForeignKey,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from fake_server.baremetal import node_fields, resource_fields
from fake_server.db.schema import Message, metadata

if TYPE_CHECKING:
    from fake_server.baremetal.fields import Fields


def _json(name: str) -> Column[object]:
    return Column(name, JSON(none_as_null=True))


def _times() -> tuple[Column[object], ...]:
    return Column("created_at", DateTime), Column("updated_at", DateTime)


def _resource(fields: Fields) -> tuple[Column[object], ...]:
    return (*_times(), Column("id", Integer, primary_key=True), *fields.columns())


chassis = Table(
    "chassis",
    metadata,
    *_resource(resource_fields.CHASSIS),
    UniqueConstraint("uuid", name="uniq_chassis0uuid"),
)

nodes = Table(
    "nodes",
    metadata,
    Column("id", Integer, primary_key=True),
    *(field.column() for field in node_fields.FIELDS),
    Column("chassis_id", ForeignKey("chassis.id"), index=True),
    Column("allocation_id", Integer),
    # The certificate of the agent's own server, PEM.
    Column("agent_certificate", Text),
    # When the next transition is due (seconds since the epoch), and what it is.
    Column("due_at", Double, index=True),
    _json("due_event"),
    # When the periodic tasks look at it (seconds since the epoch), if there is something to find,
    # and how often they couldn't bring its power state in line.
    Column("looked_at", Double, index=True),
    Column("power_sync_failures", Integer, nullable=False, default=0),
    UniqueConstraint("uuid", name="uniq_nodes0uuid"),
    UniqueConstraint("instance_uuid", name="uniq_nodes0instance_uuid"),
    UniqueConstraint("name", name="uniq_nodes0name"),
)

node_traits = Table(
    "node_traits",
    metadata,
    Column("node_id", ForeignKey("nodes.id", ondelete="CASCADE"), primary_key=True),
    Column("trait", String(255), primary_key=True, index=True),
)

node_history = Table(
    "node_history",
    metadata,
    *_times(),
    Column("id", Integer, primary_key=True),
    Column("uuid", String(36), nullable=False),
    Column("node_id", ForeignKey("nodes.id", ondelete="CASCADE"), index=True),
    Column("conductor", String(255)),
    Column("event_type", String(255)),
    Column("severity", String(255)),
    Column("event", Message),
    Column("user", String(64)),
    Column("project", String(64)),
    Column("state", String(15)),
    Column("target_provision_state", String(15)),
    Column("duration_seconds", Integer),
    UniqueConstraint("uuid", name="uniq_history0uuid"),
)

portgroups = Table(
    "portgroups",
    metadata,
    *_resource(resource_fields.PORTGROUPS),
    Column("node_id", ForeignKey("nodes.id", ondelete="CASCADE"), index=True),
    UniqueConstraint("uuid", name="uniq_portgroups0uuid"),
    UniqueConstraint("address", name="uniq_portgroups0address"),
    UniqueConstraint("name", name="uniq_portgroups0name"),
)

ports = Table(
    "ports",
    metadata,
    *_resource(resource_fields.PORTS),
    Column("node_id", ForeignKey("nodes.id", ondelete="CASCADE"), index=True),
    Column("portgroup_id", ForeignKey("portgroups.id"), index=True),
    UniqueConstraint("address", name="uniq_ports0address"),
    UniqueConstraint("uuid", name="uniq_ports0uuid"),
    UniqueConstraint("name", name="uniq_ports0name"),
)

volume_connectors = Table(
    "volume_connectors",
    metadata,
    *_resource(resource_fields.VOLUME_CONNECTORS),
    Column("node_id", ForeignKey("nodes.id", ondelete="CASCADE"), index=True),
    UniqueConstraint("uuid", name="uniq_volumeconnectors0uuid"),
    UniqueConstraint("type", "connector_id", name="uniq_volumeconnectors0type0connector_id"),
)

volume_targets = Table(
    "volume_targets",
    metadata,
    *_resource(resource_fields.VOLUME_TARGETS),
    Column("node_id", ForeignKey("nodes.id", ondelete="CASCADE"), index=True),
    UniqueConstraint("uuid", name="uniq_volumetargets0uuid"),
    UniqueConstraint("node_id", "boot_index", name="uniq_volumetargets0node_id0boot_index"),
)

deploy_templates = Table(
    "deploy_templates",
    metadata,
    *_resource(resource_fields.DEPLOY_TEMPLATES),
    UniqueConstraint("uuid", name="uniq_deploytemplates0uuid"),
    UniqueConstraint("name", name="uniq_deploytemplates0name"),
)

runbooks = Table(
    "runbooks",
    metadata,
    *_resource(resource_fields.RUNBOOKS),
    UniqueConstraint("uuid", name="uniq_runbooks0uuid"),
    UniqueConstraint("name", name="uniq_runbooks0name"),
)

runbook_traits = Table(
    "runbook_traits",
    metadata,
    Column("runbook_id", ForeignKey("runbooks.id", ondelete="CASCADE"), primary_key=True),
    Column("trait", String(255), primary_key=True),
)

allocations = Table(
    "allocations",
    metadata,
    *_resource(resource_fields.ALLOCATIONS),
    Column("node_id", ForeignKey("nodes.id", ondelete="CASCADE"), index=True),
    Column("due_at", Double, index=True),
    Column("attempts", Integer, nullable=False, default=0),
    UniqueConstraint("name", name="uniq_allocations0name"),
    UniqueConstraint("uuid", name="uniq_allocations0uuid"),
)

inspection_rules = Table(
    "inspection_rules",
    metadata,
    *_resource(resource_fields.INSPECTION_RULES),
    UniqueConstraint("uuid", name="uniq_inspection_rules0uuid"),
)

bios_settings = Table(
    "bios_settings",
    metadata,
    *_times(),
    Column("node_id", ForeignKey("nodes.id", ondelete="CASCADE"), primary_key=True),
    Column("name", String(255), primary_key=True),
    Column("value", Text),
    Column("attribute_type", String(255)),
    _json("allowable_values"),
    Column("lower_bound", Integer),
    Column("max_length", Integer),
    Column("min_length", Integer),
    Column("read_only", Boolean),
    Column("reset_required", Boolean),
    Column("unique", Boolean),
    Column("upper_bound", Integer),
)

firmware_components = Table(
    "firmware_components",
    metadata,
    *_times(),
    Column("id", Integer, primary_key=True),
    Column("node_id", ForeignKey("nodes.id", ondelete="CASCADE"), nullable=False),
    Column("component", String(255), nullable=False),
    Column("initial_version", String(255)),
    Column("current_version", String(255)),
    Column("last_version_flashed", String(255)),
    Column("vendor", String(255)),
    Column("model", String(255)),
    Column("serial_number", String(255)),
    UniqueConstraint("node_id", "component", name="uniq_nodecomponent0node_id0component"),
)

node_inventory = Table(
    "node_inventory",
    metadata,
    *_times(),
    Column("node_id", ForeignKey("nodes.id", ondelete="CASCADE"), primary_key=True),
    _json("inventory_data"),
    _json("plugin_data"),
)

# What differs between the simulated machine of a node and a new one.
machines = Table(
    "machines",
    metadata,
    Column("node_id", ForeignKey("nodes.id", ondelete="CASCADE"), primary_key=True),
    Column("state", JSON, nullable=False),
)

# The conductors that are down, and since when (seconds since the epoch).
conductors_down = Table(
    "conductors_down",
    metadata,
    Column("hostname", String(255), primary_key=True),
    Column("since", Double, nullable=False),
)
