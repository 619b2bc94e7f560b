"""``/v3/volumes/{ident}/encryption``: how a volume is encrypted."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.block_storage.models import encryption, volumes
from fake_server.common.errors import NotFound
from fake_server.common.resources.part import Part
from fake_server.common.rest import encode

if TYPE_CHECKING:
    from fake_server.block_storage.context import BlockStorageContext
    from fake_server.common.guarded_routes import GuardedRoutes
    from fake_server.common.resources.part import Owner
    from fake_server.common.wsgi import Response

_POLICY = "volume_extension:volume_encryption_metadata"


class Encryption(Part):
    """How volumes are encrypted."""

    def add_to(self, routes: GuardedRoutes[Any], owner: Owner, address: str) -> None:
        """Add what answers requests for it."""
        path = f"{address}/encryption"
        routes.add("GET", path, _POLICY)(partial(self.show, owner=owner))
        routes.add("GET", f"{path}/{{key}}", _POLICY)(partial(self.show_item, owner=owner))

    def show(self, ctx: BlockStorageContext, ident: str, *, owner: Owner) -> Response:
        """Show how a volume is encrypted."""
        return encode(200, _shown(ctx, owner, ident))

    def show_item(
        self, ctx: BlockStorageContext, ident: str, key: str, *, owner: Owner
    ) -> Response:
        """Show one thing about how a volume is encrypted."""
        shown = _shown(ctx, owner, ident)
        if key not in shown:
            raise NotFound
        return encode(200, shown[key])


def _shown(ctx: BlockStorageContext, owner: Owner, ident: str) -> dict[str, Any]:
    row = owner.found(ctx, ident, _POLICY, unread=True)
    used = (volumes.type_of(ctx.tx, row) or {}).get("encryption") or {}
    shown = {name: used[name] for name in encryption.NAMES if name in used}
    return {"encryption_key_id": row["encryption_key_id"], **shown}
