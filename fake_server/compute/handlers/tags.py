"""What users say of their servers: tags and metadata."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.errors import BadRequest, NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.compute import microversions
from fake_server.compute.errors import InstanceInvalidState
from fake_server.compute.handlers import servers
from fake_server.compute.models import instances
from fake_server.compute.policies import POLICIES
from fake_server.compute.schemas import servers as schemas

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_server.compute.context import Context, Handler
    from fake_server.db.store import Record

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_TAGS = "/servers/{ident}/tags"
_TAG = "/servers/{ident}/tags/{tag}"
_METADATA = "/servers/{ident}/metadata"
_ITEM = "/servers/{ident}/metadata/{key}"


@ROUTES.add("GET", _TAGS, "os-server-tags:index")
def list_tags(ctx: Context, ident: str) -> Response:
    """List the tags of a server."""
    ctx.since(microversions.TAGS)
    return encode(200, {"tags": _with_tags(ctx, ident, "index")["tags"]})


@ROUTES.add("PUT", _TAGS, "os-server-tags:update_all")
def replace_tags(ctx: Context, ident: str) -> Response:
    """Replace the tags of a server."""
    row = _tagged(ctx, ident, "update_all", "update tags")
    tags = list(dict.fromkeys(ctx.json(schemas.TAGS)["tags"]))
    _set_tags(ctx, row, tags)
    return encode(200, {"tags": tags})


@ROUTES.add("DELETE", _TAGS, "os-server-tags:delete_all")
def remove_tags(ctx: Context, ident: str) -> Response:
    """Remove all tags of a server."""
    _set_tags(ctx, _tagged(ctx, ident, "delete_all", "delete tags"), [])
    return Response(204)


@ROUTES.add("GET", _TAG, "os-server-tags:show")
def check_tag(ctx: Context, ident: str, tag: str) -> Response:
    """Tell whether a server has a tag."""
    ctx.since(microversions.TAGS)
    row = _with_tags(ctx, ident, "show")
    if tag not in row["tags"]:
        raise NotFound(f"Server {row['id']} has no tag '{tag}'")
    return Response(204)


@ROUTES.add("PUT", _TAG, "os-server-tags:update")
def add_tag(ctx: Context, ident: str, tag: str) -> Response:
    """Add a tag to a server."""
    row = _tagged(ctx, ident, "update", "update tag")
    error = schemas.TAG.best(tag)
    if error is not None:
        raise BadRequest(
            f"Tag '{tag}' is invalid. It must be a non empty string without characters '/' and "
            f"','. Validation error message: {error.message}"
        )
    if len(row["tags"]) >= schemas.MOST_TAGS:
        raise BadRequest(f"The number of tags exceeded the per-server limit {schemas.MOST_TAGS}")
    if tag in row["tags"]:
        return Response(204)
    _set_tags(ctx, row, [*row["tags"], tag])
    location = f"{ctx.request.base_url}/{ctx.version}/servers/{row['id']}/tags/{tag}"
    return Response(201, headers=[("Location", location)])


@ROUTES.add("DELETE", _TAG, "os-server-tags:delete")
def remove_tag(ctx: Context, ident: str, tag: str) -> Response:
    """Remove a tag of a server."""
    row = _tagged(ctx, ident, "delete", "delete tag")
    if tag not in row["tags"]:
        raise NotFound(f"Instance {row['id']} has no tag '{tag}'")
    _set_tags(ctx, row, [other for other in row["tags"] if other != tag])
    return Response(204)


@ROUTES.add("GET", _METADATA, "server-metadata:index")
def show_metadata(ctx: Context, ident: str) -> Response:
    """Show the metadata of a server."""
    return encode(200, {"metadata": servers.found(ctx, ident, "server-metadata:index")["metadata"]})


@ROUTES.add("POST", _METADATA, "server-metadata:create")
def add_metadata(ctx: Context, ident: str) -> Response:
    """Add to the metadata of a server."""
    added = ctx.json(schemas.METADATA)["metadata"]
    row = _described(ctx, ident, "create")
    return encode(200, {"metadata": _set_metadata(ctx, row, {**row["metadata"], **added})})


@ROUTES.add("PUT", _METADATA, "server-metadata:update_all")
def replace_metadata(ctx: Context, ident: str) -> Response:
    """Replace the metadata of a server."""
    wanted = ctx.json(schemas.METADATA)["metadata"]
    row = _described(ctx, ident, "update_all")
    return encode(200, {"metadata": _set_metadata(ctx, row, wanted)})


@ROUTES.add("GET", _ITEM, "server-metadata:show")
def show_item(ctx: Context, ident: str, key: str) -> Response:
    """Show one key of the metadata of a server."""
    row = servers.found(ctx, ident, "server-metadata:show")
    return encode(200, {"meta": {key: _value(row, key)}})


@ROUTES.add("PUT", _ITEM, "server-metadata:update")
def set_item(ctx: Context, ident: str, key: str) -> Response:
    """Set one key of the metadata of a server."""
    item = ctx.json(schemas.METADATA_ITEM)["meta"]
    if key not in item:
        raise BadRequest("Request body and URI mismatch")
    row = _described(ctx, ident, "update")
    _set_metadata(ctx, row, {**row["metadata"], **item})
    return encode(200, {"meta": item})


@ROUTES.add("DELETE", _ITEM, "server-metadata:delete")
def remove_metadata(ctx: Context, ident: str, key: str) -> Response:
    """Remove one key of the metadata of a server."""
    row = _described(ctx, ident, "delete", key)
    left = {name: row["metadata"][name] for name in row["metadata"] if name != key}
    _set_metadata(ctx, row, left)
    return Response(204)


def _described(ctx: Context, ident: str, policy: str, key: str | None = None) -> Record:
    """Return a server whose metadata is to be changed, which may have to have a key."""
    row = servers.changeable(ctx, ident, f"server-metadata:{policy}")
    if key is not None:
        _value(row, key)
    action = "update metadata" if key is None else "delete metadata"
    instances.check_state(row, action, instances.ACTIVE, instances.STOPPED)
    return row


def _tagged(ctx: Context, ident: str, policy: str, action: str) -> Record:
    """Return a server whose tags are to be changed."""
    ctx.since(microversions.TAGS)
    row = _with_tags(ctx, ident, policy)
    if row["vm_state"] not in (instances.ACTIVE, instances.STOPPED):
        raise InstanceInvalidState(action, row)
    return row


def _with_tags(ctx: Context, ident: str, policy: str) -> Record:
    """Return a server whose tags a client asks for; Nova doesn't hide that of another project."""
    row = instances.get(ctx.session, ident, None)
    ctx.require(f"os-server-tags:{policy}", row)
    return row


def _set_tags(ctx: Context, row: Record, tags: Sequence[str]) -> None:
    instances.update(ctx.session, row["id"], tags=tags)


def _value(row: Record, key: str) -> str:
    if key not in row["metadata"]:
        raise NotFound("Metadata item was not found")
    return str(row["metadata"][key])


def _set_metadata(ctx: Context, row: Record, metadata: dict[str, str]) -> dict[str, str]:
    instances.update(ctx.session, row["id"], metadata=metadata)
    return metadata
