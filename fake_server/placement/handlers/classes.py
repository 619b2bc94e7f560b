"""``/resource_classes``: list, create, show and remove resource classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import Conflict
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.placement import microversions, schemas
from fake_server.placement.models import classes
from fake_server.placement.policies import POLICIES

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response
    from fake_server.placement.context import Handler, PlacementContext

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES, microversions.RESOURCE_CLASSES)


@ROUTES.asking("GET", "/resource_classes", "resource_classes:list")
def list_classes(ctx: PlacementContext) -> Response:
    """List all resource classes."""
    return ctx.shown(
        {"resource_classes": [_view(ctx, name) for name in classes.NAMES.fetch(ctx.tx)]}
    )


@ROUTES.asking("POST", "/resource_classes", "resource_classes:create")
def create(ctx: PlacementContext) -> Response:
    """Create a resource class."""
    name = ctx.json(schemas.NEW_CLASS)["name"]
    if not classes.NAMES.create(ctx.tx, name):
        raise Conflict(f"Conflicting resource class already exists: {name}")
    return ctx.empty(201, ctx.location(f"/resource_classes/{name}"))


@ROUTES.asking("GET", "/resource_classes/{name}", "resource_classes:show")
def show(ctx: PlacementContext, name: str) -> Response:
    """Show a resource class."""
    classes.check(ctx.tx, name)
    return ctx.shown(_view(ctx, name))


@ROUTES.asking("PUT", "/resource_classes/{name}", "resource_classes:update")
def ensure(ctx: PlacementContext, name: str) -> Response:
    """Create a resource class, unless it exists; in old versions, rename one."""
    if ctx.minor < microversions.ENSURE_CLASS:
        wanted = ctx.json(schemas.NEW_CLASS)["name"]
        classes.rename(ctx.tx, name, wanted)
        return ctx.shown(_view(ctx, wanted))
    ctx.dialect.check(schemas.CUSTOM_NAME, {"name": name})
    status = 201 if classes.NAMES.create(ctx.tx, name) else 204
    return ctx.empty(status, ctx.location(f"/resource_classes/{name}"))


@ROUTES.asking("DELETE", "/resource_classes/{name}", "resource_classes:delete")
def delete(ctx: PlacementContext, name: str) -> Response:
    """Remove a resource class."""
    classes.delete(ctx.tx, name)
    return ctx.empty(204)


def _view(ctx: PlacementContext, name: str) -> dict[str, Any]:
    href = f"{ctx.base}/resource_classes/{name}"
    return {"name": name, "links": [{"rel": "self", "href": href}]}
