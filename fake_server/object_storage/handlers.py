"""``/v1/{account}/{container}/{object}``, and ``/info``."""

from __future__ import annotations

import hashlib
import mimetypes
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from fake_server.common.errors import BadRequest, NotFound, with_status
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.object_storage import listings, models, temporary_urls
from fake_server.object_storage.context import POLICIES, Context, Handler, date

if TYPE_CHECKING:
    from fake_server.db.store import Record

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_ACCOUNT = "/v1/{account}"
_CONTAINER = f"{_ACCOUNT}/{{container}}"
_OBJECT = f"{_CONTAINER}/{{name*}}"
#: How many characters names may have.
_CONTAINER_NAME, _OBJECT_NAME = 256, 1024
#: When an object goes at the latest, in seconds since the epoch.
_LATEST = 9999999999
#: What is kept beside metadata.
_OF_CONTAINER = ("X-Container-Read", "X-Container-Write")
_OF_OBJECT = ("Cache-Control", "Content-Disposition", "Content-Encoding", "Content-Language")


@ROUTES.public("GET HEAD", "/info")
def show_info(ctx: Context) -> Response:
    """Tell limits, and what temporary URLs may be."""
    limits = {
        "max_file_size": 5368709122,
        "max_container_name_length": _CONTAINER_NAME,
        "max_object_name_length": _OBJECT_NAME,
        "container_listing_limit": listings.LIMIT,
        "account_listing_limit": listings.LIMIT,
    }
    methods = {"methods": ["GET", "HEAD", "PUT", "POST", "DELETE"]}
    signed = {**methods, "allowed_digests": temporary_urls.ALGORITHMS}
    # There are none, but openstacksdk keeps no file without having read how small they may be.
    segments = {"min_segment_size": 1}
    swift = {"version": "2.38.3", **limits}
    return encode(200, {"swift": swift, "slo": segments, "tempurl": signed})


# Accounts


@ROUTES.public("GET HEAD", _ACCOUNT)
def list_containers(ctx: Context, account: str) -> Response:
    """List the containers of an account, or tell how much is in it."""
    ctx.authorize(account)
    rows, totals = models.containers_of(ctx.tx, account), {}
    for row in rows:
        totals[row["name"]] = _totals(ctx, row)
    headers = [
        ("X-Account-Container-Count", str(len(rows))),
        ("X-Account-Object-Count", str(sum(count for count, _ in totals.values()))),
        ("X-Account-Bytes-Used", str(sum(used for _, used in totals.values()))),
        *models.account_headers(ctx.tx, account).items(),
    ]
    if ctx.request.method == "HEAD":
        return Response(204, b"", [("Content-Type", "text/plain; charset=utf-8"), *headers])

    def shown(row: Record) -> dict[str, Any]:
        count, used = totals[row["name"]]
        changed = listings.moment(row["changed_at"])
        return {"name": row["name"], "count": count, "bytes": used, "last_modified": changed}

    return listings.answer(ctx, rows, shown, headers)


@ROUTES.public("POST PUT", _ACCOUNT)
def update_account(ctx: Context, account: str) -> Response:
    """Keep what is said of an account, such as the keys of its temporary URLs."""
    ctx.authorize(account)
    before = models.account_headers(ctx.tx, account)
    models.set_account_headers(ctx.tx, account, ctx.said("Account", before))
    return _no_content()


# Containers


@ROUTES.public("GET HEAD", _CONTAINER)
def list_objects(ctx: Context, account: str, container: str) -> Response:
    """List the objects in a container, or tell how much is in it."""
    ctx.authorize(account)
    row = models.container(ctx.tx, account, container)
    count, used = _totals(ctx, row)
    headers = [
        ("X-Container-Object-Count", str(count)),
        ("X-Container-Bytes-Used", str(used)),
        ("X-Timestamp", f"{row['changed_at']:.5f}"),
        ("Last-Modified", date(row["changed_at"])),
        *row["headers"].items(),
    ]
    if ctx.request.method == "HEAD":
        return Response(204, b"", [("Content-Type", "text/plain; charset=utf-8"), *headers])

    def shown(one: Record) -> dict[str, Any]:
        return {
            "name": one["name"],
            "hash": one["etag"],
            "bytes": one["size"],
            "content_type": one["type"],
            "last_modified": listings.moment(one["changed_at"]),
        }

    return listings.answer(ctx, models.objects_in(ctx.tx, ctx.now, row), shown, headers)


@ROUTES.public("PUT", _CONTAINER)
def create_container(ctx: Context, account: str, container: str) -> Response:
    """Create a container, unless it is there; keep what is said of it."""
    ctx.authorize(account)
    if len(container) > _CONTAINER_NAME:
        problem = f"Container name length of {len(container)} longer than {_CONTAINER_NAME}"
        raise BadRequest(problem)
    said = ctx.said("Container", {}, _OF_CONTAINER)
    is_new = models.create_container(ctx.tx, ctx.now, account, container, said)
    return Response(201 if is_new else 202, b"", [("Content-Type", "text/html; charset=UTF-8")])


@ROUTES.public("POST", _CONTAINER)
def update_container(ctx: Context, account: str, container: str) -> Response:
    """Keep what is said of a container."""
    ctx.authorize(account)
    row = models.container(ctx.tx, account, container)
    said = ctx.said("Container", row["headers"], _OF_CONTAINER)
    models.set_container_headers(ctx.tx, row, said)
    return _no_content()


@ROUTES.public("DELETE", _CONTAINER)
def delete_container(ctx: Context, account: str, container: str) -> Response:
    """Remove a container that nothing is in."""
    ctx.authorize(account)
    models.delete_container(ctx.tx, ctx.now, models.container(ctx.tx, account, container))
    return _no_content()


# Objects


@ROUTES.public("GET HEAD", _OBJECT)
def show_object(ctx: Context, account: str, container: str, name: str) -> Response:
    """Return an object."""
    row = _found(ctx, account, container)
    headers = [
        ("Content-Type", row["type"]),
        ("ETag", row["etag"]),
        ("Last-Modified", date(row["changed_at"])),
        ("X-Timestamp", f"{row['changed_at']:.5f}"),
        *row["headers"].items(),
    ]
    if row["delete_at"] is not None:
        headers.append(("X-Delete-At", str(int(row["delete_at"]))))
    if temporary_urls.is_one(ctx.request.query):
        headers = [pair for pair in headers if pair[0] != "Content-Disposition"]
        headers.append(("Content-Disposition", _disposition(ctx, row)))
    return Response(200, bytes(row["data"]), headers)


@ROUTES.public("PUT", _OBJECT)
def put_object(ctx: Context, account: str, container: str, name: str) -> Response:
    """Keep an object."""
    ctx.authorize(account, container)
    if "multipart-manifest" in ctx.request.query or ctx.request.header("HTTP_X_OBJECT_MANIFEST"):
        raise BadRequest("Large objects of several segments are not kept here.")
    name, data = _name(ctx), ctx.request.body
    if len(name) > _OBJECT_NAME:
        raise BadRequest(f"Object name length of {len(name)} longer than {_OBJECT_NAME}")
    row = models.container(ctx.tx, account, container)
    etag = hashlib.md5(data, usedforsecurity=False).hexdigest()
    expected = (ctx.request.header("HTTP_ETAG") or "").strip('"').lower()
    if expected and expected != etag:
        raise with_status(422, "")
    if ctx.request.header("HTTP_IF_NONE_MATCH") == "*" and _is_there(ctx, row, name):
        raise with_status(412, "")
    kind = ctx.request.environ.get("CONTENT_TYPE") or mimetypes.guess_type(name)[0]
    values = {
        "name": name,
        "type": kind or "application/octet-stream",
        "etag": etag,
        "size": len(data),
        "headers": ctx.said("Object", {}, _OF_OBJECT),
        "changed_at": ctx.now,
        "delete_at": _delete_at(ctx),
        "data": data,
    }
    models.put(ctx.tx, row, values)
    kept = [("ETag", etag), ("Last-Modified", date(ctx.now))]
    return Response(201, b"", [("Content-Type", "text/html; charset=UTF-8"), *kept])


@ROUTES.public("POST", _OBJECT)
def update_object(ctx: Context, account: str, container: str, name: str) -> Response:
    """Replace what is said of an object."""
    row = _found(ctx, account, container)
    values = {"headers": ctx.said("Object", {}, _OF_OBJECT), "delete_at": _delete_at(ctx)}
    models.change(ctx.tx, row, values)
    return Response(202, b"", [("Content-Type", "text/html; charset=UTF-8")])


@ROUTES.public("DELETE", _OBJECT)
def delete_object(ctx: Context, account: str, container: str, name: str) -> Response:
    """Remove an object."""
    models.delete(ctx.tx, _found(ctx, account, container))
    return _no_content()


def _found(ctx: Context, account: str, container: str) -> Record:
    """Return the object that a request is about; raise NotFound if there is none."""
    ctx.authorize(account, container)
    return models.find(ctx.tx, ctx.now, models.container(ctx.tx, account, container), _name(ctx))


def _is_there(ctx: Context, container: Record, name: str) -> bool:
    try:
        models.find(ctx.tx, ctx.now, container, name)
    except NotFound:
        return False
    return True


def _name(ctx: Context) -> str:
    """Return the name of an object, which may end with a slash."""
    return ctx.request.path.split("/", 4)[4]


def _totals(ctx: Context, row: Record) -> tuple[int, int]:
    """Return how many objects are in a container, and their bytes."""
    found = models.objects_in(ctx.tx, ctx.now, row)
    return len(found), sum(one["size"] for one in found)


def _delete_at(ctx: Context) -> float | None:
    """Return when an object goes by itself; raise BadRequest for what is no moment to come."""
    for header, since in (("X-Delete-After", int(ctx.now)), ("X-Delete-At", 0)):
        written = ctx.request.header(f"HTTP_{header.upper().replace('-', '_')}")
        if written is None:
            continue
        digits = written.strip().removeprefix("-")
        if not (digits.isascii() and digits.isdecimal() and len(digits) < 15):
            raise BadRequest(f"Non-integer {header}")
        moment = since + int(written)
        if moment <= ctx.now:
            raise BadRequest(f"{header} in past")
        return float(min(moment, _LATEST))
    return None


def _disposition(ctx: Context, row: Record) -> str:
    """Return how a browser is to show what a temporary URL leads to."""
    query = ctx.request.query
    name, said = query.get("filename"), row["headers"].get("Content-Disposition")
    kind = "inline" if "inline" in query else "attachment"
    if not name:
        if kind == "inline" or said:
            return str(kind if kind == "inline" else said)
        name = row["name"].rstrip("/").rpartition("/")[2]
    return (
        f"{kind}; filename=\"{quote(str(name), safe=' /')}\"; filename*=UTF-8''{quote(str(name))}"
    )


def _no_content() -> Response:
    return Response(204, b"", [("Content-Type", "text/html; charset=UTF-8")])
