"""The schema of the Block Storage service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    DateTime,
    ForeignKey,
    Integer,
    String,
    Table,
    UniqueConstraint,
)

from fake_server.db.schema import numbered

if TYPE_CHECKING:
    from collections.abc import Sequence


def _owned(name: str, *columns: Column[Any], last: Sequence[Column[Any]] = ()) -> Table:
    """Return a table of what belongs to projects.

    :param columns: those that it has beside its own.
    :param last: those of them that come after the times.
    """
    return numbered(
        name,
        Column("id", String(36), nullable=False, unique=True),
        Column("project_id", String(64), nullable=False, index=True),
        *columns,
        Column("created_at", DateTime, nullable=False),
        Column("updated_at", DateTime),
        *last,
    )


qos_specs = numbered(
    "block_storage_qos_specs",
    Column("id", String(36), nullable=False, unique=True),
    Column("name", String(255), nullable=False, unique=True),
    Column("consumer", String(16), nullable=False),
    Column("specs", JSON, nullable=False),
)
volume_types = numbered(
    "block_storage_types",
    Column("id", String(36), nullable=False, unique=True),
    Column("name", String(255), nullable=False, unique=True),
    Column("description", String(255)),
    Column("is_public", Boolean, nullable=False),
    Column("extra_specs", JSON, nullable=False),
    Column("qos_specs_id", ForeignKey(qos_specs.c.id, ondelete="SET NULL")),
    Column("encryption", JSON),
)
#: The projects that use types which aren't public.
type_access = numbered(
    "block_storage_type_access",
    Column("type_id", ForeignKey(volume_types.c.id, ondelete="CASCADE"), nullable=False),
    Column("project_id", String(255), nullable=False),
    UniqueConstraint("type_id", "project_id"),
)
#: What projects have of their own: limits, and the type of volumes that ask for none.
projects = numbered(
    "block_storage_projects",
    Column("id", String(255), nullable=False, unique=True),
    Column("limits", JSON, nullable=False),
    Column("default_type_id", ForeignKey(volume_types.c.id, ondelete="SET NULL")),
)
volumes = _owned(
    "block_storage_volumes",
    Column("user_id", String(64), nullable=False),
    Column("name", String(255), index=True),
    Column("description", String(255)),
    Column("size", Integer, nullable=False),
    Column("status", String(32), nullable=False, index=True),
    Column("volume_type_id", ForeignKey(volume_types.c.id)),
    Column("availability_zone", String(255), nullable=False),
    Column("multiattach", Boolean, nullable=False),
    Column("bootable", Boolean, nullable=False),
    Column("readonly", Boolean),
    Column("metadata", JSON, nullable=False),
    Column("image_metadata", JSON, nullable=False),
    Column("source_volid", String(36)),
    Column("snapshot_id", String(36)),
    Column("encryption_key_id", String(36)),
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


def _copies(name: str, *columns: Column[Any]) -> Table:
    """Return a table of what is made of volumes."""
    return _owned(
        name,
        Column("user_id", String(64), nullable=False),
        Column("name", String(255)),
        Column("description", String(255)),
        Column("status", String(32), nullable=False),
        Column("size", Integer, nullable=False),
        Column("metadata", JSON, nullable=False),
        last=columns,
    )


snapshots = _copies(
    "block_storage_snapshots",
    Column("volume_id", ForeignKey(volumes.c.id, ondelete="CASCADE"), nullable=False, index=True),
)
#: They stay when their volume is gone.
backups = _copies(
    "block_storage_backups",
    Column("volume_id", String(36), nullable=False, index=True),
    Column("snapshot_id", String(36)),
    Column("container", String(255)),
    Column("is_incremental", Boolean, nullable=False),
    Column("parent_id", String(36), index=True),
)
transfers = numbered(
    "block_storage_transfers",
    Column("id", String(36), nullable=False, unique=True),
    Column("volume_id", ForeignKey(volumes.c.id, ondelete="CASCADE"), nullable=False, unique=True),
    Column("project_id", String(64), nullable=False, index=True),
    Column("name", String(255)),
    Column("auth_key", String(64), nullable=False),
    Column("no_snapshots", Boolean, nullable=False),
    Column("created_at", DateTime, nullable=False),
)
