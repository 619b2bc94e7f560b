"""``/resource_classes``: list, create, show and remove resource classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, Conflict
from fake_server.common.rest import Routes
from fake_server.placement import microversions, schemas
from fake_server.placement.models import classes

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response
    from fake_server.placement.context import Context, Handler

ROUTES: Routes[Handler] = Routes()


@ROUTES.add("GET", "/resource_classes")
def list_classes(ctx: Context) -> Response:
    """List all resource classes."""
    ctx.since(microversions.RESOURCE_CLASSES)
    ctx.permit("resource_classes:list")
    return ctx.shown(
        {"resource_classes": [_view(ctx, name) for name in classes.NAMES.fetch(ctx.tx)]}
    )


@ROUTES.add("POST", "/resource_classes")
def create(ctx: Context) -> Response:
    """Create a resource class."""
    ctx.since(microversions.RESOURCE_CLASSES)
    ctx.permit("resource_classes:create")
    name = ctx.json(schemas.NEW_CLASS)["name"]
    if not classes.NAMES.create(ctx.tx, name):
        raise Conflict(f"Conflicting resource class already exists: {name}")
    return ctx.empty(201, _location(ctx, name))


@ROUTES.add("GET", "/resource_classes/{name}")
def show(ctx: Context, name: str) -> Response:
    """Show a resource class."""
    ctx.since(microversions.RESOURCE_CLASSES)
    ctx.permit("resource_classes:show")
    classes.check(ctx.tx, name)
    return ctx.shown(_view(ctx, name))


@ROUTES.add("PUT", "/resource_classes/{name}")
def ensure(ctx: Context, name: str) -> Response:
    """Create a resource class, unless it exists."""
    ctx.since(microversions.ENSURE_CLASS, method=True)
    ctx.permit("resource_classes:update")
    error = schemas.CUSTOM_NAME.best({"name": name})
    if error is not None:
        raise BadRequest(f"JSON does not validate: {error}")
    return ctx.empty(201 if classes.NAMES.create(ctx.tx, name) else 204, _location(ctx, name))


@ROUTES.add("DELETE", "/resource_classes/{name}")
def delete(ctx: Context, name: str) -> Response:
    """Remove a resource class."""
    ctx.since(microversions.RESOURCE_CLASSES)
    ctx.permit("resource_classes:delete")
    classes.delete(ctx.tx, name)
    return ctx.empty(204)


def _view(ctx: Context, name: str) -> dict[str, Any]:
    href = f"{ctx.base}/resource_classes/{name}"
    return {"name": name, "links": [{"rel": "self", "href": href}]}


def _location(ctx: Context, name: str) -> tuple[str, str]:
    return ("Location", f"{ctx.request.host_url}{ctx.base}/resource_classes/{name}")
