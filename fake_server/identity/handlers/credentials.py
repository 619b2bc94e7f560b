"""Application credentials of users."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, Conflict
from fake_server.common.rest import Routes, decode, encode
from fake_server.common.wsgi import Response
from fake_server.db.store import DuplicateError, Record
from fake_server.identity import errors, models, roles, tables, views

if TYPE_CHECKING:
    from fake_server.identity.context import Context, Handler

ROUTES: Routes[Handler] = Routes()


@ROUTES.add("GET", "/v3/users/{user_id}/application_credentials")
def list_credentials(ctx: Context, user_id: str) -> Response:
    """List the application credentials of a user."""
    _own_or_oversee(ctx, user_id, "list_application_credentials")
    found = models.fetch(ctx.tx, tables.application_credentials, user_id=user_id)
    kind = "application_credentials"
    links = {**ctx.link(f"users/{user_id}/{kind}"), "previous": None, "next": None}
    return encode(200, {kind: [_credential(ctx, row) for row in found], "links": links})


@ROUTES.add("POST", "/v3/users/{user_id}/application_credentials")
def create_credential(ctx: Context, user_id: str) -> Response:
    """Create an application credential for the project of the token."""
    token = ctx.token
    if user_id != token.user["id"] or token.credential is not None:
        raise errors.forbidden("create_application_credential")
    if token.project is None:
        raise BadRequest("An application credential needs a token that is for a project.")
    values = decode(ctx.request).get("application_credential")
    if not isinstance(values, dict) or not isinstance(values.get("name"), str):
        raise BadRequest("application_credential has to be an object with a name.")
    name, secret = values["name"], values.get("secret")
    if secret is not None and not isinstance(secret, str):
        raise BadRequest("application_credential.secret has to be text.")
    try:
        row, secret = models.create_credential(
            ctx.tx,
            user_id,
            token.project["id"],
            name,
            _wanted_roles(values.get("roles"), token.roles),
            secret=secret,
            description=values.get("description"),
            unrestricted=values.get("unrestricted"),
            expires_at=_moment(values.get("expires_at")),
        )
    except DuplicateError:
        raise Conflict(
            "Conflict occurred attempting to store application_credential - Duplicate entry found "
            f"with name {name}."
        ) from None
    return encode(201, {"application_credential": {**_credential(ctx, row), "secret": secret}})


@ROUTES.add("GET", "/v3/users/{user_id}/application_credentials/{ident}")
def show_credential(ctx: Context, user_id: str, ident: str) -> Response:
    """Show an application credential."""
    _own_or_oversee(ctx, user_id, "get_application_credential")
    row = _found_credential(ctx, user_id, ident)
    return encode(200, {"application_credential": _credential(ctx, row)})


@ROUTES.add("DELETE", "/v3/users/{user_id}/application_credentials/{ident}")
def delete_credential(ctx: Context, user_id: str, ident: str) -> Response:
    """Remove an application credential; its tokens end with it."""
    if user_id != ctx.token.user["id"] and "admin" not in ctx.token.roles:
        raise errors.forbidden("delete_application_credential")
    models.delete_credential(ctx.tx, _found_credential(ctx, user_id, ident)["id"])
    return Response(204)


def _own_or_oversee(ctx: Context, user_id: str, action: str) -> None:
    if user_id != ctx.token.user["id"]:
        ctx.oversee(action)


def _found_credential(ctx: Context, user_id: str, ident: str) -> Record:
    found = models.find(ctx.tx, tables.application_credentials, ident)
    if found is None or found["user_id"] != user_id:
        raise errors.not_found("application credential", ident)
    return found


def _wanted_roles(wanted: Any, granted: list[str]) -> list[str]:
    """Return the roles of a credential; raise BadRequest for roles that the user lacks."""
    if wanted is None:
        return granted
    names = {roles.identify("role", name): name for name in roles.ROLES}
    if not isinstance(wanted, list) or not all(isinstance(role, dict) for role in wanted):
        raise BadRequest("application_credential.roles has to be a list of objects.")
    found = [role.get("name") or names.get(role.get("id"), "") for role in wanted]
    missing = [str(name) for name in found if name not in granted]
    if missing:
        raise BadRequest(f"The user has no role {', '.join(missing)} on the project.")
    return found


def _moment(text: Any) -> float | None:
    if text is None:
        return None
    try:
        return datetime.fromisoformat(str(text)).replace(tzinfo=UTC).timestamp()
    except ValueError:
        raise BadRequest("application_credential.expires_at has to be a date and time.") from None


def _credential(ctx: Context, row: Record) -> dict[str, Any]:
    expires_at = row["expires_at"]
    return {
        "id": row["id"],
        "name": row["name"],
        "description": row["description"],
        "project_id": row["project_id"],
        "roles": [
            {"id": roles.identify("role", name), "name": name, "domain_id": None}
            for name in row["roles"]
        ],
        "unrestricted": row["unrestricted"],
        "expires_at": None if expires_at is None else views.timestamp(expires_at),
        "system": None,
        "links": ctx.link(f"users/{row['user_id']}/application_credentials/{row['id']}"),
    }
