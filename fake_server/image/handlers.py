"""``/v2/images``: create, list, show, change and remove images."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import jsonpatch

from fake_server.common import context, json_text, randomness
from fake_server.common.errors import BadRequest, Conflict, Forbidden
from fake_server.common.formats import is_uuid
from fake_server.common.parsing import parse_integer
from fake_server.common.rest import Routes, after, decode, encode
from fake_server.common.wsgi import Request, Response
from fake_server.image import models

if TYPE_CHECKING:
    from fake_server.clock import Clock
    from fake_server.db.store import Record, Transaction

_FILTERS = ("name", "status", "visibility", "owner", "disk_format", "container_format", "id")
_VISIBILITIES = ("public", "private", "shared", "community")
_TEXTS = ("name", "disk_format", "container_format")
_NUMBERS = ("min_disk", "min_ram")
#: What clients can't set.
_OWN = (
    "status",
    "size",
    "checksum",
    "os_hash_algo",
    "os_hash_value",
    "created_at",
    "updated_at",
    "owner",
    "self",
    "file",
    "schema",
)
_LARGEST = 2**31 - 1


class Context(context.Context):
    """The context of a request, which handlers get."""

    def __init__(self, request: Request, tx: Transaction, clock: Clock) -> None:
        super().__init__(request)
        self.tx = tx
        self.clock = clock

    def owned(self, ident: str) -> Record:
        """Return an image that the client may change; raise NotFound or Forbidden for others."""
        row = models.find(self.tx, ident, self.visible_project)
        if self.visible_project not in (None, row["owner"]) or not self.is_member:
            raise Forbidden("You are not authorized to complete this action.")
        return row


Handler = Callable[..., Response]
ROUTES: Routes[Handler] = Routes()


@ROUTES.add("GET", "/v2/images")
def list_images(ctx: Context) -> Response:
    """List images."""
    query = ctx.request.query
    match = {
        name: query[name].removeprefix("in:").split(",")
        if query[name].startswith("in:")
        else [query[name]]
        for name in _FILTERS
        if isinstance(query.get(name), str)
    }
    rows = models.fetch(ctx.tx, ctx.visible_project, match)
    marker, limit = query.get("marker"), query.get("limit")
    rows = after(rows, marker, "Invalid marker")
    body: dict[str, Any] = {"first": "/v2/images", "schema": "/v2/schemas/images"}
    if limit is not None:
        count = parse_integer(limit, strict=True)
        if count is None:
            raise BadRequest("limit param must be an integer")
        rest = {name: value for name, value in query.items() if name != "marker"}
        body["first"] += f"?{urlencode(rest, doseq=True)}"
        rows = rows[:count]
        if count and len(rows) == count:
            following = urlencode({**rest, "marker": rows[-1]["id"]}, doseq=True)
            body["next"] = f"/v2/images?{following}"
    return encode(200, {"images": [_view(row) for row in rows], **body})


@ROUTES.add("POST", "/v2/images")
def create(ctx: Context) -> Response:
    """Create an image that holds nothing yet."""
    if not ctx.is_member:
        raise Forbidden("You are not authorized to complete this action.")
    wanted = decode(ctx.request)
    wanted.setdefault("id", randomness.uuid())
    if not isinstance(wanted["id"], str) or not is_uuid(wanted["id"]):
        raise BadRequest("Provided object does not match schema 'image': id is no UUID.")
    own = dict.fromkeys(("size", "checksum", "os_hash_algo", "os_hash_value"))
    own["owner"] = ctx.project_id
    row = models.create(ctx.tx, ctx.clock, {**_columns(wanted), **own})
    location = f"{ctx.request.host_url}/v2/images/{row['id']}"
    return encode(201, _view(row), ("Location", location))


@ROUTES.add("GET", "/v2/images/{ident}")
def show(ctx: Context, ident: str) -> Response:
    """Show an image."""
    return encode(200, _view(models.find(ctx.tx, ident, ctx.visible_project)))


@ROUTES.add("PATCH", "/v2/images/{ident}")
def update(ctx: Context, ident: str) -> Response:
    """Change an image by a JSON patch."""
    row = ctx.owned(ident)
    try:
        patch = jsonpatch.JsonPatch(json_text.parse(ctx.request.body))
        changed = patch.apply(_settable(row))
    except (ValueError, TypeError, jsonpatch.JsonPatchException) as exc:
        raise BadRequest(f"The patch can't be applied: {exc}") from None
    except jsonpatch.JsonPointerException as exc:
        raise Conflict(f"The patch can't be applied: {exc}") from None
    if not isinstance(changed, dict) or changed.get("id") != row["id"]:
        raise Forbidden("Attribute 'id' is read-only.")
    return encode(200, _view(models.update(ctx.tx, ctx.clock, row, _columns(changed))))


@ROUTES.add("DELETE", "/v2/images/{ident}")
def delete(ctx: Context, ident: str) -> Response:
    """Remove an image."""
    models.delete(ctx.tx, ctx.owned(ident))
    return Response(204)


@ROUTES.add("PUT", "/v2/images/{ident}/file")
def upload(ctx: Context, ident: str) -> Response:
    """Take what an image holds; only its size and its checksum are kept."""
    row, content = ctx.owned(ident), ctx.request.body
    if row["status"] != models.QUEUED:
        raise Conflict("Image status transition from active to saving is not allowed")
    changes = {
        "status": models.ACTIVE,
        "size": len(content),
        "checksum": hashlib.md5(content, usedforsecurity=False).hexdigest(),
        "os_hash_algo": "sha512",
        "os_hash_value": hashlib.sha512(content).hexdigest(),
    }
    models.update(ctx.tx, ctx.clock, row, changes)
    return Response(204)


def _columns(wanted: dict[str, Any]) -> dict[str, Any]:
    """Return what a client wants as columns; what has none is a property."""
    for name in _OWN:
        if name in wanted:
            raise Forbidden(f"Attribute '{name}' is read-only.")
    columns: dict[str, Any] = {"id": wanted["id"]}
    for name in _TEXTS:
        columns[name] = _checked(name, wanted.get(name), isinstance(wanted.get(name), str))
    for name in _NUMBERS:
        value = wanted.get(name, 0)
        fits = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST
        columns[name] = _checked(name, value, fits)
    columns["visibility"] = wanted.get("visibility", "shared")
    _checked("visibility", columns["visibility"], columns["visibility"] in _VISIBILITIES)
    tags = wanted.get("tags", [])
    fits = isinstance(tags, list) and all(isinstance(tag, str) for tag in tags)
    columns["tags"] = _checked("tags", tags, fits)
    properties = {name: value for name, value in wanted.items() if name not in columns}
    for name, value in properties.items():
        _checked(name, value, isinstance(value, str | bool))
    return {**columns, "properties": properties}


def _checked(name: str, value: Any, fits: bool) -> Any:
    if not fits and value is not None:
        raise BadRequest(f"Provided object does not match schema 'image': {value!r} is no {name}.")
    return value


def _settable(row: Record) -> dict[str, Any]:
    names = ("id", *_TEXTS, *_NUMBERS, "visibility", "tags")
    return {**row["properties"], **{name: row[name] for name in names}}


def _view(row: Record) -> dict[str, Any]:
    return {
        **_settable(row),
        "status": row["status"],
        "owner": row["owner"],
        "size": row["size"],
        "virtual_size": None,
        "checksum": row["checksum"],
        "protected": False,
        "os_hidden": False,
        "os_hash_algo": row["os_hash_algo"],
        "os_hash_value": row["os_hash_value"],
        "created_at": f"{row['created_at']:%Y-%m-%dT%H:%M:%SZ}",
        "updated_at": f"{row['updated_at']:%Y-%m-%dT%H:%M:%SZ}",
        "self": f"/v2/images/{row['id']}",
        "file": f"/v2/images/{row['id']}/file",
        "schema": "/v2/schemas/image",
    }
