"""``/v2.0/quotas``: the quotas of projects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.context import NO_PROJECT
from fake_server.common.errors import BadRequest, Forbidden
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.networking import bodies, values
from fake_server.networking.errors import InvalidAttribute
from fake_server.networking.models import quotas
from fake_server.networking.policies import POLICIES

if TYPE_CHECKING:
    from fake_server.networking.context import Handler, NetworkingContext

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_KIND = "quotas"
_LARGEST = 2**31 - 1
_SWITCHES = ("force", "check_limit")


@ROUTES.add("GET", "/v2.0/quotas", "get_quota")
def list_quotas(ctx: NetworkingContext) -> Response:
    """List the quotas of the projects that have their own."""
    _enforce(ctx, "get")
    return encode(200, {_KIND: quotas.fetch(ctx.session)})


@ROUTES.add("GET", "/v2.0/quotas/{project}", "get_quota")
def show(ctx: NetworkingContext, project: str) -> Response:
    """Show the quotas of a project."""
    if project in ("tenant", "project"):
        ctx.pass_over("get_quota")
        if ctx.project_id == NO_PROJECT:
            raise BadRequest("Tenant-id was missing from quota request.", "QuotaMissingTenant")
        return encode(200, {project: {f"{project}_id": ctx.project_id}})
    _enforce_reading(ctx, project)
    return encode(200, {"quota": quotas.limits(ctx.session, project)})


@ROUTES.add("GET", "/v2.0/quotas/{project}/default", "get_quota")
def show_default(ctx: NetworkingContext, project: str) -> Response:
    """Show the quotas of projects that have none of their own."""
    _enforce_reading(ctx, project)
    return encode(200, {"quota": dict(quotas.DEFAULTS)})


@ROUTES.public("GET", "/v2.0/quotas/{project}/details")
def show_details(ctx: NetworkingContext, project: str) -> Response:
    """Show the quotas of a project, and what it has."""
    if not ctx.is_admin and project != ctx.project_id:
        raise Forbidden(
            "User does not have admin privileges: Only admin is authorized to access quotas for "
            "another project.",
            "AdminRequired",
        )
    return encode(200, {"quota": quotas.details(ctx.session, project)})


@ROUTES.add("PUT", "/v2.0/quotas/{project}", "update_quota")
def update(ctx: NetworkingContext, project: str) -> Response:
    """Change quotas of a project."""
    _enforce(ctx, "update")
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


@ROUTES.add("DELETE", "/v2.0/quotas/{project}", "delete_quota")
def delete(ctx: NetworkingContext, project: str) -> Response:
    """Let a project have the usual quotas."""
    _enforce(ctx, "delete")
    quotas.delete(ctx.session, project)
    return Response(204)


def _enforce_reading(ctx: NetworkingContext, project: str) -> None:
    if project == ctx.project_id:
        ctx.pass_over("get_quota")
    else:
        _enforce(ctx, "get")


def _enforce(ctx: NetworkingContext, action: str) -> None:
    # Neutron asks for the client's own project, whichever the quotas are of.
    ctx.enforce(action, _KIND, ctx.own)


def _limit(name: str, value: object) -> int:
    limit = values.integer(name, value)
    if limit < -1:
        raise InvalidAttribute(name, f"'{limit}' is too small - must be at least '-1'")
    if limit > _LARGEST:
        reason = f"'{limit}' is too large - must be no larger than '{_LARGEST}'"
        raise InvalidAttribute(name, reason)
    return limit
