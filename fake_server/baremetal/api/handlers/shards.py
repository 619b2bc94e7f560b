"""``/v1/shards``: how nodes are divided among their users."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import microversions
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.routing import Controller
from fake_server.baremetal.errors import NotFound
from fake_server.baremetal.models import nodes

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context


class ShardsController(Controller):
    """All shards."""

    since = microversions.SHARDS
    closed = "shards"
    asks_first = True

    @expose(policy="shards:get")
    def get_all(self, ctx: Context) -> dict[str, Any]:
        """List the shards."""
        found = nodes.shards(ctx.session)
        return {"shards": [{"name": str(name), "count": count} for name, count in found]}

    @expose(policy=None)
    def get_one(self, ctx: Context, name: str) -> None:
        """Refuse to show a single shard."""
        raise NotFound("The resource could not be found.")
