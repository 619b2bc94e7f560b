"""``/v2.0/agents``: the agents of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.errors import BadRequest
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.networking import bodies, lists, views
from fake_server.networking.errors import Missing
from fake_server.networking.models import agents, items
from fake_server.networking.policies import POLICIES

if TYPE_CHECKING:
    from fake_server.db.store import Record
    from fake_server.networking.context import Handler, NetworkingContext

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_KIND = "agents"


@ROUTES.add("GET", "/v2.0/agents", "get_agent")
def list_agents(ctx: NetworkingContext) -> Response:
    """List the agents."""
    return encode(200, lists.answer(ctx, _KIND, agents.fetch(ctx.session)))


@ROUTES.add("POST", "/v2.0/agents", "create_agent")
def create(ctx: NetworkingContext) -> Response:
    """Refuse to create an agent: they report themselves."""
    ctx.enforce("create", _KIND, {})
    raise BadRequest(
        "Bad agents request: Agent creation using API is not supported..", "BadRequest"
    )


@ROUTES.add("GET", "/v2.0/agents/{ident}", "get_agent")
def show(ctx: NetworkingContext, ident: str) -> Response:
    """Show an agent."""
    return encode(200, {"agent": views.of_fields(ctx, _visible(ctx, ident))})


@ROUTES.add("PUT", "/v2.0/agents/{ident}", "update_agent")
def update(ctx: NetworkingContext, ident: str) -> Response:
    """Change an agent."""
    changes = bodies.read_changes(ctx, _KIND)
    agent = _visible(ctx, ident)
    ctx.enforce("update", _KIND, agent)
    agent = agents.update(ctx.session, agent, changes)
    return encode(200, {"agent": agent})


@ROUTES.add("DELETE", "/v2.0/agents/{ident}", "delete_agent")
def delete(ctx: NetworkingContext, ident: str) -> Response:
    """Forget what was set of an agent, which reports its node again at once."""
    agent = _visible(ctx, ident)
    ctx.enforce("delete", _KIND, agent)
    items.remove(ctx.session, _KIND, agent["id"])
    return Response(204)


def _visible(ctx: NetworkingContext, ident: str) -> Record:
    for agent in agents.fetch(ctx.session):
        if agent["id"] == ident and ctx.allows("get", _KIND, agent):
            return agent
    raise Missing("Agent", ident)
