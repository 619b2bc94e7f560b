"""The schema of the Compute service."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Integer,
    String,
    Text,
    UniqueConstraint,
)

from fake_server.db.schema import numbered

flavors = numbered(
    "compute_flavors",
    Column("id", String(255), nullable=False, unique=True),
    Column("name", String(255), nullable=False, unique=True),
    Column("description", Text),
    Column("ram", Integer, nullable=False),
    Column("vcpus", Integer, nullable=False),
    Column("disk", Integer, nullable=False),
    Column("ephemeral", Integer, nullable=False),
    Column("swap", Integer, nullable=False),
    Column("rxtx_factor", Float, nullable=False, default=1.0),
    Column("is_public", Boolean, nullable=False),
    #: Projects that may use it though it isn't public.
    Column("projects", JSON, nullable=False),
    Column("extra_specs", JSON, nullable=False),
)
keypairs = numbered(
    "compute_keypairs",
    Column("user_id", String(64), nullable=False),
    Column("name", String(255), nullable=False),
    Column("type", String(16), nullable=False),
    Column("public_key", Text, nullable=False),
    Column("fingerprint", String(255), nullable=False),
    Column("created_at", DateTime, nullable=False),
    UniqueConstraint("user_id", "name", name="uniq_keypairs0user_id0name"),
)
servers = numbered(
    "compute_servers",
    Column("id", String(36), nullable=False, unique=True),
    Column("project_id", String(64), nullable=False, index=True),
    Column("user_id", String(64), nullable=False),
    Column("name", String(255), nullable=False, index=True),
    Column("description", String(255)),
    Column("hostname", String(255), nullable=False),
    Column("access_ip_v4", String(39)),
    Column("access_ip_v6", String(39)),
    Column("disk_config", String(6), nullable=False, default="MANUAL"),
    #: The flavor as it was when the server was made.
    Column("flavor", JSON, nullable=False),
    Column("image_ref", String(255)),
    Column("key_name", String(255)),
    #: The public key as it was; the key pair may be deleted later.
    Column("key_data", Text),
    Column("metadata", JSON, nullable=False),
    Column("tags", JSON, nullable=False),
    Column("user_data", Text),
    Column("config_drive", Boolean, nullable=False),
    Column("zone", String(255)),
    Column("scheduler_hints", JSON, nullable=False),
    Column("reservation_id", String(16), nullable=False, index=True),
    Column("launch_index", Integer, nullable=False),
    Column("node_uuid", String(36), index=True),
    Column("vm_state", String(32), nullable=False, index=True),
    Column("task_state", String(32), index=True),
    Column("power_state", Integer, nullable=False),
    Column("fault", JSON),
    #: Who has locked it: ``owner`` or ``admin``.
    Column("locked_by", String(5)),
    Column("locked_reason", String(255)),
    #: What it was asked for with, and the nodes tried, as :class:`.RequestSpec`.
    Column("request_spec", JSON),
    #: Whether something is still to be done at the node: its targets, or tearing it down.
    Column("unfinished", Boolean, nullable=False),
    Column("created_at", DateTime, nullable=False),
    Column("updated_at", DateTime, nullable=False),
    Column("launched_at", DateTime),
)


def _server() -> Column[str]:
    return Column(
        "server_id", ForeignKey(servers.c.id, ondelete="CASCADE"), nullable=False, index=True
    )


block_devices = numbered(
    "compute_block_devices",
    Column("id", String(36), nullable=False, unique=True),
    _server(),
    Column("source_type", String(16), nullable=False),
    Column("destination_type", String(16), nullable=False),
    Column("boot_index", Integer),
    Column("device_name", String(255)),
    Column("volume_id", String(36), index=True),
    Column("attachment_id", String(36)),
    #: ``rw`` or ``ro``; null for what is no volume.
    Column("attach_mode", String(2)),
    Column("delete_on_termination", Boolean, nullable=False),
    Column("tag", String(60)),
)
ports = numbered(
    "compute_ports",
    _server(),
    Column("port_id", String(36), nullable=False, unique=True),
    #: Whether it was made for the server, and goes with it.
    Column("made", Boolean, nullable=False),
    Column("tag", String(60)),
)
server_groups = numbered(
    "compute_server_groups",
    Column("id", String(36), nullable=False, unique=True),
    Column("name", String(255), nullable=False),
    Column("project_id", String(64), nullable=False, index=True),
    Column("user_id", String(64), nullable=False),
    Column("policy", String(32), nullable=False),
    Column("rules", JSON, nullable=False),
)
aggregates = numbered(
    "compute_aggregates",
    Column("id", String(36), nullable=False, unique=True),
    Column("name", String(255), nullable=False, unique=True),
    Column("hosts", JSON, nullable=False),
    #: With the availability zone, as Nova keeps it.
    Column("metadata", JSON, nullable=False),
    Column("created_at", DateTime, nullable=False),
    Column("updated_at", DateTime),
)
#: What administrators have set of Nova's services.
services = numbered(
    "compute_services",
    Column("binary", String(32), nullable=False, unique=True),
    Column("disabled", Boolean, nullable=False, default=False),
    Column("disabled_reason", String(255)),
    Column("forced_down", Boolean, nullable=False, default=False),
)
#: Limits that were set, of projects and of the class ``default``.
quotas = numbered(
    "compute_quotas",
    Column("id", String(255), nullable=False, unique=True),
    Column("limits", JSON, nullable=False),
)
#: What was asked for of servers; they stay when their server is gone.
actions = numbered(
    "compute_actions",
    Column("id", String(36), nullable=False, unique=True),
    Column("server_id", String(36), nullable=False, index=True),
    Column("project_id", String(64), nullable=False),
    Column("user_id", String(64), nullable=False),
    Column("request_id", String(64), nullable=False),
    Column("action", String(64), nullable=False),
    Column("start_time", DateTime, nullable=False),
    Column("finish_time", DateTime),
    #: Why it failed; null if it didn't.
    Column("problem", Text),
)
