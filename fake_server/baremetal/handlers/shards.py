"""``/v1/shards``: how nodes are divided among their users."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import microversions, permissions
from ..errors import InvalidParameterValue, NotFound
from ..handler import expose
from ..models import shards
from ..routing import Controller

if TYPE_CHECKING:
    from ..context import Context


class ShardsController(Controller):
    """All shards."""

    @expose()
    def get_all(self, ctx: Context, **_named: Any) -> dict[str, Any]:
        """List the shards."""
        permissions.check(ctx, "baremetal:shards:get")
        _check_version(ctx)
        if _named:
            raise InvalidParameterValue(f"Unexpected arguments: {', '.join(_named)}")
        found = shards.count(ctx.session)
        return {"shards": [{"name": str(name), "count": count} for name, count in found]}

    @expose()
    def get_one(self, ctx: Context, name: str) -> None:
        """Refuse to show a single shard."""
        _check_version(ctx)
        raise NotFound("The resource could not be found.")


def _check_version(ctx: Context) -> None:
    if ctx.minor < microversions.SHARDS:
        raise NotFound("The API version does not allow shards")
