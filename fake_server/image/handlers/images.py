"""``/v2/images``: create, list, show, change and remove images."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common import randomness
from fake_server.common.errors import BadRequest, NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.lists import after
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.image import filters, patches, schemas, views
from fake_server.image.errors import NotPermitted
from fake_server.image.models import images
from fake_server.image.policies import POLICIES

if TYPE_CHECKING:
    from fake_server.image.context import Handler, ImageContext

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_NOT_FOUND = "Image {} not found."
#: What an image is unless its creator says otherwise.
_DEFAULTS = {
    "name": None,
    "visibility": images.SHARED,
    "protected": False,
    "os_hidden": False,
    "disk_format": None,
    "container_format": None,
    "min_disk": 0,
    "min_ram": 0,
}
_EMPTY = dict.fromkeys(("size", "virtual_size", "checksum", "os_hash_algo", "os_hash_value"))
#: What decides who sees an image, and the policy of setting it.
_POLICIES = {images.PUBLIC: "publicize_image", images.COMMUNITY: "communitize_image"}


@ROUTES.add("GET", "/v2/images", "get_images")
def list_images(ctx: ImageContext) -> Response:
    """List images."""
    ctx.require("get_images", _own(ctx))
    wanted = filters.read(ctx.request.query)
    rows = images.fetch(
        ctx.tx,
        ctx.visible_project,
        ctx.project_id,
        visibility=wanted.visibility,
        member_status=wanted.member_status,
    )
    seen = [row for row in rows if ctx.may("get_image", ctx.target(row))]
    rows = wanted.sorted([row for row in seen if wanted.accepts(row)])
    rows = after(rows, wanted.marker, f"No image found with ID {wanted.marker}")
    rows = rows[: wanted.limit]
    following = rows[-1]["id"] if rows and len(rows) == wanted.limit else None
    return ctx.dialect.listed(ctx, "images", [views.image(row) for row in rows], following)


@ROUTES.add("POST", "/v2/images", "add_image")
def create(ctx: ImageContext) -> Response:
    """Create an image that holds nothing yet."""
    wanted = ctx.json(schemas.IMAGE)
    for name in wanted:
        if patches.is_reserved(name):
            raise NotPermitted(f"Attribute '{name}' is reserved.")
        # Glance lets the creator choose the id.
        if name != "id":
            patches.check_settable(name)
    owner = wanted.pop("owner", None) or ctx.project_id
    if not ctx.may("add_image", _own(ctx, owner)):
        if owner != ctx.project_id:
            raise NotPermitted(f"You are not permitted to create images owned by '{owner}'")
        raise ctx.refusal("add_image")
    for name in ("min_disk", "min_ram"):
        if wanted.get(name, 0) < 0:
            raise BadRequest(
                f"Invalid value '{wanted[name]}' for parameter '{name}': Cannot be a negative value"
            )
    ident = wanted.pop("id", None) or randomness.uuid()
    values = {**_DEFAULTS, **_columns(wanted)}
    _check_visibility(ctx, values["visibility"], _own(ctx, owner))
    row = images.create(
        ctx.tx, ctx.clock, {**values, **_EMPTY, "stores": [], "id": ident, "owner": owner}
    )
    location = f"{ctx.request.base_url}/v2/images/{row['id']}"
    headers = [
        ("Location", location),
        ("OpenStack-image-import-methods", ",".join(ctx.import_methods)),
    ]
    if ctx.stores:
        headers.append(("OpenStack-image-store-ids", ",".join(ctx.stores)))
    return encode(201, views.image(row), *headers)


@ROUTES.add("GET", "/v2/images/{ident}", "get_image")
def show(ctx: ImageContext, ident: str) -> Response:
    """Show an image."""
    return encode(200, views.image(ctx.image(ident)))


@ROUTES.add("PATCH", "/v2/images/{ident}", "modify_image")
def update(ctx: ImageContext, ident: str) -> Response:
    """Change an image by a JSON patch."""
    changes = patches.read(ctx.request)
    row = ctx.found(ident, "No image found with ID {}")
    before = {**row["properties"], **{name: row[name] for name in schemas.SETTABLE}}
    wanted = patches.apply(changes, before)
    ctx.dialect.check(schemas.IMAGE, wanted)
    if wanted["visibility"] != row["visibility"]:
        _check_visibility(ctx, wanted["visibility"], ctx.target(row))
    owner = wanted.pop("owner")
    if owner != row["owner"] and not ctx.is_admin:
        raise NotPermitted("Owner can't be updated by non admin.")
    ctx.require_of(row, "modify_image")
    changed = {**_columns(wanted), "owner": owner}
    return encode(200, views.image(images.update(ctx.tx, ctx.clock, row, changed)))


@ROUTES.add("DELETE", "/v2/images/{ident}", "delete_image")
def delete(ctx: ImageContext, ident: str) -> Response:
    """Remove an image."""
    images.delete(ctx.tx, ctx.owned(ident, "delete_image", "Failed to find image {} to delete"))
    return Response(204)


@ROUTES.add("PUT", "/v2/images/{ident}/tags/{tag}", "modify_image")
def add_tag(ctx: ImageContext, ident: str, tag: str) -> Response:
    """Add a tag to an image."""
    row = ctx.owned(ident, "modify_image", _NOT_FOUND)
    ctx.dialect.check(schemas.IMAGE, {"tags": [tag]})
    images.update(ctx.tx, ctx.clock, row, {"tags": sorted({*row["tags"], tag})})
    return Response(204)


@ROUTES.add("DELETE", "/v2/images/{ident}/tags/{tag}", "modify_image")
def remove_tag(ctx: ImageContext, ident: str, tag: str) -> Response:
    """Remove a tag of an image."""
    row = ctx.owned(ident, "modify_image", _NOT_FOUND)
    if tag not in row["tags"]:
        raise NotFound
    left = [other for other in row["tags"] if other != tag]
    images.update(ctx.tx, ctx.clock, row, {"tags": left})
    return Response(204)


def _own(ctx: ImageContext, owner: str | None = None) -> dict[str, Any]:
    """Return an image that isn't there yet, as policies know it."""
    project = owner or ctx.own["project_id"]
    return {"project_id": project, "owner": project, "visibility": "private"}


def _check_visibility(ctx: ImageContext, visibility: str, target: dict[str, Any]) -> None:
    if visibility in _POLICIES:
        ctx.require(_POLICIES[visibility], target)


def _columns(wanted: dict[str, Any]) -> dict[str, Any]:
    """Return what a client wants as columns; what has none is a property."""
    columns = {name: wanted[name] for name in _DEFAULTS if name in wanted}
    columns["tags"] = sorted(set(wanted.get("tags", ())))
    properties = {name: value for name, value in wanted.items() if name not in columns}
    too_long = [name for name in properties if len(name) > 255]
    if too_long:
        raise BadRequest(f"The name of a property is too long: {too_long[0]}")
    return {**columns, "properties": properties}
