"""The schema of the Object Storage service. Accounts are there from their first use on."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    Double,
    ForeignKey,
    LargeBinary,
    String,
    Text,
    UniqueConstraint,
)

from fake_server.db.schema import numbered

#: What clients said of accounts, by the names of headers.
accounts = numbered(
    "object_storage_accounts",
    Column("name", String(256), nullable=False, unique=True),
    Column("headers", JSON, nullable=False),
)
containers = numbered(
    "object_storage_containers",
    Column("account", String(256), nullable=False),
    Column("name", String(256), nullable=False),
    Column("headers", JSON, nullable=False),
    Column("changed_at", Double, nullable=False),
    UniqueConstraint("account", "name", name="uniq_object_storage_containers"),
)
objects = numbered(
    "object_storage_objects",
    Column("container", ForeignKey(containers.c.number, ondelete="CASCADE"), nullable=False),
    # A digest of the name, since some databases have no index of so long ones.
    Column("key", String(64), nullable=False),
    Column("name", String(1024), nullable=False),
    Column("type", Text, nullable=False),
    Column("etag", String(32), nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("headers", JSON, nullable=False),
    Column("changed_at", Double, nullable=False),
    Column("delete_at", Double),
    Column("data", LargeBinary(2**32 - 1), nullable=False),
    UniqueConstraint("container", "key", name="uniq_object_storage_objects"),
)
