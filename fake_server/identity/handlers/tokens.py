"""``/v3/auth``: tokens and what can be had with one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.rest import Routes, decode, encode
from fake_server.common.wsgi import Response
from fake_server.identity import authentication, models, roles, tokens, views
from fake_server.identity import catalog as catalogs
from fake_server.identity.errors import Forbidden, NotFound

if TYPE_CHECKING:
    from fake_server.identity.context import Call, Handler

ROUTES: Routes[Handler] = Routes()


@ROUTES.add("POST", "/v3/auth/tokens")
def issue(call: Call) -> Response:
    """Authenticate and answer with a token."""
    secret, token = authentication.authenticate(call.tx, call.clock.seconds(), decode(call.request))
    return encode(201, _shown_token(call, token), ("X-Subject-Token", secret))


@ROUTES.add("GET HEAD", "/v3/auth/tokens")
def validate(call: Call) -> Response:
    """Show whose a token is."""
    secret, token = _subject(call, "validate_token")
    return encode(200, _shown_token(call, token), ("X-Subject-Token", secret))


@ROUTES.add("DELETE", "/v3/auth/tokens")
def revoke(call: Call) -> Response:
    """Make a token useless."""
    _, token = _subject(call, "revoke_token")
    tokens.revoke(call.tx, token)
    return Response(204)


@ROUTES.add("GET", "/v3/auth/catalog")
def show_catalog(call: Call) -> Response:
    """Show where the services are."""
    project = call.token.row["project_id"]
    found = catalogs.catalog(call.mounted, call.request.host_url, project)
    return encode(200, {"catalog": found, "links": call.link("auth/catalog")})


@ROUTES.add("GET", "/v3/auth/projects")
def own_projects(call: Call) -> Response:
    """List the projects that the user can have a token for."""
    found = models.projects_of(call.tx, call.token.user["id"])
    return call.listed("projects", map(views.project, found))


@ROUTES.add("GET", "/v3/auth/domains")
def own_domains(call: Call) -> Response:
    """List the domains that the user can have a token for."""
    granted = models.roles_of(call.tx, call.token.user["id"], None)
    return call.listed("domains", [views.domain()] if granted else [])


@ROUTES.add("GET", "/v3/auth/system")
def own_system(call: Call) -> Response:
    """Tell whether the user can have a token for the system."""
    granted = models.roles_of(call.tx, call.token.user["id"], None)
    return encode(
        200, {"system": [{"all": True}] if granted else [], "links": call.link("auth/system")}
    )


def _subject(call: Call, action: str) -> tuple[str, tokens.Token]:
    secret = call.request.header("HTTP_X_SUBJECT_TOKEN") or ""
    found = tokens.find(call.tx, call.clock.seconds(), secret) if secret else None
    own = found is not None and found.user["id"] == call.token.user["id"]
    if not own and not call.oversees and "service" not in call.token.roles:
        raise Forbidden.action(action)
    if found is None:
        raise NotFound("Could not find the token that X-Subject-Token names.")
    return secret, found


def _shown_token(call: Call, token: tokens.Token) -> dict[str, Any]:
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
        shown["project"] = {
            "domain": models.DOMAIN,
            "id": project["id"],
            "name": project["name"],
        }
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
    if scoped and "nocatalog" not in call.request.query:
        shown["catalog"] = catalogs.catalog(call.mounted, call.request.host_url, row["project_id"])
    return {"token": shown}
