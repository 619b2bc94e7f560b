"""``/os-server-groups``: servers that are to be near each other, or apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common import randomness
from fake_server.common.errors import BadRequest
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.microversions import ABSENT, Since, at
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.compute import microversions as versions
from fake_server.compute.models import quotas, server_groups
from fake_server.compute.policies import POLICIES
from fake_server.compute.schemas import infrastructure as schemas

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_server.compute.context import Context, Handler
    from fake_server.db.store import Record

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_GROUPS = "/os-server-groups"
_GROUP = "/os-server-groups/{ident}"


@ROUTES.add("GET", _GROUPS, "os-server-groups:index")
def list_groups(ctx: Context) -> Response:
    """List the server groups of a project; administrators may ask for those of all."""
    ctx.only("all_projects", "limit", "offset")
    ctx.require("os-server-groups:index")
    everything = "all_projects" in ctx.request.query and ctx.is_admin
    if everything:
        ctx.require("os-server-groups:index:all_projects")
    rows = server_groups.get_all(ctx.session, None if everything else ctx.project_id)
    first, limit = ctx.number("offset"), ctx.number("limit")
    rows = rows[first or 0 :][:limit]
    members = server_groups.members(ctx.session)
    shown = [_shown(ctx, row, members.get(row["id"], ())) for row in rows]
    return encode(200, {"server_groups": shown})


@ROUTES.add("POST", _GROUPS, "os-server-groups:create")
def create(ctx: Context) -> Response:
    """Create a server group."""
    wanted = ctx.json(schemas.create_group(ctx.minor))["server_group"]
    ctx.require("os-server-groups:create")
    quotas.check(ctx.session, ctx.project_id, {"server_groups": 1})
    policy = wanted["policy"] if "policy" in wanted else wanted["policies"][0]
    rules = {name: int(value) for name, value in wanted.get("rules", {}).items()}
    if rules and policy != server_groups.ANTI_AFFINITY:
        raise BadRequest("Only anti-affinity policy supports rules.")
    row = {
        "id": randomness.uuid(),
        "name": wanted["name"],
        "project_id": ctx.project_id,
        "user_id": ctx.user_id,
        "policy": policy,
        "rules": rules,
    }
    server_groups.create(ctx.session, row)
    return encode(200, {"server_group": _shown(ctx, row, ())})


@ROUTES.add("GET", _GROUP, "os-server-groups:show")
def show(ctx: Context, ident: str) -> Response:
    """Show a server group."""
    row = _found(ctx, ident, "os-server-groups:show")
    members = server_groups.members(ctx.session).get(row["id"], ())
    return encode(200, {"server_group": _shown(ctx, row, members)})


@ROUTES.add("DELETE", _GROUP, "os-server-groups:delete")
def delete(ctx: Context, ident: str) -> Response:
    """Remove a server group."""
    server_groups.destroy(ctx.session, _found(ctx, ident, "os-server-groups:delete")["id"])
    return Response(204)


def _found(ctx: Context, ident: str, policy: str) -> Record:
    row = server_groups.get(ctx.session, ident, ctx.visible_project)
    ctx.require(policy, row)
    return row


def _shown(ctx: Context, row: Record, members: Sequence[Record]) -> dict[str, Any]:
    policy = row["policy"]
    shown = {
        "id": row["id"],
        "name": row["name"],
        "policy": Since(versions.GROUP_RULES, policy),
        "rules": Since(versions.GROUP_RULES, row["rules"]),
        "policies": Since(versions.GROUP_RULES, ABSENT, before=[policy]),
        "metadata": Since(versions.GROUP_RULES, ABSENT, before={}),
        "members": [member["id"] for member in members],
        "project_id": Since(versions.GROUP_PROJECT, row["project_id"]),
        "user_id": Since(versions.GROUP_PROJECT, row["user_id"]),
    }
    return at(ctx.minor, shown)
