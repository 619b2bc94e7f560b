"""Application credentials of users, and the access rules that restrict them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common import randomness
from fake_server.common.errors import BadRequest, Forbidden
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import decode, encode
from fake_server.common.schemas import Checker, object_schema
from fake_server.common.wsgi import Response
from fake_server.db.store import ConflictError, DuplicateError, Record
from fake_server.identity import access_rules, delegation, errors, models, schemas, tables, targets
from fake_server.identity.policies import POLICIES
from fake_server.identity.resources.roles import ROLE
from fake_server.identity.resources.users import USER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_server.identity.context import Context, Handler

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_KIND = "application_credential"
_OPTIONAL_TEXT = {"type": ["string", "null"]}
_ROLE = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "minLength": 1, "maxLength": 64},
        "name": {"type": "string", "minLength": 1, "maxLength": 255},
    },
    "minProperties": 1,
}
_RULE = object_schema(
    {
        "id": {"type": "string"},
        "path": {"type": "string", "minLength": 0, "maxLength": 225, "pattern": r"^\/.*"},
        "method": {"type": "string", "pattern": "^(POST|GET|HEAD|PATCH|PUT|DELETE)$"},
        "service": {"type": "string", "minLength": 1, "maxLength": 255},
    }
)
_CHECKER = Checker(
    {
        "type": "object",
        "properties": {
            "name": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": r"[\S]+"},
            "description": _OPTIONAL_TEXT,
            "secret": _OPTIONAL_TEXT,
            "expires_at": {"type": ["null", "string"]},
            "roles": {"type": "array", "items": _ROLE},
            "unrestricted": {"type": ["boolean", "null"]},
            "access_rules": {"type": "array", "items": _RULE},
        },
        "required": ["name"],
    }
)


_ALL = "/v3/users/{user_id}/application_credentials"


@ROUTES.add("GET HEAD", _ALL, f"list_{_KIND}s")
def list_credentials(ctx: Context, user_id: str) -> Response:
    """List the application credentials of a user."""
    _permit(ctx, f"list_{_KIND}s", {"user_id": user_id})
    match = {name: value for name, value in ctx.request.query.items() if name == "name"}
    found = models.fetch(ctx.tx, tables.application_credentials, user_id=user_id, **match)
    return ctx.listed(f"{_KIND}s", [_shown(ctx, row) for row in found])


@ROUTES.add("POST", _ALL, f"create_{_KIND}")
def create_credential(ctx: Context, user_id: str) -> Response:
    """Create an application credential for the project of the token, if it has one."""
    values = errors.required(decode(ctx.request), _KIND)
    if problem := _CHECKER.best(values):
        raise errors.invalid(problem, _KIND)
    token = ctx.token
    _permit(ctx, f"create_{_KIND}", {"user_id": user_id})
    delegation.check_unrestricted(token)
    secret = values.get("secret") or randomness.token(64)
    row = {
        "id": models.new_id(),
        "user_id": user_id,
        "project_id": token.project and token.project["id"],
        "name": values["name"],
        "description": values.get("description"),
        "secret": models.hashed(secret),
        "roles": _wanted_roles(ctx, values.get("roles")),
        "access_rules": _stored_rules(ctx, user_id, values.get("access_rules")),
        "unrestricted": values.get("unrestricted"),
        "expires_at": schemas.moment(values.get("expires_at"), ctx.clock.seconds()),
    }
    try:
        ctx.tx.insert(tables.application_credentials, row)
    except DuplicateError:
        problem = f"Duplicate entry found with name {row['name']}"
        raise errors.conflict(_KIND, problem) from None
    return encode(201, {_KIND: {**_shown(ctx, row), "secret": secret}})


@ROUTES.add("GET HEAD", f"{_ALL}/{{ident}}", f"get_{_KIND}")
def show_credential(ctx: Context, user_id: str, ident: str) -> Response:
    """Show an application credential."""
    return encode(200, {_KIND: _shown(ctx, _guarded(ctx, "get", user_id, ident))})


@ROUTES.add("DELETE", f"{_ALL}/{{ident}}", f"delete_{_KIND}")
def delete_credential(ctx: Context, user_id: str, ident: str) -> Response:
    """Remove an application credential; its tokens end with it."""
    row = _guarded(ctx, "delete", user_id, ident)
    table = tables.application_credentials
    ctx.tx.remove(table, id=row["id"])
    return Response(204)


def _guarded(ctx: Context, verb: str, user_id: str, ident: str) -> Record:
    """Return an application credential, whoever's the address says that it is.

    :raises Forbidden: if the client may not do this with those of its user.
    """
    row = models.find(ctx.tx, tables.application_credentials, ident)
    _permit(ctx, f"{verb}_{_KIND}", {"user_id": row["user_id"] if row else user_id})
    if verb == "delete":
        delegation.check_unrestricted(ctx.token)
    if row is None:
        raise errors.not_found("Application Credential", ident)
    return row


def _permit(ctx: Context, policy: str, target: dict[str, Any]) -> None:
    """Raise Forbidden unless a policy allows it, and the token comes from no trust."""
    ctx.require(policy, target)
    delegation.check_not_of_trust(ctx.token)


def _wanted_roles(ctx: Context, wanted: Sequence[Record] | None) -> list[str]:
    """Return the ids of the roles of a credential, with those that they imply.

    :param wanted: those that the client names; by default all of the token.
    :raises BadRequest: for a role that the token lacks.
    """
    granted = ctx.token.roles
    if not wanted:
        return list(granted.values())
    found = [ROLE.named(ctx, role) for role in wanted]
    whole = models.with_implied(ctx.tx, found)
    if not {*whole} <= {*granted.values()}:
        raise BadRequest(
            "Invalid application credential: Cannot create an application credential with "
            "unassigned role"
        )
    return whole


def _shown(ctx: Context, row: Record) -> dict[str, Any]:
    roles = (ctx.tx.get(tables.roles, id=ident) for ident in row["roles"])
    rules = access_rules.of(ctx.tx, row)
    expires_at = row["expires_at"]
    return {
        **{name: row[name] for name in ("id", "name", "description", "project_id", "user_id")},
        "roles": [ROLE.plain(role) for role in roles if role],
        "unrestricted": row["unrestricted"],
        "expires_at": None if expires_at is None else schemas.timestamp(expires_at),
        "system": None,
        **({} if rules is None else {"access_rules": rules}),
        "links": ctx.link(f"{_KIND}s/{row['id']}"),
    }


# Access rules


_RULES = "/v3/users/{user_id}/access_rules"


@ROUTES.add("GET HEAD", _RULES, "list_access_rules")
def list_rules(ctx: Context, user_id: str) -> Response:
    """List the access rules of a user's application credentials."""
    _require(ctx, "list_access_rules", user_id)
    rows = models.fetch(ctx.tx, tables.access_rules, user_id=user_id)
    return ctx.listed("access_rules", [_linked_rule(ctx, row) for row in rows])


@ROUTES.add("GET HEAD", f"{_RULES}/{{ident}}", "get_access_rule")
def show_rule(ctx: Context, user_id: str, ident: str) -> Response:
    """Show an access rule."""
    _require(ctx, "get_access_rule", user_id)
    return encode(200, {"access_rule": _linked_rule(ctx, _found_rule(ctx, user_id, ident))})


@ROUTES.add("DELETE", f"{_RULES}/{{ident}}", "delete_access_rule")
def delete_rule(ctx: Context, user_id: str, ident: str) -> Response:
    """Remove an access rule that no application credential has."""
    _require(ctx, "delete_access_rule", user_id)
    _found_rule(ctx, user_id, ident)
    users = models.fetch(ctx.tx, tables.application_credentials, user_id=user_id)
    if any(ident in (row["access_rules"] or ()) for row in users):
        text = "Access rule is in use and cannot be deleted."
        raise Forbidden(text)
    ctx.tx.remove(tables.access_rules, id=ident)
    return Response(204)


def _require(ctx: Context, policy: str, user_id: str) -> None:
    _permit(ctx, policy, targets.of(user=USER.find(ctx, user_id)))


def _found_rule(ctx: Context, user_id: str, ident: str) -> Record:
    row = ctx.tx.get(tables.access_rules, user_id=user_id, id=ident)
    if row is None:
        raise errors.not_found("Access Rule", ident)
    return row


def _stored_rules(ctx: Context, user_id: str, rules: Sequence[Record] | None) -> Any:
    """Return the ids of access rules, of which new ones are stored."""
    if rules is None:
        return None
    found = []
    for rule in rules:
        if set(rule) == {"id"}:
            row = _found_rule(ctx, user_id, rule["id"])
        else:
            match = {name: rule.get(name, "") for name in ("service", "path", "method")}
            new = {"id": models.new_id(), "user_id": user_id, **match}
            models.insert_once(ctx.tx, tables.access_rules, new)
            row = ctx.tx.get(tables.access_rules, user_id=user_id, **match) or {}
            if not row:
                raise ConflictError  # another client has just stored it
        found.append(row["id"])
    return found


def _linked_rule(ctx: Context, row: Record) -> dict[str, Any]:
    return {**access_rules.shown(row), "links": ctx.link(f"access_rules/{row['id']}")}
