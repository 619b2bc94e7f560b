"""``/v2.0/agents``: the agents of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.errors import BadRequest
from fake_server.common.rest import Routes, encode
from fake_server.common.wsgi import Response
from fake_server.networking import bodies, lists, views
from fake_server.networking.errors import Missing
from fake_server.networking.models import agents, items

if TYPE_CHECKING:
    from fake_server.db.store import Record
    from fake_server.networking.context import Handler, NetworkingContext

ROUTES: Routes[Handler] = Routes()
_KIND = "agents"


@ROUTES.add("GET", "/v2.0/agents")
def list_agents(ctx: NetworkingContext) -> Response:
    """List the agents."""
    return encode(200, lists.answer(ctx, _KIND, agents.fetch(ctx.session)))


@ROUTES.add("POST", "/v2.0/agents")
def create(ctx: NetworkingContext) -> Response:
    """Refuse to create an agent: they report themselves."""
    ctx.enforce("create", _KIND, {})
    raise BadRequest(
        "Bad agents request: Agent creation using API is not supported..", "BadRequest"
    )


@ROUTES.add("GET", "/v2.0/agents/{ident}")
def show(ctx: NetworkingContext, ident: str) -> Response:
    """Show an agent."""
    return encode(200, {"agent": views.of_fields(ctx, _visible(ctx, ident))})


@ROUTES.add("PUT", "/v2.0/agents/{ident}")
def update(ctx: NetworkingContext, ident: str) -> Response:
    """Change an agent."""
    changes = bodies.read_changes(ctx, _KIND)
    agent = agents.update(ctx.session, _visible(ctx, ident), changes)
    return encode(200, {"agent": agent})


@ROUTES.add("DELETE", "/v2.0/agents/{ident}")
def delete(ctx: NetworkingContext, ident: str) -> Response:
    """Forget what was set of an agent, which reports its node again at once."""
    items.remove(ctx.session, _KIND, _visible(ctx, ident)["id"])
    return Response(204)


def _visible(ctx: NetworkingContext, ident: str) -> Record:
    for agent in agents.fetch(ctx.session):
        if agent["id"] == ident and ctx.allows("get", _KIND, agent):
            return agent
    raise Missing("Agent", ident)
