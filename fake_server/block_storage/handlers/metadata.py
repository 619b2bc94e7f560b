"""``/v3/volumes/ID/metadata`` and the same of snapshots: texts by name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.block_storage.models import copies, volumes
from fake_server.common.errors import BadRequest, NotFound
from fake_server.common.rest import Routes, encode
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.block_storage.context import BlockStorageContext, Handler
    from fake_server.db.store import Record

ROUTES: Routes[Handler] = Routes()


@dataclass(frozen=True)
class Owner:
    """What has metadata.

    :param name: what messages call it.
    :param find: returns one by its id.
    :param update: changes columns of one and returns it.
    :param policies: those of creating, updating and deleting, by HTTP method.
    """

    name: str
    find: Callable[[BlockStorageContext, str], Record]
    update: Callable[[BlockStorageContext, Record, dict[str, Any]], Record]
    policies: dict[str, str]

    def writable(self, ctx: BlockStorageContext, ident: str) -> Record:
        """Return one whose metadata the client may change; raise Forbidden if it may not."""
        ctx.require_member(self.policies[ctx.request.method])
        return self.find(ctx, ident)

    def value(self, row: Record, key: str) -> str:
        """Return the text of a key; raise NotFound if there is none."""
        if key not in row["metadata"]:
            raise NotFound(f"{self.name} {row['id']} has no metadata with key {key}.")
        return str(row["metadata"][key])


def _show(ctx: BlockStorageContext, ident: str, *, owner: Owner) -> Response:
    return encode(200, {"metadata": owner.find(ctx, ident)["metadata"]})


def _add(ctx: BlockStorageContext, ident: str, *, owner: Owner) -> Response:
    row = owner.writable(ctx, ident)
    return _changed(ctx, owner, row, {**row["metadata"], **ctx.metadata(ctx.body("metadata"))})


def _replace(ctx: BlockStorageContext, ident: str, *, owner: Owner) -> Response:
    return _changed(ctx, owner, owner.writable(ctx, ident), ctx.metadata(ctx.body("metadata")))


def _show_one(ctx: BlockStorageContext, ident: str, key: str, *, owner: Owner) -> Response:
    return encode(200, {"meta": {key: owner.value(owner.find(ctx, ident), key)}})


def _set_one(ctx: BlockStorageContext, ident: str, key: str, *, owner: Owner) -> Response:
    row, wanted = owner.writable(ctx, ident), ctx.metadata(ctx.body("meta"))
    if list(wanted) != [key]:
        raise BadRequest("Request body and URI mismatch")
    _changed(ctx, owner, row, {**row["metadata"], **wanted})
    return encode(200, {"meta": wanted})


def _remove_one(ctx: BlockStorageContext, ident: str, key: str, *, owner: Owner) -> Response:
    row = owner.writable(ctx, ident)
    owner.value(row, key)
    _changed(
        ctx, owner, row, {name: row["metadata"][name] for name in row["metadata"] if name != key}
    )
    return Response(200)


def _changed(
    ctx: BlockStorageContext, owner: Owner, row: Record, metadata: dict[str, str]
) -> Response:
    return encode(200, {"metadata": owner.update(ctx, row, {"metadata": metadata})["metadata"]})


_VERBS = {"POST": "create", "PUT": "update", "DELETE": "delete"}
_OWNERS = {
    "volumes": Owner(
        "Volume",
        lambda ctx, ident: volumes.find(ctx.tx, ctx.clock, ident, ctx.visible_project),
        lambda ctx, row, changes: volumes.update(ctx.tx, ctx.clock, row, changes),
        {method: f"volume:{verb}_volume_metadata" for method, verb in _VERBS.items()},
    ),
    "snapshots": Owner(
        "Snapshot",
        lambda ctx, ident: copies.find(ctx.tx, copies.SNAPSHOTS, ident, ctx.visible_project),
        lambda ctx, row, changes: copies.update(ctx.tx, ctx.clock, copies.SNAPSHOTS, row, changes),
        dict.fromkeys(_VERBS, "volume:update_snapshot_metadata"),
    ),
}
for _kind, _owner in _OWNERS.items():
    for _method, _handler in (("GET", _show), ("POST", _add), ("PUT", _replace)):
        ROUTES.add(_method, f"/{_kind}/{{ident}}/metadata")(partial(_handler, owner=_owner))
    for _method, _one in (("GET", _show_one), ("PUT", _set_one), ("DELETE", _remove_one)):
        ROUTES.add(_method, f"/{_kind}/{{ident}}/metadata/{{key}}")(partial(_one, owner=_owner))
