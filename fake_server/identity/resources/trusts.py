"""``/v3/OS-TRUST/trusts``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, Forbidden
from fake_server.common.resources.declaration import Field, Level
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.identity import delegation, errors, models, schemas, tables, trusts
from fake_server.identity.resources.keystone_resource import KeystoneResource
from fake_server.identity.resources.roles import ROLE
from fake_server.identity.resources.users import USER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.common.errors import Conflict
    from fake_server.common.guarded_routes import GuardedRoutes
    from fake_server.common.schemas import Schema
    from fake_server.db.store import Record
    from fake_server.identity.context import Context

_NAMED_ROLE: Schema = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "minLength": 1, "maxLength": 64, "pattern": r"^[a-zA-Z0-9-]+$"},
        "name": schemas.name(255),
    },
    "minProperties": 1,
    "maxProperties": 1,
    "additionalProperties": False,
}


#: Between whom a trust is.
_USERS = ("trustor_user_id", "trustee_user_id")


class Trusts(KeystoneResource):
    """Trusts, which nobody changes."""

    name = "trust"
    paths = ("/v3/OS-TRUST/trusts",)
    table = tables.trusts
    hidden_columns = ("roles",)
    policies = {
        "list": ("list_trusts", "list_trusts_for_trustor", "list_trusts_for_trustee"),
        "create": ("create_trust",),
        "show": ("get_trust",),
        "delete": ("delete_trust",),
    }
    fields = {
        "trustor_user_id": Field(create=schemas.TEXT, required=True),
        "trustee_user_id": Field(create=schemas.TEXT, required=True),
        "impersonation": Field(create={"type": "boolean"}, required=True),
        "project_id": Field(create=schemas.OPTIONAL_TEXT),
        "remaining_uses": Field(create={"type": ["integer", "null"], "minimum": 1}),
        "expires_at": Field(create={"type": ["null", "string"]}),
        "allow_redelegation": Field(Level.HIDDEN, create={"type": ["boolean", "null"]}),
        "redelegation_count": Field(create={"type": ["integer", "null"], "minimum": 0}),
        "redelegated_trust_id": Field(create=schemas.OPTIONAL_TEXT),
        "roles": Field(create={"type": "array", "items": _NAMED_ROLE}, default=[]),
    }

    # Who may do what

    def policy_of(self, operation: str, row: Mapping[str, Any]) -> str:
        """Return the policy of an operation; that of a list is by whose trusts it shows."""
        if operation == "list":
            asked = next((name for name in _USERS if row.get(name)), None)
            return f"list_trusts_for_{asked.removesuffix('_user_id')}" if asked else "list_trusts"
        return super().policy_of(operation, row)

    def list_target(self, ctx: Context) -> dict[str, Any]:
        """Return what policies know of a request for a list: whose trusts it asks for."""
        return self.target(ctx, dict(ctx.request.query))

    def target(self, ctx: Context, row: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return what policies know of a trust: between whom it is."""
        return {f"target.trust.{name}": (row or {}).get(name) for name in _USERS}

    def check_token(self, ctx: Context) -> None:
        """Raise Forbidden for the tokens of application credentials."""
        delegation.check_not_of_credential(ctx.token)

    # What there is

    def find(self, ctx: Context, ident: str) -> Record:
        """Return a trust by its id; raise NotFound or Forbidden for one that is no good."""
        return trusts.find(ctx.tx, ctx.clock.seconds(), ident)

    def matching(self, query: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of columns that a query asks for."""
        asked = next((name for name in _USERS if query.get(name)), None)
        return {"deleted_at": None, **({asked: query[asked]} if asked else {})}

    def narrowed(self, ctx: Context, rows: list[Record]) -> list[Record]:
        """Return all, or none where something else is asked for than whose they are."""
        self.check_token(ctx)
        query = ctx.request.query
        return rows if not query or any(query.get(name) for name in _USERS) else []

    def prepare(self, ctx: Context, row: Record) -> None:
        """Complete a new trust, as who gives it may give it, or pass on another one."""
        if row["project_id"] and not row["roles"]:
            raise errors.forbidden("At least one role should be specified")
        USER.need(ctx, row["trustee_user_id"])
        row["roles"] = [ROLE.named(ctx, role) for role in row["roles"]]
        if row["project_id"] and models.find(ctx.tx, tables.projects, row["project_id"]) is None:
            raise errors.not_found("project", row["project_id"])
        held = models.effective_roles(ctx.tx, row["trustor_user_id"], row["project_id"] or "")
        for ident in row["roles"]:
            if ident not in held:
                raise errors.not_found("role", ident)
        row["expires_at"] = schemas.moment(row["expires_at"], ctx.clock.seconds())
        self._count(ctx, row)

    def _count(self, ctx: Context, row: Record) -> None:
        """Find out how many times a trust can be passed on.

        :raises Forbidden: for more times than it may be, or if it can't come from another one.
        """
        wanted, given = row["extra"], row["redelegation_count"]
        may_be_passed_on = wanted.pop("allow_redelegation", False) and given != 0
        if not may_be_passed_on:
            row["redelegation_count"] = given = 0
        elif given and given > trusts.LONGEST_CHAIN:
            raise Forbidden("You are not authorized to perform the requested action.")
        elif row["remaining_uses"] is not None:
            raise BadRequest("remaining_uses must not be set if redelegation is allowed")
        parent = ctx.token.trust
        row["redelegated_trust_id"] = parent and parent["id"]
        if parent is None:
            if may_be_passed_on and given is None:
                row["redelegation_count"] = trusts.LONGEST_CHAIN
            return
        left = (parent["redelegation_count"] or 0) - 1
        if may_be_passed_on:
            if given and given != left:
                raise Forbidden("You are not authorized to perform the requested action.")
            row["redelegation_count"] = left
        if row["expires_at"] is None:
            row["expires_at"] = parent["expires_at"]
        for one in trusts.pedigree(ctx.tx, ctx.clock.seconds(), parent):
            trusts.check_passed_on(one, row)

    def duplicate(self, row: Record, *, is_new: bool) -> Conflict:
        """Return the error for a trust that is like another one, even if that has ended."""
        return errors.conflict(self.name, f"Duplicate entry found with ID {row['id']}")

    # What is answered

    def shown(self, ctx: Context, row: Record, level: Level = Level.SUMMARY) -> dict[str, Any]:
        """Return a trust as lists show it, without its roles."""
        times = {name: row.get(name) for name in ("expires_at", "deleted_at")}
        return {
            **self.plain(row),
            **{name: seconds and schemas.timestamp(seconds) for name, seconds in times.items()},
            "links": ctx.link(f"OS-TRUST/trusts/{row['id']}"),
        }

    def answer(self, ctx: Context, operation: str, row: Record) -> Response:
        """Return the answer to an operation."""
        roles = {"roles": self._roles(ctx, row), "roles_links": _links(ctx, row)}
        return encode(self.status(operation), {self.name: {**self.shown(ctx, row), **roles}})

    def delete(self, ctx: Context, ident: str) -> Response:
        """End a trust, and those that come from it."""
        row = self.asked(ctx, ident, "delete")
        trusts.delete(ctx.tx, ctx.clock.seconds(), row)
        return Response(204)

    # Its roles

    def add_to(self, routes: GuardedRoutes[Any]) -> None:
        """Add the addresses of the roles of trusts."""
        path = f"{self.paths[0]}/{{ident}}/roles"
        routes.add("GET HEAD", path, "list_roles_for_trust")(self.list_roles)
        routes.add("GET HEAD", f"{path}/{{role}}", "get_role_for_trust")(self.show_role)

    def list_roles(self, ctx: Context, ident: str) -> Response:
        """List the roles that a trust gives."""
        row = self._found_for_roles(ctx, ident, "list_roles_for_trust")
        return encode(200, {"roles": self._roles(ctx, row), "links": _links(ctx, row)})

    def show_role(self, ctx: Context, ident: str, role: str) -> Response:
        """Show a role that a trust gives."""
        row = self._found_for_roles(ctx, ident, "get_role_for_trust")
        if role not in row["roles"]:
            raise errors.not_found("role", role)
        return ROLE.answer(ctx, "show", ROLE.need(ctx, role))

    def _found_for_roles(self, ctx: Context, ident: str, policy: str) -> Record:
        ctx.authenticate()
        row = self.found(ctx, ident, policy)
        self.check_token(ctx)
        return row

    def _roles(self, ctx: Context, row: Record) -> list[dict[str, Any]]:
        found = (ROLE.find(ctx, ident) for ident in row["roles"])
        return [ROLE.shown(ctx, role) for role in found if role]


def _links(ctx: Context, row: Record) -> dict[str, str | None]:
    return {**ctx.link(f"{row['id']}/roles"), "next": None, "previous": None}


TRUST = Trusts()
