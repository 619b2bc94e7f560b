"""``/v2.0/quotas``: the quotas of projects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.errors import BadRequest, Forbidden
from fake_server.common.rest import Routes, encode
from fake_server.common.wsgi import Response
from fake_server.networking import bodies, values
from fake_server.networking.errors import InvalidAttribute
from fake_server.networking.models import quotas

if TYPE_CHECKING:
    from fake_server.networking.context import Handler, NetworkingContext

ROUTES: Routes[Handler] = Routes()
_KIND = "quotas"
_LARGEST = 2**31 - 1
_SWITCHES = ("force", "check_limit")


@ROUTES.add("GET", "/v2.0/quotas")
def list_quotas(ctx: NetworkingContext) -> Response:
    """List the quotas of the projects that have their own."""
    ctx.enforce("get", _KIND, {})
    return encode(200, {_KIND: quotas.fetch(ctx.session)})


@ROUTES.add("GET", "/v2.0/quotas/{project}")
def show(ctx: NetworkingContext, project: str) -> Response:
    """Show the quotas of a project."""
    if project in ("tenant", "project"):
        return encode(200, {project: {f"{project}_id": ctx.project_id}})
    _enforce(ctx, "get", project)
    return encode(200, {"quota": quotas.limits(ctx.session, project)})


@ROUTES.add("GET", "/v2.0/quotas/{project}/default")
def show_default(ctx: NetworkingContext, project: str) -> Response:
    """Show the quotas of projects that have none of their own."""
    _enforce(ctx, "get", project)
    return encode(200, {"quota": dict(quotas.DEFAULTS)})


@ROUTES.add("GET", "/v2.0/quotas/{project}/details")
def show_details(ctx: NetworkingContext, project: str) -> Response:
    """Show the quotas of a project, and what it has."""
    if not ctx.is_admin and project != ctx.project_id:
        raise Forbidden(
            "User does not have admin privileges: Only admin is authorized to access quotas for "
            "another project.",
            "AdminRequired",
        )
    return encode(200, {"quota": quotas.details(ctx.session, project)})


@ROUTES.add("PUT", "/v2.0/quotas/{project}")
def update(ctx: NetworkingContext, project: str) -> Response:
    """Change quotas of a project."""
    _enforce(ctx, "update", project)
    given = bodies.read_object(ctx).get("quota")
    if not isinstance(given, dict):
        raise BadRequest("Unable to find 'quota' in request body")
    unknown = sorted(set(given) - set(quotas.DEFAULTS) - set(_SWITCHES))
    if unknown:
        raise BadRequest(f"Unrecognized attribute(s) '{', '.join(unknown)}'")
    checked = not values.boolean("force", given.get("force", False))
    changes = {name: _limit(name, value) for name, value in given.items() if name not in _SWITCHES}
    found = quotas.update(ctx.session, project, changes, checked=checked)
    return encode(200, {"quota": found})


@ROUTES.add("DELETE", "/v2.0/quotas/{project}")
def delete(ctx: NetworkingContext, project: str) -> Response:
    """Let a project have the usual quotas."""
    _enforce(ctx, "delete", project)
    quotas.delete(ctx.session, project)
    return Response(204)


def _enforce(ctx: NetworkingContext, action: str, project: str) -> None:
    ctx.enforce(action, _KIND, {"project_id": project})


def _limit(name: str, value: object) -> int:
    limit = values.integer(name, value)
    if limit < -1:
        raise InvalidAttribute(name, f"'{limit}' is too small - must be at least '-1'")
    if limit > _LARGEST:
        reason = f"'{limit}' is too large - must be no larger than '{_LARGEST}'"
        raise InvalidAttribute(name, reason)
    return limit
