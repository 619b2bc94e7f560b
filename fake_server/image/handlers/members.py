"""``/v2/images/{id}/members``: the projects that an image is shared with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.errors import BadRequest, Forbidden, NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.image import views
from fake_server.image.models import images, members
from fake_server.image.policies import POLICIES

if TYPE_CHECKING:
    from fake_server.db.store import Record
    from fake_server.image.context import Handler, ImageContext

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_NOT_FOUND = "Image {} not found."


@ROUTES.add("GET", "/v2/images/{ident}/members", "get_members")
def list_members(ctx: ImageContext, ident: str) -> Response:
    """List the members of an image; a member sees itself alone."""
    row = ctx.found(ident, _NOT_FOUND)
    if row["visibility"] != images.SHARED:
        raise Forbidden(
            f"Not allowed to list members for image {ident}: Only shared images have members."
        )
    _permit(ctx, "get_members", row)
    rows = [one for one in members.fetch(ctx.tx, ident) if _sees(ctx, row, one["member_id"])]
    body = {"members": [views.member(one) for one in rows], "schema": "/v2/schemas/members"}
    return encode(200, body)


@ROUTES.add("POST", "/v2/images/{ident}/members", "add_member")
def add(ctx: ImageContext, ident: str) -> Response:
    """Share an image with a project."""
    wanted = ctx.dialect.body(ctx.request)
    if "member" not in wanted:
        raise BadRequest("Member to be added not specified")
    member = wanted["member"]
    if not isinstance(member, str) or not 0 < len(member) <= 255:
        raise BadRequest("Member can't be empty")
    row = ctx.found(ident, _NOT_FOUND)
    if row["visibility"] != images.SHARED:
        raise Forbidden(f"Not allowed to create members for image {ident}.")
    _permit(ctx, "add_member", row)
    return encode(200, views.member(members.add(ctx.tx, ctx.clock, ident, member)))


@ROUTES.add("GET", "/v2/images/{ident}/members/{member}", "get_member")
def show(ctx: ImageContext, ident: str, member: str) -> Response:
    """Show a member."""
    row = ctx.found(ident, _NOT_FOUND)
    if row["visibility"] != images.SHARED:
        raise NotFound("Only shared images have members.")
    found = members.find(ctx.tx, ident, member)
    ctx.require_of(row, "get_image")
    if not _sees(ctx, row, member):
        raise members.missing(ident, member)
    if not ctx.may("get_member", ctx.target(row)):
        raise NotFound(f"You are not authorized to lookup the members of the image {ident}.")
    return encode(200, views.member(found))


@ROUTES.add("PUT", "/v2/images/{ident}/members/{member}", "modify_member")
def update(ctx: ImageContext, ident: str, member: str) -> Response:
    """Accept or reject an image, which only its member does."""
    wanted = ctx.dialect.body(ctx.request)
    if "status" not in wanted:
        raise BadRequest("Status not specified")
    status = wanted["status"]
    row = ctx.found(ident, _NOT_FOUND)
    if row["visibility"] != images.SHARED:
        raise Forbidden(f"Not allowed to update members for image {ident}.")
    found = members.find(ctx.tx, ident, member)
    ctx.require_of(row, "get_image")
    if not ctx.is_admin and member != ctx.project_id:
        raise ctx.refusal("modify_member")
    _permit(ctx, "modify_member", row)
    if status not in members.STATUSES:
        raise BadRequest('Incorrect request: Status must be "pending", "accepted" or "rejected".')
    return encode(200, views.member(members.set_status(ctx.tx, ctx.clock, found, status)))


@ROUTES.add("DELETE", "/v2/images/{ident}/members/{member}", "delete_member")
def remove(ctx: ImageContext, ident: str, member: str) -> Response:
    """Stop sharing an image with a project."""
    row = ctx.found(ident, _NOT_FOUND)
    if row["visibility"] != images.SHARED:
        raise Forbidden(f"Not allowed to delete members for image {ident}.")
    found = members.find(ctx.tx, ident, member)
    _permit(ctx, "delete_member", row)
    members.remove(ctx.tx, found)
    return Response(204)


def _permit(ctx: ImageContext, policy: str, row: Record) -> None:
    ctx.require_of(row, "get_image")
    ctx.require_of(row, policy)


def _owns(ctx: ImageContext, row: Record) -> bool:
    return ctx.visible_project in (None, row["owner"])


def _sees(ctx: ImageContext, row: Record, member: str) -> bool:
    return _owns(ctx, row) or member == ctx.project_id
