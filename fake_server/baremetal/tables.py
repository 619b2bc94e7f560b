"""The schema of the Bare Metal service; uniqueness and cascades are the database's business.

JSON columns hold ``NULL`` for what was never set. Of several constraints that a row violates,
SQLite names the one declared last; their order here is Ironic's, so errors name the same one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
    from collections.abc import Sequence

    from fake_server.baremetal.fields import Fields


def _json(name: str) -> Column[object]:
    return Column(name, JSON(none_as_null=True))


def _times() -> tuple[Column[object], ...]:
    return Column("created_at", DateTime), Column("updated_at", DateTime)


def _node() -> Column[object]:
    return Column("node_id", ForeignKey("nodes.id", ondelete="CASCADE"), index=True)


def _unique(table: str, *columns: str) -> UniqueConstraint:
    return UniqueConstraint(*columns, name=f"uniq_{table}0{'0'.join(columns)}")


def resource(
    name: str,
    fields: Fields,
    *more: Column[object],
    unique: Sequence[str],
    label: str | None = None,
) -> Table:
    """Return the table of a resource.

    :param more: columns beside those of the fields.
    :param unique: what has to be unique: each a column, or several with blanks between them.
    :param label: what the names of constraints call it, if not by its name.
    """
    constraints = [_unique(label or name, *columns.split()) for columns in unique]
    columns: list[Column[Any]] = [*_times(), Column("id", Integer, primary_key=True)]
    return Table(name, metadata, *columns, *fields.columns(), *more, *constraints)


chassis = resource("chassis", resource_fields.CHASSIS, unique=["uuid"])

nodes = Table(
    "nodes",
    metadata,
    Column("id", Integer, primary_key=True),
    *node_fields.NODES.columns(),
    Column("chassis_id", ForeignKey("chassis.id"), index=True),
    Column("allocation_id", Integer),
    # The certificate of the agent's own server, PEM.
    Column("agent_certificate", Text),
    # How often a delay or an outcome was drawn at random.
    Column("delays_drawn", Integer, nullable=False, default=0),
    *(_unique("nodes", name) for name in ("uuid", "instance_uuid", "name")),
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
    _node(),
    Column("conductor", String(255)),
    Column("event_type", String(255)),
    Column("severity", String(255)),
    Column("event", Message),
    Column("user", String(64)),
    Column("project", String(64)),
    Column("state", String(15)),
    Column("target_provision_state", String(15)),
    Column("duration_seconds", Integer),
    _unique("history", "uuid"),
)

#: When nodes changed their provision state; the timeline is drawn from it. Nodes that were removed
#: since are in it, too.
node_states = Table(
    "node_states",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("uuid", String(36), nullable=False),
    Column("name", String(255)),
    # By the clock of the server, and by that of the system.
    Column("moment", Double, nullable=False),
    Column("real_time", Double, nullable=False),
    # Null before a node was created, and once it is removed.
    Column("old_state", String(15)),
    Column("new_state", String(15)),
    Column("target_state", String(15)),
    Column("last_error", Message),
)

portgroups = resource(
    "portgroups", resource_fields.PORTGROUPS, _node(), unique=["uuid", "address", "name"]
)
ports = resource(
    "ports",
    resource_fields.PORTS,
    _node(),
    Column("portgroup_id", ForeignKey("portgroups.id"), index=True),
    unique=["address", "uuid", "name"],
)
volume_connectors = resource(
    "volume_connectors",
    resource_fields.VOLUME_CONNECTORS,
    _node(),
    unique=["uuid", "type connector_id"],
    label="volumeconnectors",
)
volume_targets = resource(
    "volume_targets",
    resource_fields.VOLUME_TARGETS,
    _node(),
    unique=["uuid", "node_id boot_index"],
    label="volumetargets",
)
deploy_templates = resource(
    "deploy_templates",
    resource_fields.DEPLOY_TEMPLATES,
    unique=["uuid", "name"],
    label="deploytemplates",
)
runbooks = resource("runbooks", resource_fields.RUNBOOKS, unique=["uuid", "name"])
runbook_traits = Table(
    "runbook_traits",
    metadata,
    Column("runbook_id", ForeignKey("runbooks.id", ondelete="CASCADE"), primary_key=True),
    Column("trait", String(255), primary_key=True),
)

allocations = resource(
    "allocations",
    resource_fields.ALLOCATIONS,
    _node(),
    unique=["name", "uuid"],
)
inspection_rules = resource("inspection_rules", resource_fields.INSPECTION_RULES, unique=["uuid"])

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
    _unique("nodecomponent", "node_id", "component"),
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
