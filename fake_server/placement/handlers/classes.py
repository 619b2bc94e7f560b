"""``/resource_classes``: what there can be some of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.rest import Routes
from fake_server.placement import microversions, schemas
from fake_server.placement.errors import BadRequest, Conflict
from fake_server.placement.models import classes

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response
    from fake_server.placement.context import Call, Handler

ROUTES: Routes[Handler] = Routes()


@ROUTES.add("GET", "/resource_classes")
def list_classes(call: Call) -> Response:
    """List all resource classes."""
    call.since(microversions.RESOURCE_CLASSES)
    call.permit("resource_classes:list")
    return call.shown({"resource_classes": [_view(call, name) for name in classes.names(call.tx)]})


@ROUTES.add("POST", "/resource_classes")
def create(call: Call) -> Response:
    """Make a resource class."""
    call.since(microversions.RESOURCE_CLASSES)
    call.permit("resource_classes:create")
    name = call.json(schemas.NEW_CLASS)["name"]
    if not classes.create(call.tx, name):
        raise Conflict(f"Conflicting resource class already exists: {name}")
    return call.empty(201, _location(call, name))


@ROUTES.add("GET", "/resource_classes/{name}")
def show(call: Call, name: str) -> Response:
    """Show a resource class."""
    call.since(microversions.RESOURCE_CLASSES)
    call.permit("resource_classes:show")
    classes.check(call.tx, name)
    return call.shown(_view(call, name))


@ROUTES.add("PUT", "/resource_classes/{name}")
def ensure(call: Call, name: str) -> Response:
    """Make a resource class, unless it is there."""
    call.since(microversions.ENSURE_CLASS, method=True)
    call.permit("resource_classes:update")
    error = schemas.CUSTOM_NAME.best({"name": name})
    if error is not None:
        raise BadRequest(f"JSON does not validate: {error}")
    return call.empty(201 if classes.create(call.tx, name) else 204, _location(call, name))


@ROUTES.add("DELETE", "/resource_classes/{name}")
def delete(call: Call, name: str) -> Response:
    """Remove a resource class."""
    call.since(microversions.RESOURCE_CLASSES)
    call.permit("resource_classes:delete")
    classes.delete(call.tx, name)
    return call.empty(204)


def _view(call: Call, name: str) -> dict[str, Any]:
    href = f"{call.base}/resource_classes/{name}"
    return {"name": name, "links": [{"rel": "self", "href": href}]}


def _location(call: Call, name: str) -> tuple[str, str]:
    return ("Location", f"{call.request.host_url}{call.base}/resource_classes/{name}")
