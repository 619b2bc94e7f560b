"""Passwords, groups and projects of users, and tags of projects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, NotFound, Unauthorized
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import decode
from fake_server.common.schemas import Checker, object_schema
from fake_server.common.wsgi import Response
from fake_server.identity import models, tables, targets
from fake_server.identity.policies import POLICIES
from fake_server.identity.resources.projects import PROJECT
from fake_server.identity.resources.users import GROUP, USER

if TYPE_CHECKING:
    from fake_server.db.store import Record
    from fake_server.identity.context import Context, Handler

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_PASSWORDS = Checker(
    object_schema(
        {"original_password": {"type": "string"}, "password": {"type": "string"}},
        "original_password",
        "password",
    )
)


@ROUTES.public("POST", "/v3/users/{user_id}/password")
def change_password(ctx: Context, user_id: str) -> Response:
    """Change the password of a user who knows the present one; no token is needed."""
    given: Any = decode(ctx.request).get("user", {})
    if problem := _PASSWORDS.best(given):
        raise BadRequest(problem.message)
    row = models.find(ctx.tx, tables.users, user_id)
    if row is None or not models.proves(given["original_password"], row["password"]):
        raise Unauthorized
    digest = models.hashed(given["password"])
    ctx.tx.update_row(tables.users, user_id, {"password": digest})
    models.revoke_tokens(ctx.tx, user_id)
    return Response(204)


@ROUTES.add("GET HEAD", "/v3/users/{user_id}/projects", "list_user_projects")
def list_projects_of_user(ctx: Context, user_id: str) -> Response:
    """List the projects that a user has a role on."""
    USER.found(ctx, user_id, "list_user_projects")
    return PROJECT.answer_list(ctx, models.targets_of(ctx.tx, user_id, domains=False))


@ROUTES.add("GET HEAD", "/v3/users/{user_id}/groups", "list_groups_for_user")
def list_groups_of_user(ctx: Context, user_id: str) -> Response:
    """List the groups that a user is in."""
    row = USER.find(ctx, user_id)
    ctx.require("list_groups_for_user", {"user_id": user_id, **targets.of(user=row)})
    USER.need(ctx, user_id)
    more = {"membership_expires_at": None}
    rows = _in_scope(ctx, models.fetch_groups(ctx.tx, user_id))
    return ctx.listed("groups", [{**GROUP.shown(ctx, row), **more} for row in rows])


@ROUTES.asking("DELETE", "/v3/users/{user_id}/tokens", "revoke_tokens_for_user")
def revoke_tokens(ctx: Context, user_id: str) -> Response:
    """Revoke all tokens of a user."""
    USER.need(ctx, user_id)
    models.revoke_tokens(ctx.tx, user_id)
    return Response(204)


@ROUTES.add("GET HEAD", "/v3/groups/{group_id}/users", "list_users_in_group")
def list_users_of_group(ctx: Context, group_id: str) -> Response:
    """List the users in a group."""
    GROUP.found(ctx, group_id, "list_users_in_group")
    return USER.answer_list(ctx, _in_scope(ctx, models.fetch_members(ctx.tx, group_id)))


def _in_scope(ctx: Context, rows: list[Record]) -> list[Record]:
    """Return what is in the domain that the token is for, if it is for one."""
    domain = ctx.caller.domain_id
    return [row for row in rows if domain in (None, row["domain_id"])]


_MEMBER = "/v3/groups/{group_id}/users/{user_id}"


@ROUTES.add("PUT", _MEMBER, "add_user_to_group")
def add_user(ctx: Context, group_id: str, user_id: str) -> Response:
    """Put a user into a group."""
    row = _membership(ctx, group_id, user_id, "add_user_to_group")
    models.insert_once(ctx.tx, tables.memberships, row)
    return Response(204)


@ROUTES.add("GET HEAD", _MEMBER, "check_user_in_group")
def check_user(ctx: Context, group_id: str, user_id: str) -> Response:
    """Tell whether a user is in a group."""
    row = _membership(ctx, group_id, user_id, "check_user_in_group")
    if ctx.tx.get(tables.memberships, **row) is None:
        raise _not_in(group_id, user_id)
    return Response(204)


@ROUTES.add("DELETE", _MEMBER, "remove_user_from_group")
def remove_user(ctx: Context, group_id: str, user_id: str) -> Response:
    """Take a user out of a group."""
    row = _membership(ctx, group_id, user_id, "remove_user_from_group")
    if not ctx.tx.remove(tables.memberships, **row):
        raise _not_in(group_id, user_id)
    models.revoke_tokens(ctx.tx, user_id)
    return Response(204)


def _membership(ctx: Context, group_id: str, user_id: str, action: str) -> Record:
    group, user = GROUP.find(ctx, group_id), USER.find(ctx, user_id)
    ctx.require(action, targets.of(group=group, user=user))
    return {
        "group_id": GROUP.need(ctx, group_id)["id"],
        "user_id": USER.need(ctx, user_id)["id"],
    }


def _not_in(group_id: str, user_id: str) -> NotFound:
    return NotFound(f"User '{user_id}' not found in group '{group_id}'")
