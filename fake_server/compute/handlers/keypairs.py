"""``/os-keypairs``: keys that users log in with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.compute import crypto, microversions, views
from fake_server.compute.models import keypairs
from fake_server.compute.policies import POLICIES
from fake_server.compute.schemas import flavors as schemas

if TYPE_CHECKING:
    from fake_server.compute.context import Context, Handler

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)


@ROUTES.add("GET", "/os-keypairs", "os-keypairs:index")
def list_keypairs(ctx: Context) -> Response:
    """List the key pairs of a user."""
    rows = keypairs.get_all(ctx.session, _user(ctx, "index", ctx.one_of("user_id")))
    links: dict[str, Any] = {}
    if ctx.minor >= microversions.KEYPAIR_PAGES:
        named = [{**row, "id": row["name"]} for row in rows]
        rows, links = ctx.page(
            named,
            *("keypairs", ctx.one_of("marker"), ctx.one_of("limit")),
            unknown="Marker {} could not be found.",
        )
    shown = [{"keypair": views.keypair(ctx, row)} for row in rows]
    return encode(200, {"keypairs": shown, **links})


@ROUTES.add("POST", "/os-keypairs", "os-keypairs:create")
def create(ctx: Context) -> Response:
    """Import a public key, or, in older versions, make a key pair."""
    wanted = ctx.json(schemas.create_keypair(ctx.minor))["keypair"]
    kind, user_id = wanted.get("type", crypto.SSH), _user(ctx, "create", wanted.get("user_id"))
    ctx.require_project()
    now = ctx.session.clock.now()
    private_key, key = None, wanted.get("public_key")
    if key is None and kind == crypto.X509:
        private_key, key = crypto.generate_certificate(user_id, now)
    elif key is None:
        private_key, key = crypto.generate_key_pair()
    values = {
        "user_id": user_id,
        "name": wanted["name"],
        "type": kind,
        "public_key": key,
        "fingerprint": crypto.fingerprint(key, kind),
        "created_at": now,
    }
    row = keypairs.create(ctx.session, values)
    status = 201 if ctx.minor >= microversions.KEYPAIR_TYPE else 200
    shown = {**views.keypair(ctx, row), "user_id": row["user_id"]}
    if private_key is not None:
        shown["private_key"] = private_key
    return encode(status, {"keypair": shown})


@ROUTES.add("GET", "/os-keypairs/{name}", "os-keypairs:show")
def show(ctx: Context, name: str) -> Response:
    """Show a key pair."""
    row = keypairs.get(ctx.session, _user(ctx, "show", ctx.one_of("user_id")), name)
    return encode(200, {"keypair": views.keypair(ctx, row, detailed=True)})


@ROUTES.add("DELETE", "/os-keypairs/{name}", "os-keypairs:delete")
def delete(ctx: Context, name: str) -> Response:
    """Remove a key pair."""
    keypairs.destroy(ctx.session, _user(ctx, "delete", ctx.one_of("user_id")), name)
    return Response(204 if ctx.minor >= microversions.KEYPAIR_TYPE else 202)


def _user(ctx: Context, action: str, wanted: str | None) -> str:
    user_id = wanted if wanted and ctx.minor >= microversions.KEYPAIR_USER else ctx.user_id
    ctx.require(f"os-keypairs:{action}", {"user_id": user_id})
    return user_id
