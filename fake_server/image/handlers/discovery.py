"""``/v2/schemas``, ``/v2/info`` and the lists that are always empty here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.errors import Forbidden, NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.image import metadef_schemas, schemas, views
from fake_server.image.models import tasks
from fake_server.image.policies import POLICIES

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response
    from fake_server.image.context import Handler, ImageContext

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)


@ROUTES.public("GET", "/v2/schemas/{name}")
def show_schema(ctx: ImageContext, name: str) -> Response:
    """Show the schema of something."""
    if name not in schemas.SCHEMAS:
        raise NotFound
    return encode(200, schemas.SCHEMAS[name])


@ROUTES.public("GET", "/v2/schemas/metadefs/{name}")
def show_metadef_schema(ctx: ImageContext, name: str) -> Response:
    """Show the schema of metadata definitions."""
    if name not in metadef_schemas.SCHEMAS:
        raise NotFound
    return encode(200, metadef_schemas.SCHEMAS[name])


@ROUTES.public("GET", "/v2/info/import")
def show_import_methods(ctx: ImageContext) -> Response:
    """Show how images can be imported."""
    methods = {
        "description": "Import methods available.",
        "type": "array",
        "value": list(ctx.import_methods),
    }
    return encode(200, {"import-methods": methods})


@ROUTES.public("GET", "/v2/info/usage")
def show_usage(ctx: ImageContext) -> Response:
    """Show what counts against a limit, which is nothing."""
    return encode(200, {"usage": {}})


@ROUTES.add("GET", "/v2/images/{ident}/tasks", "get_image")
def list_image_tasks(ctx: ImageContext, ident: str) -> Response:
    """List the imports of an image."""
    ctx.image(ident)
    return encode(200, {"tasks": [views.task(row) for row in tasks.of_image(ctx.tx, ident)]})


@ROUTES.asking("GET", "/v2/tasks", "tasks_api_access")
def list_tasks(ctx: ImageContext) -> Response:
    """List tasks, which are none."""
    return encode(200, {"tasks": [], "first": "/v2/tasks", "schema": "/v2/schemas/tasks"})


@ROUTES.asking("POST", "/v2/tasks", "tasks_api_access")
def refuse_task(ctx: ImageContext) -> Response:
    """Say that there are no tasks."""
    raise Forbidden("There are no tasks here: stage what an image holds and import it.")
