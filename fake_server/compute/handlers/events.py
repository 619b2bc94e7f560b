"""Migrations, and events of other services."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.compute import microversions
from fake_server.compute.errors import InstanceNotFound
from fake_server.compute.handlers import servers
from fake_server.compute.models import instances
from fake_server.compute.policies import POLICIES
from fake_server.compute.schemas import infrastructure as schemas

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response
    from fake_server.compute.context import Context, Handler

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
#: Events that say what they are about.
_TAGGED_EVENTS = ("volume-extended", "volume-reimaged", "accelerator-request-bound")


@ROUTES.add("GET", "/os-migrations", "os-migrations:index", "os-migrations:index:all_projects")
def list_migrations(ctx: Context) -> Response:
    """List no migrations: servers stay on their nodes."""
    ctx.require("os-migrations:index")
    if ctx.one_of("project_id") != ctx.project_id:
        ctx.require("os-migrations:index:all_projects")
    return encode(200, {"migrations": []})


@ROUTES.add(
    "GET",
    "/servers/{ident}/migrations",
    "servers:migrations:index",
    since=microversions.SERVER_MIGRATIONS,
)
def list_server_migrations(ctx: Context, ident: str) -> Response:
    """List no migrations of a server."""
    servers.found(ctx, ident, "servers:migrations:index")
    return encode(200, {"migrations": []})


@ROUTES.add(
    "GET",
    "/servers/{ident}/migrations/{number}",
    "servers:migrations:show",
    since=microversions.SERVER_MIGRATIONS,
)
def show_server_migration(ctx: Context, ident: str, number: str) -> Response:
    """Find no migration of a server."""
    row = servers.found(ctx, ident, "servers:migrations:show")
    raise NotFound(f"In-progress live migration {number} is not found for server {row['id']}.")


@ROUTES.add("POST", "/os-server-external-events", "os-server-external-events:create")
def create_events(ctx: Context) -> Response:
    """Take events of other services, which Nova here doesn't wait for."""
    events = ctx.json(schemas.CREATE_EVENTS)["events"]
    ctx.require("os-server-external-events:create")
    shown = [_event(ctx, event) for event in events]
    status = 200 if all(event["code"] == 200 for event in shown) else 207
    return encode(status, {"events": shown})


def _event(ctx: Context, event: dict[str, Any]) -> dict[str, Any]:
    """Return an event with what becomes of it."""
    try:
        row = instances.get(ctx.session, event["server_uuid"])
    except InstanceNotFound:
        return {**event, "status": "failed", "code": 404}
    if event["name"] in _TAGGED_EVENTS and not event.get("tag"):
        return {**event, "status": "failed", "code": 400}
    if row["node_uuid"] is None:
        return {**event, "status": "failed", "code": 422}
    return {**event, "status": "completed", "code": 200}
