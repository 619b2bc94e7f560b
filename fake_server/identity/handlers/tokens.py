"""``/v3/auth``: tokens, and the scopes and services that a user has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import NotFound
from fake_server.common.rest import Routes, decode, encode
from fake_server.common.wsgi import Response
from fake_server.identity import authentication, errors, models, roles, tokens, views
from fake_server.identity import catalog as catalogs

if TYPE_CHECKING:
    from fake_server.identity.context import Context, Handler

ROUTES: Routes[Handler] = Routes()


@ROUTES.add("POST", "/v3/auth/tokens")
def issue(ctx: Context) -> Response:
    """Authenticate and answer with a token."""
    secret, token = authentication.authenticate(ctx.tx, ctx.clock.seconds(), decode(ctx.request))
    return encode(201, _shown_token(ctx, token), ("X-Subject-Token", secret))


@ROUTES.add("GET HEAD", "/v3/auth/tokens")
def validate(ctx: Context) -> Response:
    """Show whose a token is."""
    secret, token = _subject(ctx, "validate_token")
    return encode(200, _shown_token(ctx, token), ("X-Subject-Token", secret))


@ROUTES.add("DELETE", "/v3/auth/tokens")
def revoke(ctx: Context) -> Response:
    """Revoke a token."""
    _, token = _subject(ctx, "revoke_token")
    tokens.revoke(ctx.tx, token)
    return Response(204)


@ROUTES.add("GET", "/v3/auth/catalog")
def show_catalog(ctx: Context) -> Response:
    """Show where the services are."""
    project = ctx.token.row["project_id"]
    found = catalogs.catalog(ctx.mounted, ctx.request.host_url, project)
    return encode(200, {"catalog": found, "links": ctx.link("auth/catalog")})


@ROUTES.add("GET", "/v3/auth/projects")
def own_projects(ctx: Context) -> Response:
    """List the projects that the user can have a token for."""
    found = models.projects_of(ctx.tx, ctx.token.user["id"])
    return ctx.listed("projects", map(views.project, found))


@ROUTES.add("GET", "/v3/auth/domains")
def own_domains(ctx: Context) -> Response:
    """List the domains that the user can have a token for."""
    granted = models.roles_of(ctx.tx, ctx.token.user["id"], None)
    return ctx.listed("domains", [views.domain()] if granted else [])


@ROUTES.add("GET", "/v3/auth/system")
def own_system(ctx: Context) -> Response:
    """Return whether the user can have a token for the system."""
    granted = models.roles_of(ctx.tx, ctx.token.user["id"], None)
    return encode(
        200, {"system": [{"all": True}] if granted else [], "links": ctx.link("auth/system")}
    )


def _subject(ctx: Context, action: str) -> tuple[str, tokens.Token]:
    secret = ctx.request.header("HTTP_X_SUBJECT_TOKEN") or ""
    found = tokens.find(ctx.tx, ctx.clock.seconds(), secret) if secret else None
    own = found is not None and found.user["id"] == ctx.token.user["id"]
    if not own and not ctx.oversees and "service" not in ctx.token.roles:
        raise errors.forbidden(action)
    if found is None:
        raise NotFound("Could not find the token that X-Subject-Token names.")
    return secret, found


def _shown_token(ctx: Context, token: tokens.Token) -> dict[str, Any]:
    row = token.row
    shown: dict[str, Any] = {
        "methods": row["methods"],
        "user": {
            "domain": models.DOMAIN,
            "id": token.user["id"],
            "name": token.user["name"],
            "password_expires_at": None,
        },
        "audit_ids": [row["audit_id"]],
        "expires_at": views.timestamp(row["expires_at"]),
        "issued_at": views.timestamp(row["issued_at"]),
    }
    if token.roles:
        shown["roles"] = [
            {"id": roles.identify("role", name), "name": name} for name in token.roles
        ]
    if token.project is not None:
        project = token.project
        shown["project"] = {"domain": models.DOMAIN, "id": project["id"], "name": project["name"]}
        shown["is_domain"] = False
    if row["system"]:
        shown["system"] = {"all": True}
    if row["domain"]:
        shown["domain"] = models.DOMAIN
    if token.credential is not None:
        shown["application_credential"] = {
            "id": token.credential["id"],
            "name": token.credential["name"],
            "restricted": not token.credential["unrestricted"],
        }
    scoped = token.project is not None or row["system"] or row["domain"]
    if scoped and "nocatalog" not in ctx.request.query:
        shown["catalog"] = catalogs.catalog(ctx.mounted, ctx.request.host_url, row["project_id"])
    return {"token": shown}
