"""The schema of the Identity service. A domain is a project that acts as one, as in Keystone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import JSON, Boolean, Column, Double, ForeignKey, Integer, String, Table, Text
from sqlalchemy import UniqueConstraint as Unique

from fake_server.db.schema import metadata, numbered

if TYPE_CHECKING:
    from sqlalchemy.schema import SchemaItem

#: The domain of what has none, since null is never a duplicate of null.
NO_DOMAIN = ""


def _belongs_to(column: str, target: Column[str], *, nullable: bool = False) -> Column[str]:
    """Return a column whose row goes when what it refers to is deleted."""
    return Column(column, ForeignKey(target, ondelete="CASCADE"), nullable=nullable, index=True)


def _named(kind: str, *columns: SchemaItem) -> Table:
    """Return a table of what has a name that is unique in its domain, and further properties."""
    return Table(
        f"identity_{kind}",
        metadata,
        Column("id", String(64), primary_key=True),
        Column("domain_id", String(64), nullable=False, default=NO_DOMAIN),
        Column("name", String(255), nullable=False),
        *columns,
        Column("extra", JSON, nullable=False, default=dict),
        Unique("domain_id", "name", name=f"uniq_identity_{kind}"),
    )


projects = _named(
    "projects",
    Column("parent_id", String(64)),
    Column("description", Text, default=""),
    Column("enabled", Boolean, nullable=False, default=True),
    Column("is_domain", Boolean, nullable=False, default=False),
    Column("tags", JSON, nullable=False, default=list),
    Column("options", JSON, nullable=False, default=dict),
)
users = _named(
    "users",
    Column("password", String(255)),
    Column("default_project_id", String(64)),
    Column("enabled", Boolean, nullable=False, default=True),
    Column("options", JSON, nullable=False, default=dict),
)
groups = _named("groups", Column("description", Text, default=""))
memberships = Table(
    "identity_memberships",
    metadata,
    Column("user_id", ForeignKey(users.c.id, ondelete="CASCADE"), primary_key=True),
    Column("group_id", ForeignKey(groups.c.id, ondelete="CASCADE"), primary_key=True),
)
roles = _named(
    "roles",
    Column("description", Text),
    Column("options", JSON, nullable=False, default=dict),
)
#: Which role includes which other one.
implications = Table(
    "identity_implications",
    metadata,
    Column("prior_id", ForeignKey(roles.c.id, ondelete="CASCADE"), primary_key=True),
    Column("implied_id", ForeignKey(roles.c.id, ondelete="CASCADE"), primary_key=True),
)
#: Roles of users and groups on a project or a domain, or on the system where there is no target.
assignments = Table(
    "identity_assignments",
    metadata,
    Column("id", Integer, primary_key=True),
    _belongs_to("user_id", users.c.id, nullable=True),
    _belongs_to("group_id", groups.c.id, nullable=True),
    _belongs_to("target_id", projects.c.id, nullable=True),
    _belongs_to("role_id", roles.c.id),
    Column("inherited", Boolean, nullable=False, default=False),
    # The values of the others, as null is never a duplicate of null.
    Column("key", String(64), nullable=False, unique=True),
)
services = numbered(
    "identity_services",
    Column("id", String(64), nullable=False, unique=True),
    Column("type", String(255), nullable=False),
    Column("name", String(255), nullable=False, default=""),
    Column("enabled", Boolean, nullable=False, default=True),
    Column("extra", JSON, nullable=False, default=dict),
)
regions = Table(
    "identity_regions",
    metadata,
    Column("id", String(255), primary_key=True),
    Column("description", String(255), default=""),
    Column("parent_region_id", String(255)),
    Column("extra", JSON, nullable=False, default=dict),
)
endpoints = numbered(
    "identity_endpoints",
    Column("id", String(64), nullable=False, unique=True),
    _belongs_to("service_id", services.c.id),
    Column("interface", String(8), nullable=False),
    Column("region_id", String(255)),
    Column("url", Text, nullable=False),
    Column("enabled", Boolean, nullable=False, default=True),
    Column("extra", JSON, nullable=False, default=dict),
)
credentials = numbered(
    "identity_credentials",
    Column("id", String(64), nullable=False, unique=True),
    _belongs_to("user_id", users.c.id),
    Column("project_id", String(64)),
    Column("type", String(255), nullable=False),
    Column("blob", Text, nullable=False),
    Column("extra", JSON, nullable=False, default=dict),
)
application_credentials = numbered(
    "identity_application_credentials",
    Column("id", String(64), nullable=False, unique=True),
    _belongs_to("user_id", users.c.id),
    Column("project_id", String(64)),
    Column("name", String(255), nullable=False),
    Column("description", Text),
    Column("secret", String(255), nullable=False),
    Column("roles", JSON, nullable=False),
    Column("access_rules", JSON),
    Column("unrestricted", Boolean),
    Column("expires_at", Double),
    Unique("user_id", "name", name="uniq_identity_application_credentials"),
)
access_rules = numbered(
    "identity_access_rules",
    Column("id", String(64), nullable=False, unique=True),
    _belongs_to("user_id", users.c.id),
    Column("service", String(255), nullable=False),
    Column("path", String(255), nullable=False),
    Column("method", String(16), nullable=False),
    Unique("user_id", "service", "path", "method", name="uniq_identity_access_rules"),
)
#: Trusts, which stay when they have ended: none is made anew that is like an earlier one.
trusts = numbered(
    "identity_trusts",
    Column("id", String(64), nullable=False, unique=True),
    Column("trustor_user_id", String(64), nullable=False, index=True),
    Column("trustee_user_id", String(64), nullable=False, index=True),
    Column("project_id", String(64)),
    Column("impersonation", Boolean, nullable=False),
    Column("expires_at", Double),
    Column("remaining_uses", Integer),
    Column("redelegated_trust_id", String(64)),
    Column("redelegation_count", Integer),
    Column("roles", JSON, nullable=False, default=list),
    Column("deleted_at", Double),
    Column("extra", JSON, nullable=False, default=dict),
    Unique(
        *("trustor_user_id", "trustee_user_id", "project_id", "impersonation", "expires_at"),
        name="uniq_identity_trusts",
    ),
)
registered_limits = numbered(
    "identity_registered_limits",
    Column("id", String(64), nullable=False, unique=True),
    _belongs_to("service_id", services.c.id),
    Column("region_id", String(255)),
    Column("resource_name", String(255), nullable=False),
    Column("default_limit", Integer, nullable=False),
    Column("description", Text),
)
limits = numbered(
    "identity_limits",
    Column("id", String(64), nullable=False, unique=True),
    _belongs_to("service_id", services.c.id),
    _belongs_to("project_id", projects.c.id, nullable=True),
    Column("domain_id", String(64)),
    Column("region_id", String(255)),
    Column("resource_name", String(255), nullable=False),
    Column("resource_limit", Integer, nullable=False),
    Column("description", Text),
)
#: Tokens by the digest of what the client holds, so that the database leads to no token. They stay
#: when what they are for is deleted: then it is told that this is missing.
tokens = Table(
    "identity_tokens",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("user_id", String(64), nullable=False, index=True),
    Column("project_id", String(64)),
    Column("domain_id", String(64)),
    Column("system", Boolean, nullable=False),
    Column("application_credential_id", String(64)),
    Column("trust_id", String(64)),
    Column("methods", JSON, nullable=False),
    Column("audit_id", String(32), nullable=False),
    Column("parent_audit_id", String(32)),
    Column("issued_at", Double, nullable=False),
    Column("expires_at", Double, nullable=False),
    Column("revoked", Boolean, nullable=False, default=False),
)
