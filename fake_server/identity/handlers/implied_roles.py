"""What roles imply: ``/v3/roles/{id}/implies`` and ``/v3/role_inferences``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import Forbidden, NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.identity import models, tables
from fake_server.identity.policies import POLICIES
from fake_server.identity.resources.roles import ROLE

if TYPE_CHECKING:
    from fake_server.db.store import Record
    from fake_server.identity.context import Context, Handler

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)


@ROUTES.add("GET HEAD", "/v3/roles/{prior_id}/implies", "list_implied_roles")
def list_implied(ctx: Context, prior_id: str) -> Response:
    """List the roles that a role implies."""
    prior = _role(ctx, prior_id)
    ctx.require("list_implied_roles", {})
    implied = models.implied(ctx.tx).get(prior_id, [])
    body = {"role_inference": _inference(ctx, prior, implied)}
    return encode(200, {**body, "links": ctx.link(f"roles/{prior_id}/implies")})


@ROUTES.add("GET", "/v3/roles/{prior_id}/implies/{implied_id}", "get_implied_role")
def show_implied(ctx: Context, prior_id: str, implied_id: str) -> Response:
    """Show that a role implies another one."""
    _require(ctx, "get", prior_id, implied_id)
    return _shown_implication(ctx, 200, prior_id, _implication(ctx, prior_id, implied_id))


@ROUTES.add("HEAD", "/v3/roles/{prior_id}/implies/{implied_id}", "check_implied_role")
def check_implied(ctx: Context, prior_id: str, implied_id: str) -> Response:
    """Tell whether a role implies another one."""
    _require(ctx, "check", prior_id, implied_id)
    _implication(ctx, prior_id, implied_id)
    return Response(204)


@ROUTES.add("PUT", "/v3/roles/{prior_id}/implies/{implied_id}", "create_implied_role")
def create_implied(ctx: Context, prior_id: str, implied_id: str) -> Response:
    """Have a role imply another one."""
    prior, implied = _require(ctx, "create", prior_id, implied_id)
    is_narrower = prior["domain_id"] == tables.NO_DOMAIN != implied["domain_id"]
    if implied["name"] == "admin" or is_narrower:
        raise Forbidden(f"{implied_id} cannot be an implied roles.")
    row = {"prior_id": prior_id, "implied_id": implied_id}
    models.insert_once(ctx.tx, tables.implications, row)
    return _shown_implication(ctx, 201, prior_id, row)


@ROUTES.add("DELETE", "/v3/roles/{prior_id}/implies/{implied_id}", "delete_implied_role")
def delete_implied(ctx: Context, prior_id: str, implied_id: str) -> Response:
    """Have a role no longer imply another one."""
    _require(ctx, "delete", prior_id, implied_id)
    row = _implication(ctx, prior_id, implied_id)
    ctx.tx.remove(tables.implications, **row)
    return Response(204)


@ROUTES.asking("GET HEAD", "/v3/role_inferences", "list_role_inference_rules")
def list_inferences(ctx: Context) -> Response:
    """List what all roles imply."""
    rules = [
        _inference(ctx, ROLE.need(ctx, prior), implied)
        for prior, implied in models.implied(ctx.tx).items()
    ]
    return encode(200, {"role_inferences": rules})


def _role(ctx: Context, ident: str) -> Record:
    """Return a role; that there is none is told to everybody with a token."""
    ctx.authenticate()
    return ROLE.need(ctx, ident)


def _require(ctx: Context, verb: str, prior_id: str, implied_id: str) -> tuple[Record, Record]:
    """Return two roles; raise an error if there are none, or the client may not do so."""
    roles = _role(ctx, prior_id), _role(ctx, implied_id)
    ctx.require(f"{verb}_implied_role", {})
    return roles


def _implication(ctx: Context, prior_id: str, implied_id: str) -> Record:
    row = ctx.tx.get(tables.implications, prior_id=prior_id, implied_id=implied_id)
    if row is None:
        raise NotFound(f"{prior_id} does not imply {implied_id}.")
    return row


def _shown_implication(ctx: Context, status: int, prior_id: str, row: Record) -> Response:
    shown = _inference(ctx, ROLE.need(ctx, prior_id), [row["implied_id"]])
    (shown["implies"],) = shown["implies"]
    path = f"roles/{prior_id}/implies/{row['implied_id']}"
    return encode(status, {"role_inference": shown, "links": ctx.link(path)})


def _inference(ctx: Context, prior: Record, implied: list[str]) -> dict[str, Any]:
    return {
        "prior_role": _named_role(ctx, prior),
        "implies": [_named_role(ctx, ROLE.need(ctx, ident)) for ident in implied],
    }


def _named_role(ctx: Context, row: Record) -> dict[str, Any]:
    return {"id": row["id"], "name": row["name"], "links": ctx.link(f"roles/{row['id']}")}
