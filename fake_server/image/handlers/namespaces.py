"""``/v2/metadefs/namespaces``: the namespaces of metadata definitions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, Forbidden, NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.image import filters, views
from fake_server.image.metadef_schemas import CHECKERS
from fake_server.image.models import metadefs
from fake_server.image.policies import POLICIES

if TYPE_CHECKING:
    from fake_server.db.store import Record
    from fake_server.image.context import Handler, ImageContext

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_NAMESPACES = "/v2/metadefs/namespaces"
_NAMESPACE = "/v2/metadefs/namespaces/{namespace}"
_OPTIONAL = ("display_name", "description")
_SORTABLE = ("created_at", "updated_at", "namespace", "owner", "visibility", "protected")


@ROUTES.add("GET", _NAMESPACES, "get_metadef_namespaces")
def list_namespaces(ctx: ImageContext) -> Response:
    """List namespaces."""
    ctx.require_definition("get_metadef_namespaces", None)
    rows = metadefs.fetch_namespaces(ctx.tx, ctx.visible_project)
    visibility, types = ctx.one_of("visibility"), ctx.one_of("resource_types")
    if visibility is not None:
        if visibility not in (metadefs.PUBLIC, metadefs.PRIVATE):
            raise BadRequest(f"Invalid visibility value: {visibility}")
        rows = [row for row in rows if row["visibility"] == visibility]
    types_of = {row["number"]: metadefs.fetch(ctx.tx, metadefs.RESOURCE_TYPES, row) for row in rows}
    if types is not None:
        wanted = set(types.split(","))
        rows = [
            row for row in rows if any(one["name"] in wanted for one in types_of[row["number"]])
        ]
    rows = sorted_rows(ctx, rows, _SORTABLE)
    marker = ctx.one_of("marker")
    if marker is not None:
        place = [row["namespace"] for row in rows].index(_seen(ctx, marker)["namespace"])
        rows = rows[place + 1 :]
    size = filters.page_size(ctx.one_of("limit"))
    following = rows[size - 1]["namespace"] if len(rows) > size > 0 else None
    shown = []
    for row in rows[:size]:
        types_here = [views.definition(one) for one in types_of[row["number"]]]
        extra = {"resource_type_associations": types_here} if types_here else {}
        shown.append({**views.namespace(row), **extra})
    return ctx.dialect.listed(ctx, "metadefs/namespaces", shown, following)


@ROUTES.add("POST", _NAMESPACES, "add_metadef_namespace")
def create(ctx: ImageContext) -> Response:
    """Create a namespace, with definitions if need be."""
    wanted = _checked(ctx)
    ctx.require_definition("add_metadef_namespace", None)
    row = metadefs.create_namespace(
        ctx.tx, ctx.clock, {"owner": wanted.get("owner", ctx.project_id), **_columns(wanted)}
    )
    bodies = {
        metadefs.RESOURCE_TYPES: wanted.get("resource_type_associations", ()),
        metadefs.PROPERTIES: [
            {**body, "name": name} for name, body in wanted.get("properties", {}).items()
        ],
        metadefs.OBJECTS: wanted.get("objects", ()),
        metadefs.TAGS: wanted.get("tags", ()),
    }
    for kind, listed in bodies.items():
        for body in listed:
            ctx.dialect.check(CHECKERS[kind.one], body)
            metadefs.create(ctx.tx, ctx.clock, kind, row, body)
    given = ("resource_type_associations", "properties", "objects", "tags")
    shown = {**views.namespace(row), **{name: wanted[name] for name in given if name in wanted}}
    location = f"{ctx.request.base_url}{shown['self']}"
    return encode(201, shown, ("Location", location))


@ROUTES.add("GET", _NAMESPACE, "get_metadef_namespace")
def show(ctx: ImageContext, namespace: str) -> Response:
    """Show a namespace with its definitions, named as they are for a resource type if asked."""
    row = _seen(ctx, namespace)
    ctx.require_definition("get_metadef_namespace", row)
    found = {
        kind: metadefs.fetch(ctx.tx, kind, row)
        for kind in (
            *(metadefs.RESOURCE_TYPES, metadefs.PROPERTIES, metadefs.OBJECTS, metadefs.TAGS),
        )
    }
    wanted = ctx.one_of("resource_type")
    prefixes = [
        one["body"].get("prefix", "")
        for one in found[metadefs.RESOURCE_TYPES]
        if one["name"] == wanted
    ]
    prefix = prefixes[0] if prefixes else ""
    parts: dict[str, Any] = {
        "resource_type_associations": [
            views.definition(one) for one in found[metadefs.RESOURCE_TYPES]
        ],
        "properties": {f"{prefix}{one['name']}": one["body"] for one in found[metadefs.PROPERTIES]},
        "objects": [views.metadef_object(row, one, prefix) for one in found[metadefs.OBJECTS]],
        "tags": [{"name": one["name"]} for one in found[metadefs.TAGS]],
    }
    filled = {name: part for name, part in parts.items() if part}
    return encode(200, {**views.namespace(row), **filled})


@ROUTES.add("PUT", _NAMESPACE, "modify_metadef_namespace")
def update(ctx: ImageContext, namespace: str) -> Response:
    """Replace what is said of a namespace."""
    wanted = _checked(ctx)
    row = seen(ctx, namespace, "Namespace {} not found")
    ctx.require_definition("modify_metadef_namespace", row)
    row = metadefs.update_namespace(ctx.tx, ctx.clock, row, _columns(wanted))
    return encode(200, views.namespace(row))


@ROUTES.add("DELETE", _NAMESPACE, "delete_metadef_namespace")
def delete(ctx: ImageContext, namespace: str) -> Response:
    """Remove a namespace with all that is in it."""
    row = removable(ctx, namespace, "delete_metadef_namespace")
    metadefs.remove_namespace(ctx.tx, row)
    return Response(204)


def removable(ctx: ImageContext, name: str, policy: str) -> Record:
    """Return a namespace that the client may empty; raise NotFound or Forbidden for others.

    :param policy: what the client does to it.
    """
    row = seen(ctx, name, "Namespace {} not found")
    ctx.require_definition(policy, row)
    if row["protected"]:
        raise Forbidden(f"Metadata definition namespace {name} is protected and cannot be deleted.")
    return row


def seen(ctx: ImageContext, name: str, problem: str) -> Record:
    """Return a namespace that the client sees; raise NotFound, with the problem, for others."""
    try:
        return _seen(ctx, name)
    except NotFound:
        raise NotFound(problem.format(name)) from None


def sorted_rows(ctx: ImageContext, rows: list[Record], keys: tuple[str, ...]) -> list[Record]:
    """Return rows, the newest first, in the order that is asked for.

    :raises BadRequest: for an order that there isn't.
    """
    key, direction = ctx.one_of("sort_key") or keys[0], ctx.one_of("sort_dir") or "desc"
    if key not in keys:
        raise BadRequest(f"Invalid sort key: {key}")
    if direction not in ("asc", "desc"):
        raise BadRequest(f"Invalid sort direction: {direction}")
    return sorted(rows, key=lambda row: row[key], reverse=direction == "desc")


def _seen(ctx: ImageContext, name: str) -> Record:
    row = metadefs.find_namespace(ctx.tx, name)
    if row["visibility"] != metadefs.PUBLIC and ctx.visible_project not in (None, row["owner"]):
        raise NotFound
    return row


def _checked(ctx: ImageContext) -> dict[str, Any]:
    wanted: dict[str, Any] = ctx.json(CHECKERS["namespace"])
    return wanted


def _columns(wanted: dict[str, Any]) -> dict[str, Any]:
    return {
        "namespace": wanted["namespace"],
        "visibility": wanted.get("visibility", metadefs.PRIVATE),
        "protected": wanted.get("protected", False),
        **{name: wanted.get(name) for name in _OPTIONAL},
        **({"owner": wanted["owner"]} if "owner" in wanted else {}),
    }
