"""``/v3/auth``: tokens, and the scopes and services that a user has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import Forbidden, NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.parsing import parse_boolean
from fake_server.common.rest import decode, encode
from fake_server.common.wsgi import Response
from fake_server.identity import (
    access_rules,
    authentication,
    catalog,
    errors,
    models,
    schemas,
    tables,
    tokens,
)
from fake_server.identity.policies import POLICIES
from fake_server.identity.resources.projects import DOMAIN, PROJECT
from fake_server.identity.resources.roles import ROLE

if TYPE_CHECKING:
    from fake_server.db.store import Record
    from fake_server.identity.context import Context, Handler

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)


@ROUTES.public("POST", "/v3/auth/tokens")
def issue(ctx: Context) -> Response:
    """Authenticate and answer with a token."""
    secret, token = authentication.authenticate(ctx.tx, ctx.clock.seconds(), decode(ctx.request))
    return encode(201, _shown_token(ctx, token), ("X-Subject-Token", secret))


@ROUTES.add("GET HEAD", "/v3/auth/tokens", "validate_token", "check_token")
def validate(ctx: Context) -> Response:
    """Show whose a token is."""
    verb = "check" if ctx.request.method == "HEAD" else "validate"
    secret, token = _subject(ctx, f"{verb}_token")
    return encode(200, _shown_token(ctx, token), ("X-Subject-Token", secret))


@ROUTES.add("DELETE", "/v3/auth/tokens", "revoke_token")
def revoke(ctx: Context) -> Response:
    """Revoke a token."""
    _, token = _subject(ctx, "revoke_token")
    cascade = parse_boolean(ctx.request.query.get("cascade", "true")) is not False
    tokens.revoke(ctx.tx, token, cascade=cascade)
    return Response(204)


@ROUTES.asking("GET HEAD", "/v3/auth/catalog", "get_auth_catalog")
def show_catalog(ctx: Context) -> Response:
    """Show where the services are."""
    if ctx.token.project is None:
        raise Forbidden("You are not authorized to perform the requested action.")
    return encode(200, {"catalog": _catalog(ctx, ctx.token), "links": ctx.link("auth/catalog")})


@ROUTES.asking("GET HEAD", "/v3/auth/projects", "get_auth_projects")
def own_projects(ctx: Context) -> Response:
    """List the projects that the user can have a token for."""
    user = ctx.token.user["id"]
    return PROJECT.answer_list(ctx, models.targets_of(ctx.tx, user, domains=False))


@ROUTES.asking("GET HEAD", "/v3/auth/domains", "get_auth_domains")
def own_domains(ctx: Context) -> Response:
    """List the domains that the user can have a token for."""
    user = ctx.token.user["id"]
    return DOMAIN.answer_list(ctx, models.targets_of(ctx.tx, user, domains=True))


@ROUTES.asking("GET HEAD", "/v3/auth/system", "get_auth_system")
def own_system(ctx: Context) -> Response:
    """Return whether the user can have a token for the system."""
    granted = models.roles_of(ctx.tx, ctx.token.user["id"], None)
    return encode(
        200, {"system": [{"all": True}] if granted else [], "links": ctx.link("auth/system")}
    )


def _subject(ctx: Context, action: str) -> tuple[str, tokens.Token]:
    ctx.authenticate()
    secret = ctx.request.header("HTTP_X_SUBJECT_TOKEN")
    if not secret:
        ctx.require(action, {})
        raise NotFound("No token in the request")
    late = tokens.LATE if parse_boolean(ctx.request.query.get("allow_expired")) else 0
    token = tokens.validate(ctx.tx, ctx.clock.seconds() - late, secret)
    if not _understands(ctx, token):
        raise errors.TokenNotFound("Failed to validate token")
    ctx.require(action, {"target.token.user_id": token.row["user_id"]})
    return secret, token


def _understands(ctx: Context, token: tokens.Token) -> bool:
    """Return whether the client says that it heeds access rules, if the token has any."""
    rules = token.credential and token.credential["access_rules"]
    if rules is None:
        return True
    try:
        version = float(ctx.request.header("HTTP_OPENSTACK_IDENTITY_ACCESS_RULES") or 0)
    except ValueError:
        return False
    return version >= 1


def _shown_token(ctx: Context, token: tokens.Token) -> dict[str, Any]:
    row = token.row
    shown: dict[str, Any] = {
        "methods": row["methods"],
        "user": {**_in_domain(ctx, token.user), "password_expires_at": None},
        "audit_ids": [row[name] for name in ("audit_id", "parent_audit_id") if row[name]],
        "expires_at": schemas.timestamp(row["expires_at"]),
        "issued_at": schemas.timestamp(row["issued_at"]),
    }
    if token.roles:
        shown["roles"] = [{"id": ident, "name": name} for name, ident in token.roles.items()]
    if token.project is not None:
        shown["project"] = _in_domain(ctx, token.project)
    if token.trust is not None:
        shown["OS-TRUST:trust"] = {
            **{name: token.trust[name] for name in ("id", "impersonation")},
            "trustor_user": {"id": token.trust["trustor_user_id"]},
            "trustee_user": {"id": token.trust["trustee_user_id"]},
        }
        idents = token.roles.values()
        shown["roles"] = [ROLE.plain(ROLE.need(ctx, ident)) for ident in idents]
    elif token.project is not None:
        shown["is_domain"] = False
    if row["system"]:
        shown["system"] = {"all": True}
    if token.scope.domain is not None:
        shown["domain"] = {name: token.scope.domain[name] for name in ("id", "name")}
    if token.credential is not None:
        shown["application_credential"] = {
            "id": token.credential["id"],
            "name": token.credential["name"],
            "restricted": not token.credential["unrestricted"],
        }
        if rules := access_rules.of(ctx.tx, token.credential):
            shown["application_credential"]["access_rules"] = rules
    if token.scope.is_some and "nocatalog" not in ctx.request.query:
        shown["catalog"] = _catalog(ctx, token)
    return {"token": shown}


def _in_domain(ctx: Context, row: Record) -> dict[str, Any]:
    """Return a user or a project with its domain, as tokens show it."""
    domain = models.find(ctx.tx, tables.projects, row["domain_id"]) or {}
    return {
        "id": row["id"],
        "name": row["name"],
        "domain": {"id": row["domain_id"], "name": domain.get("name")},
    }


def _catalog(ctx: Context, token: tokens.Token) -> list[dict[str, Any]]:
    return catalog.of_token(ctx.tx, ctx.request.host_url, token.row["project_id"])
