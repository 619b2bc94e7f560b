"""What is in a namespace of metadata definitions: properties, objects, tags, resource types."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import Forbidden, NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.image import filters, views
from fake_server.image.handlers import namespaces
from fake_server.image.metadef_schemas import CHECKERS
from fake_server.image.models import metadefs
from fake_server.image.models.metadefs import OBJECTS, PROPERTIES, RESOURCE_TYPES, TAGS
from fake_server.image.policies import POLICIES

if TYPE_CHECKING:
    from fake_server.db.store import Record
    from fake_server.image.context import Handler, ImageContext
    from fake_server.image.models.metadefs import Kind

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_NAMESPACE = "/v2/metadefs/namespaces/{namespace}"
_TAGS = "/v2/metadefs/namespaces/{namespace}/tags"


@ROUTES.add("GET", "/v2/metadefs/resource_types", "list_metadef_resource_types")
def list_resource_types(ctx: ImageContext) -> Response:
    """List the resource types that were ever named."""
    ctx.require_definition("list_metadef_resource_types", None)
    rows = metadefs.fetch_resource_types(ctx.tx)
    shown = [
        {"name": row["name"], **dict.fromkeys(views.MOMENTS, views.timestamp(row["created_at"]))}
        for row in rows
    ]
    return encode(200, {"resource_types": shown})


@ROUTES.add("GET", f"{_NAMESPACE}/resource_types", "get_metadef_resource_type")
def list_associations(ctx: ImageContext, namespace: str) -> Response:
    """List the resource types of a namespace."""
    found = _namespace(ctx, RESOURCE_TYPES, namespace, "get_metadef_resource_type")
    rows = metadefs.fetch(ctx.tx, RESOURCE_TYPES, found)
    return encode(200, {"resource_type_associations": [views.definition(row) for row in rows]})


@ROUTES.add("GET", f"{_NAMESPACE}/properties", "get_metadef_properties")
def list_properties(ctx: ImageContext, namespace: str) -> Response:
    """List the properties of a namespace."""
    found = _namespace(ctx, PROPERTIES, namespace, "get_metadef_properties")
    rows = metadefs.fetch(ctx.tx, PROPERTIES, found)
    shown = {row["name"]: {"name": row["name"], **row["body"]} for row in rows}
    return encode(200, {"properties": shown})


@ROUTES.add("GET", f"{_NAMESPACE}/objects", "get_metadef_objects")
def list_objects(ctx: ImageContext, namespace: str) -> Response:
    """List the objects of a namespace, all of them whatever is asked for."""
    found = _namespace(ctx, OBJECTS, namespace, "get_metadef_objects")
    rows = metadefs.fetch(ctx.tx, OBJECTS, found)
    shown = [views.metadef_object(found, row) for row in rows]
    return encode(200, {"objects": shown, "schema": "v2/schemas/metadefs/objects"})


@ROUTES.add("GET", _TAGS, "get_metadef_tags")
def list_tags(ctx: ImageContext, namespace: str) -> Response:
    """List the tags of a namespace, the newest first."""
    found = _namespace(ctx, TAGS, namespace, "get_metadef_tags")
    rows = metadefs.fetch(ctx.tx, TAGS, found)[::-1]
    rows = namespaces.sorted_rows(ctx, rows, ("created_at", "updated_at", "name"))
    marker = ctx.one_of("marker")
    if marker is not None:
        last = metadefs.find(ctx.tx, TAGS, found, marker)["number"]
        rows = rows[[row["number"] for row in rows].index(last) + 1 :]
    shown = [{"name": row["name"]} for row in rows[: filters.page_size(ctx.one_of("limit"))]]
    return encode(200, {"tags": shown})


@ROUTES.add("POST", _TAGS, "add_metadef_tags")
def replace_tags(ctx: ImageContext, namespace: str) -> Response:
    """Replace the tags of a namespace, or add to them if a header says so."""
    wanted: dict[str, Any] = ctx.json(CHECKERS["tags"])
    found = _namespace(ctx, TAGS, namespace, "add_metadef_tags")
    if (ctx.request.header("HTTP_X_OPENSTACK_APPEND") or "").lower() != "true":
        metadefs.remove(ctx.tx, metadefs.fetch(ctx.tx, TAGS, found))
    for tag in wanted["tags"]:
        metadefs.create(ctx.tx, ctx.clock, TAGS, found, {"name": tag["name"]})
    shown = [{"name": row["name"]} for row in metadefs.fetch(ctx.tx, TAGS, found)[::-1]]
    return encode(201, {"tags": shown})


@ROUTES.add("POST", f"{_TAGS}/{{name}}", "add_metadef_tag")
def add_tag(ctx: ImageContext, namespace: str, name: str) -> Response:
    """Add a tag to a namespace."""
    ctx.dialect.check(CHECKERS["tag"], {"name": name})
    return _create(ctx, TAGS, namespace, {"name": name})


@ROUTES.add("GET", f"{_NAMESPACE}/properties/{{name}}", "get_metadef_property")
def show_property(ctx: ImageContext, namespace: str, name: str) -> Response:
    """Show a property, by the name that it has for a resource type if one is given."""
    found = _namespace(ctx, PROPERTIES, namespace, "get_metadef_property")
    wanted = ctx.one_of("resource_type")
    if wanted is not None:
        association = metadefs.find(ctx.tx, RESOURCE_TYPES, found, wanted)
        prefix = association["body"].get("prefix", "")
        if not name.startswith(prefix):
            raise NotFound(
                f"Property {name} does not start with the expected resource type association "
                f"prefix of '{prefix}'."
            )
        name = name.removeprefix(prefix)
    row = metadefs.find(ctx.tx, PROPERTIES, found, name)
    return encode(200, {"name": row["name"], **row["body"]})


def _show(ctx: ImageContext, namespace: str, name: str, *, kind: Kind) -> Response:
    """Show a definition."""
    found = _namespace(ctx, kind, namespace, kind.policy("get"))
    row = metadefs.find(ctx.tx, kind, found, name)
    shown = views.metadef_object(found, row) if kind is OBJECTS else views.definition(row)
    return encode(200, shown)


def _create_from_body(ctx: ImageContext, namespace: str, *, kind: Kind) -> Response:
    """Create a definition."""
    return _create(ctx, kind, namespace, _checked(ctx, kind))


def _update(ctx: ImageContext, namespace: str, name: str, *, kind: Kind) -> Response:
    """Replace a definition."""
    wanted = _checked(ctx, kind)
    found = _namespace(ctx, kind, namespace, kind.policy("modify"))
    row = metadefs.find(ctx.tx, kind, found, name)
    row = metadefs.update(ctx.tx, ctx.clock, kind, found, row, wanted)
    return encode(200, _written(kind, found, row))


def _remove(ctx: ImageContext, namespace: str, name: str, *, kind: Kind) -> Response:
    """Remove a definition."""
    found = _namespace(ctx, kind, namespace, kind.policy(kind.removal))
    row = metadefs.find(ctx.tx, kind, found, name)
    if found["protected"]:
        raise Forbidden(
            f"Metadata definition {kind.protected} {name} is protected and cannot be deleted."
        )
    metadefs.remove(ctx.tx, [row])
    return Response(204)


def _remove_all(ctx: ImageContext, namespace: str, *, kind: Kind) -> Response:
    """Remove all definitions of a kind."""
    found = namespaces.removable(ctx, namespace, _REMOVE_ALL[kind.name])
    metadefs.remove(ctx.tx, metadefs.fetch(ctx.tx, kind, found))
    return Response(204)


#: The policies of removing all definitions of a kind.
_REMOVE_ALL = {
    PROPERTIES.name: "delete_metadef_namespace",
    OBJECTS.name: "delete_metadef_namespace",
    TAGS.name: "delete_metadef_tags",
}
for _kind in (PROPERTIES, OBJECTS, TAGS, RESOURCE_TYPES):
    _all, _one = f"{_NAMESPACE}/{_kind.name}", f"{_NAMESPACE}/{_kind.name}/{{name}}"
    ROUTES.add("DELETE", _one, _kind.policy(_kind.removal))(partial(_remove, kind=_kind))
    if _kind is not TAGS:
        ROUTES.add("POST", _all, _kind.policy("add"))(partial(_create_from_body, kind=_kind))
    if _kind is not RESOURCE_TYPES:
        ROUTES.add("PUT", _one, _kind.policy("modify"))(partial(_update, kind=_kind))
        ROUTES.add("DELETE", _all, _REMOVE_ALL[_kind.name])(partial(_remove_all, kind=_kind))
    if _kind in (OBJECTS, TAGS):
        ROUTES.add("GET", _one, _kind.policy("get"))(partial(_show, kind=_kind))


def _namespace(ctx: ImageContext, kind: Kind, name: str, policy: str) -> Record:
    """Return a namespace that the client sees; raise Forbidden if a policy says so."""
    row = namespaces.seen(ctx, name, kind.no_namespace)
    ctx.require_definition(policy, row)
    return row


def _checked(ctx: ImageContext, kind: Kind) -> dict[str, Any]:
    wanted: dict[str, Any] = ctx.json(CHECKERS[kind.one])
    return wanted


def _create(ctx: ImageContext, kind: Kind, namespace: str, body: dict[str, Any]) -> Response:
    found = _namespace(ctx, kind, namespace, kind.policy("add"))
    return encode(201, _written(kind, found, metadefs.create(ctx.tx, ctx.clock, kind, found, body)))


def _written(kind: Kind, namespace: Record, row: Record) -> dict[str, Any]:
    """Return a definition as the answer to a change shows it."""
    if kind is PROPERTIES:
        return {"name": row["name"], **row["body"]}
    address = views.object_address(namespace, row) if kind is OBJECTS else {}
    return {**views.definition(row), **address}
