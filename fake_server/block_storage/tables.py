"""The schema of the Block Storage service."""

from __future__ import annotations

from sqlalchemy import JSON, Boolean, Column, DateTime, Double, ForeignKey, Integer, String

from fake_server.db.schema import numbered

volume_types = numbered(
    "block_storage_types",
    Column("id", String(36), nullable=False, unique=True),
    Column("name", String(255), nullable=False, unique=True),
    Column("description", String(255)),
    Column("is_public", Boolean, nullable=False),
    Column("extra_specs", JSON, nullable=False),
)
volumes = numbered(
    "block_storage_volumes",
    Column("id", String(36), nullable=False, unique=True),
    Column("project_id", String(64), nullable=False, index=True),
    Column("user_id", String(64), nullable=False),
    Column("name", String(255), index=True),
    Column("description", String(255)),
    Column("size", Integer, nullable=False),
    Column("status", String(32), nullable=False, index=True),
    #: When it is created or extended, in seconds since the epoch; until then it isn't ready.
    Column("ready_at", Double, nullable=False),
    Column("busy_status", String(32), nullable=False),
    Column("volume_type_id", ForeignKey(volume_types.c.id)),
    Column("availability_zone", String(255), nullable=False),
    Column("multiattach", Boolean, nullable=False),
    Column("bootable", Boolean, nullable=False),
    Column("readonly", Boolean, nullable=False),
    Column("metadata", JSON, nullable=False),
    Column("image_metadata", JSON, nullable=False),
    Column("source_volid", String(36)),
    Column("snapshot_id", String(36)),
    Column("created_at", DateTime, nullable=False),
    Column("updated_at", DateTime),
)
attachments = numbered(
    "block_storage_attachments",
    Column("id", String(36), nullable=False, unique=True),
    Column("volume_id", ForeignKey(volumes.c.id, ondelete="CASCADE"), nullable=False, index=True),
    Column("instance_uuid", String(36), index=True),
    Column("status", String(32), nullable=False),
    Column("attach_mode", String(2)),
    Column("connector", JSON, nullable=False),
    Column("connection_info", JSON, nullable=False),
    Column("mountpoint", String(255)),
    Column("host_name", String(255)),
    Column("created_at", DateTime, nullable=False),
    Column("attached_at", DateTime),
)
