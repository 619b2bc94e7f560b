"""``/v3/roles``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import NotFound
from fake_server.common.resources.declaration import both
from fake_server.identity import models, schemas, tables
from fake_server.identity.resources.keystone_resource import (
    KeystoneResource,
    check_domain,
    policies,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.db.store import Record
    from fake_server.identity.context import Context


class Roles(KeystoneResource):
    """Roles, for which those of a domain have policies of their own."""

    name = "role"
    table = tables.roles
    policies = policies("role", "domain_role")
    filters = ("name",)
    fixed = {"id": "ID", "domain_id": "Domain ID"}
    known_first = ("show", "update", "delete")
    fields = {
        "name": both(schemas.name(255), required=True),
        "description": both(schemas.OPTIONAL_TEXT),
        "domain_id": both(schemas.ID, default=tables.NO_DOMAIN),
        "options": both(schemas.IMMUTABLE, default={}),
    }

    def named(self, ctx: Context, role: Mapping[str, str]) -> str:
        """Return the id of a role that a body names, by its id or its name; raise NotFound."""
        if role.get("id"):
            return role["id"]
        name = role.get("name", "")
        row = ctx.tx.get(tables.roles, domain_id=tables.NO_DOMAIN, name=name)
        if row is None:
            raise NotFound(f"Role {name} is not defined")
        return str(row["id"])

    def policy_of(self, operation: str, row: Mapping[str, Any]) -> str:
        """Return the policy of an operation."""
        of_all, of_domain = self.policies[operation]
        return of_domain if row.get("domain_id") else of_all

    def prepare(self, ctx: Context, row: Record) -> None:
        """Raise NotFound for a domain that there isn't."""
        if row.get("domain_id"):
            check_domain(ctx, row["domain_id"])

    def matching(self, query: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of columns that a query asks for."""
        domain = query.get("domain_id", tables.NO_DOMAIN)
        return {**super().matching(query), "domain_id": domain}

    def check_deletion(self, ctx: Context, row: Record) -> None:
        """Delete the application credentials that have a role."""
        models.delete_credentials_with(ctx.tx, row["id"])


ROLE = Roles()
