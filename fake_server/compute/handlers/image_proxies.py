"""``/images``, which older versions pass on to Glance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from fake_server.common.errors import BadRequest, NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.compute import microversions as versions
from fake_server.compute.policies import POLICIES
from fake_server.compute.proxies import pass_on
from fake_server.compute.schemas import servers as schemas

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.compute.context import Context, Handler

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_METADATA = "/images/{ident}/metadata"
_ITEM = "/images/{ident}/metadata/{key}"
_PATCH = "application/openstack-images-v2.1-json-patch"
#: What all images have; the rest are properties, which Nova calls metadata.
_BASE = (
    *("id", "name", "status", "visibility", "protected", "os_hidden", "checksum", "os_hash_algo"),
    *("os_hash_value", "owner", "size", "virtual_size", "container_format", "disk_format"),
    *("created_at", "updated_at", "min_disk", "min_ram", "tags", "self", "file", "schema"),
    *("direct_url", "locations", "stores"),
)
#: The status of an image as Nova calls it, and how far it has got.
_STATUSES = {
    "active": ("ACTIVE", 100),
    "queued": ("SAVING", 25),
    "saving": ("SAVING", 50),
    "deleted": ("DELETED", 0),
    "pending_delete": ("DELETED", 0),
    "killed": ("ERROR", 0),
}
#: Arguments of lists, and what Glance calls them.
_FILTERS = {
    "name": "name",
    "status": "status",
    "changes-since": "updated_at",
    "server": "instance_uuid",
    "type": "image_type",
    "minRam": "min_ram",
    "minDisk": "min_disk",
    "limit": "limit",
    "marker": "marker",
}


@ROUTES.public("GET", "/images")
def list_images(ctx: Context) -> Response:
    """List images by name."""
    return _listed(ctx, detailed=False)


@ROUTES.public("GET", "/images/detail")
def list_details(ctx: Context) -> Response:
    """List images in detail."""
    return _listed(ctx, detailed=True)


@ROUTES.public("GET", "/images/{ident}")
def show(ctx: Context, ident: str) -> Response:
    """Show an image."""
    return encode(200, {"image": _shown(ctx, _ask(ctx, "GET", _path(ident)))})


@ROUTES.public("DELETE", "/images/{ident}")
def delete(ctx: Context, ident: str) -> Response:
    """Remove an image."""
    _ask(ctx, "DELETE", _path(ident))
    return Response(204)


@ROUTES.public("GET", _METADATA)
def show_metadata(ctx: Context, ident: str) -> Response:
    """Show the metadata of an image."""
    return encode(200, {"metadata": _metadata(ctx, ident)})


@ROUTES.public("POST", _METADATA)
def add_metadata(ctx: Context, ident: str) -> Response:
    """Add to the metadata of an image."""
    wanted = ctx.json(schemas.METADATA)["metadata"]
    having = _metadata(ctx, ident)
    return encode(200, {"metadata": _replace(ctx, ident, having, {**having, **wanted})})


@ROUTES.public("PUT", _METADATA)
def replace_metadata(ctx: Context, ident: str) -> Response:
    """Replace the metadata of an image."""
    wanted = ctx.json(schemas.METADATA)["metadata"]
    return encode(200, {"metadata": _replace(ctx, ident, _metadata(ctx, ident), wanted)})


@ROUTES.public("GET", _ITEM)
def show_item(ctx: Context, ident: str, key: str) -> Response:
    """Show one key of the metadata of an image."""
    metadata = _metadata(ctx, ident)
    if key not in metadata:
        raise NotFound
    return encode(200, {"meta": {key: metadata[key]}})


@ROUTES.public("PUT", _ITEM)
def set_item(ctx: Context, ident: str, key: str) -> Response:
    """Set one key of the metadata of an image."""
    item = ctx.json(schemas.METADATA_ITEM)["meta"]
    if key not in item:
        raise BadRequest("Request body and URI mismatch")
    having = _metadata(ctx, ident)
    _replace(ctx, ident, having, {**having, **item})
    return encode(200, {"meta": item})


@ROUTES.public("DELETE", _ITEM)
def remove_item(ctx: Context, ident: str, key: str) -> Response:
    """Remove one key of the metadata of an image."""
    having = _metadata(ctx, ident)
    if key not in having:
        raise NotFound("Invalid metadata key")
    left = {name: value for name, value in having.items() if name != key}
    _replace(ctx, ident, having, left)
    return Response(204)


def _ask(ctx: Context, method: str, path: str, body: Any = None, **options: Any) -> Any:
    glance, missing = ctx.session.cloud.image, "Image not found."
    return pass_on(ctx, glance, method, path, body, missing=missing, **options)


def _path(ident: str) -> str:
    return f"/images/{quote(ident, safe='')}"


def _metadata(ctx: Context, ident: str) -> dict[str, Any]:
    return _properties(_ask(ctx, "GET", _path(ident), until=versions.NO_IMAGE_METADATA))


def _replace(
    ctx: Context, ident: str, having: Mapping[str, Any], wanted: dict[str, Any]
) -> dict[str, Any]:
    """Give an image other properties than it has, and return them."""
    patch: list[dict[str, Any]] = [
        {"op": "remove", "path": _pointer(name)} for name in having if name not in wanted
    ]
    patch += [
        {"op": "add", "path": _pointer(name), "value": value}
        for name, value in wanted.items()
        if having.get(name) != value
    ]
    if patch:
        _ask(ctx, "PATCH", _path(ident), patch, until=versions.NO_IMAGE_METADATA, kind=_PATCH)
    return wanted


def _pointer(name: str) -> str:
    return "/" + name.replace("~", "~0").replace("/", "~1")


def _listed(ctx: Context, *, detailed: bool) -> Response:
    query = {"member_status": "all"}
    for name in ctx.request.query:
        value = ctx.one_of(name)
        known = name.removeprefix("property-") if name.startswith("property-") else None
        known = _FILTERS.get(name, known)
        if known is None or value is None:
            continue
        if name == "server":
            value = value.rpartition("/")[2]
        query[known] = {"changes-since": f"gte:{value}", "status": value.lower()}.get(name, value)
    answer = _ask(ctx, "GET", f"/images?{urlencode(query)}")
    rows = answer["images"]
    shown = [_shown(ctx, row) if detailed else _summary(ctx, row) for row in rows]
    body: dict[str, Any] = {"images": shown}
    if "next" in answer:
        asked = {**ctx.request.query, "marker": rows[-1]["id"]}
        href = f"{ctx.request.base_url}{ctx.request.path}?{urlencode(asked, doseq=True)}"
        body["images_links"] = [{"rel": "next", "href": href}]
    return encode(200, body)


def _summary(ctx: Context, row: dict[str, Any]) -> dict[str, Any]:
    path = f"images/{row['id']}"
    alternate = {
        "rel": "alternate",
        "type": "application/vnd.openstack.image",
        "href": f"{ctx.request.base_url.removesuffix('/compute')}/image/{path}",
    }
    return {"id": row["id"], "name": row["name"], "links": [*ctx.links(path), alternate]}


def _shown(ctx: Context, row: dict[str, Any]) -> dict[str, Any]:
    properties = _properties(row)
    status, progress = _STATUSES.get(row["status"], ("UNKNOWN", 0))
    shown = {
        **_summary(ctx, row),
        "minRam": row["min_ram"],
        "minDisk": row["min_disk"],
        "metadata": properties,
        "created": row["created_at"],
        "updated": row["updated_at"],
        "status": status,
        "progress": progress,
        "OS-EXT-IMG-SIZE:size": row["size"],
    }
    server = properties.get("instance_uuid")
    if server is not None:
        shown["server"] = {"id": server, "links": ctx.links(f"servers/{server}")}
    return shown


def _properties(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in row if name not in _BASE}
