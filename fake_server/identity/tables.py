"""The schema of the Identity service. There is one domain, ``default``."""

from __future__ import annotations

from sqlalchemy import JSON, Boolean, Column, Double, ForeignKey, Integer, String, Table
from sqlalchemy import UniqueConstraint as Unique

from fake_server.db.schema import metadata, numbered

projects = Table(
    "identity_projects",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("name", String(64), nullable=False, unique=True),
)
users = Table(
    "identity_users",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("name", String(255), nullable=False, unique=True),
    Column("password", String(255), nullable=False),
    Column("default_project_id", String(64)),
)
#: Roles of users on a project, or on the system where there is none.
assignments = Table(
    "identity_assignments",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("user_id", ForeignKey(users.c.id, ondelete="CASCADE"), nullable=False, index=True),
    Column("project_id", ForeignKey(projects.c.id, ondelete="CASCADE")),
    Column("role", String(255), nullable=False),
    Unique("user_id", "project_id", "role", name="uniq_identity_assignments"),
)
application_credentials = numbered(
    "identity_application_credentials",
    Column("id", String(64), nullable=False, unique=True),
    Column("user_id", ForeignKey(users.c.id, ondelete="CASCADE"), nullable=False),
    Column("project_id", ForeignKey(projects.c.id, ondelete="CASCADE"), nullable=False),
    Column("name", String(255), nullable=False),
    Column("description", String(255)),
    Column("secret", String(255), nullable=False),
    Column("roles", JSON, nullable=False),
    Column("unrestricted", Boolean, nullable=False),
    Column("expires_at", Double),
    Unique("user_id", "name", name="uniq_identity_application_credentials"),
)
#: Tokens by the digest of what the client holds, so that the database leads to no token.
tokens = Table(
    "identity_tokens",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("user_id", ForeignKey(users.c.id, ondelete="CASCADE"), nullable=False),
    Column("project_id", ForeignKey(projects.c.id, ondelete="CASCADE")),
    Column("system", Boolean, nullable=False),
    Column("domain", Boolean, nullable=False),
    Column(
        "application_credential_id", ForeignKey(application_credentials.c.id, ondelete="CASCADE")
    ),
    Column("methods", JSON, nullable=False),
    Column("audit_id", String(32), nullable=False),
    Column("issued_at", Double, nullable=False),
    Column("expires_at", Double, nullable=False),
)
