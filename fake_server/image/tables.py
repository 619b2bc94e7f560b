"""The schema of the Image service: what is queried has a column, the rest is in ``properties``."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    ForeignKey,
    Integer,
    LargeBinary,
    String,
    UniqueConstraint,
)

from fake_server.db.schema import Message, numbered

images = numbered(
    "image_images",
    Column("id", String(36), nullable=False, unique=True),
    Column("owner", String(255), nullable=False, index=True),
    Column("name", String(255), index=True),
    Column("status", String(16), nullable=False),
    Column("visibility", String(16), nullable=False),
    Column("protected", Boolean, nullable=False),
    Column("os_hidden", Boolean, nullable=False),
    Column("disk_format", String(20)),
    Column("container_format", String(20)),
    Column("min_disk", Integer, nullable=False),
    Column("min_ram", Integer, nullable=False),
    Column("size", BigInteger),
    Column("virtual_size", BigInteger),
    Column("checksum", String(32)),
    Column("os_hash_algo", String(64)),
    Column("os_hash_value", String(128)),
    Column("tags", JSON, nullable=False),
    Column("properties", JSON, nullable=False),
    # Those that hold it, where stores have names; null in what an older version has stored.
    Column("stores", JSON),
    Column("created_at", DateTime, nullable=False),
    Column("updated_at", DateTime, nullable=False),
)
#: What images hold; apart from them, because lists show none of it. MariaDB's default is 64 KiB.
contents = numbered(
    "image_contents",
    Column("image_id", ForeignKey(images.c.id, ondelete="CASCADE"), nullable=False, unique=True),
    Column("data", LargeBinary(2**32 - 1), nullable=False),
)
members = numbered(
    "image_members",
    Column("image_id", ForeignKey(images.c.id, ondelete="CASCADE"), nullable=False),
    Column("member_id", String(255), nullable=False, index=True),
    Column("status", String(20), nullable=False),
    Column("created_at", DateTime, nullable=False),
    Column("updated_at", DateTime, nullable=False),
    UniqueConstraint("image_id", "member_id"),
)
tasks = numbered(
    "image_tasks",
    Column("id", String(36), nullable=False, unique=True),
    Column("image_id", ForeignKey(images.c.id, ondelete="CASCADE"), nullable=False, index=True),
    Column("owner", String(255), nullable=False),
    Column("user_id", String(64)),
    Column("request_id", String(64)),
    Column("status", String(16), nullable=False),
    Column("input", JSON, nullable=False),
    Column("message", Message, nullable=False),
    Column("created_at", DateTime, nullable=False),
    Column("updated_at", DateTime, nullable=False),
)
#: Metadata definitions, each in a namespace: what clients may say of images, flavors and so on.
namespaces = numbered(
    "image_namespaces",
    Column("namespace", String(80), nullable=False, unique=True),
    Column("display_name", String(80)),
    Column("description", String(500)),
    Column("visibility", String(16), nullable=False),
    Column("protected", Boolean, nullable=False),
    Column("owner", String(255), nullable=False),
    Column("created_at", DateTime, nullable=False),
    Column("updated_at", DateTime, nullable=False),
)
definitions = numbered(
    "image_definitions",
    Column("namespace_number", ForeignKey(namespaces.c.number, ondelete="CASCADE"), nullable=False),
    #: ``properties``, ``objects``, ``tags`` or ``resource_types``.
    Column("kind", String(16), nullable=False),
    Column("name", String(80), nullable=False),
    #: What else is said of it.
    Column("body", JSON, nullable=False),
    Column("created_at", DateTime, nullable=False),
    Column("updated_at", DateTime, nullable=False),
    UniqueConstraint("namespace_number", "kind", "name"),
)
#: Resource types that were named once; they stay.
resource_types = numbered(
    "image_resource_types",
    Column("name", String(80), nullable=False, unique=True),
    Column("created_at", DateTime, nullable=False),
)
