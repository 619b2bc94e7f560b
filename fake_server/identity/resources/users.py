"""``/v3/users`` and ``/v3/groups``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.resources.declaration import both
from fake_server.common.rest import encode
from fake_server.identity import errors, models, schemas, tables, trusts
from fake_server.identity.resources.keystone_resource import (
    KeystoneResource,
    check_domain,
    of_token_domain,
    own_domain,
)

if TYPE_CHECKING:
    from fake_server.common.errors import Conflict
    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record
    from fake_server.identity.context import Context

_OPTIONS = schemas.options(
    ignore_change_password_upon_first_use=schemas.SWITCH,
    ignore_password_expiry=schemas.SWITCH,
    ignore_lockout_failure_attempts=schemas.SWITCH,
    ignore_user_inactivity=schemas.SWITCH,
    lock_password=schemas.SWITCH,
    multi_factor_auth_enabled=schemas.SWITCH,
    multi_factor_auth_rules={"type": "array"},
)


class _InDomain(KeystoneResource):
    """What users and groups have in common: each is in a domain, which no one changes."""

    fixed = {"id": "ID", "domain_id": "Domain ID"}

    def prepare(self, ctx: Context, row: Record) -> None:
        """Put a new one into a domain."""
        if row.get("domain_id"):
            check_domain(ctx, row["domain_id"])
        row["domain_id"] = row.get("domain_id") or own_domain(ctx)

    def duplicate(self, row: Record, *, is_new: bool) -> Conflict:
        """Return the error for one that is called as another one is."""
        if not is_new:
            return super().duplicate(row, is_new=is_new)
        problem = f"Duplicate entry found with name {row['name']} at domain ID {row['domain_id']}"
        return errors.conflict(self.name, problem)

    def narrowed(self, ctx: Context, rows: list[Record]) -> list[Record]:
        """Return those that are in the token's domain."""
        return of_token_domain(ctx, rows)


class Users(_InDomain):
    """Users."""

    name = "user"
    table = tables.users
    filters = ("name", "domain_id", "enabled")
    hidden_columns = ("password",)
    fields = {
        "name": both(schemas.name(255), required=True),
        "password": both(schemas.OPTIONAL_TEXT),
        "domain_id": both(schemas.ID),
        "default_project_id": both(schemas.ID),
        "enabled": both(schemas.BOOLEAN, default=True),
        "description": both(schemas.OPTIONAL_TEXT),
        "options": both(_OPTIONS, default={}),
    }
    computed = ("description",)

    def prepare(self, ctx: Context, row: Record) -> None:
        """Put a new user into a domain, and store its password as its digest."""
        super().prepare(ctx, row)
        if row["password"] is not None:
            row["password"] = models.hashed(row["password"])

    def check_change(self, ctx: Context, row: Record, changes: Record) -> None:
        """Store a new password as its digest, and end the tokens that it ends."""
        if changes.get("password") is not None:
            changes["password"] = models.hashed(changes["password"])
        if "password" in changes or changes.get("enabled") is False:
            models.revoke_tokens(ctx.tx, row["id"])

    def check_deletion(self, ctx: Context, row: Record) -> None:
        """End the trusts that a user gives or is given."""
        trusts.end(ctx.tx, ctx.clock.seconds(), trusts.of_user(row["id"]))

    def plain(self, row: Record) -> dict[str, Any]:
        """Return a user as clients see it, without its links."""
        found = super().plain(row)
        if found["default_project_id"] is None:
            del found["default_project_id"]
        return {**found, "password_expires_at": None}

    def answer(self, ctx: Context, operation: str, row: Record) -> Response:
        """Return the answer to an operation."""
        more = {"extra": row["extra"]} if operation == "update" else {}
        return encode(self.status(operation), {"user": {**self.shown(ctx, row), **more}})


class Groups(_InDomain):
    """Groups."""

    name = "group"
    table = tables.groups
    filters = ("name", "domain_id")
    known_first = ("delete",)
    fields = {
        "name": both(schemas.name(64), required=True),
        "description": both(schemas.OPTIONAL_TEXT, default=""),
        "domain_id": both(schemas.ID),
    }

    def check_deletion(self, ctx: Context, row: Record) -> None:
        """End the tokens of members that have roles by the group."""
        if models.assignments(ctx.tx, group_id=row["id"]):
            for member in models.fetch_members(ctx.tx, row["id"]):
                models.revoke_tokens(ctx.tx, member["id"])


USER, GROUP = Users(), Groups()
