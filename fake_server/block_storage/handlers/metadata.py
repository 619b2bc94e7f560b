"""``/v3/volumes/ID/metadata`` and the same of snapshots: texts by name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.block_storage import schemas
from fake_server.block_storage.models import copies, volumes
from fake_server.block_storage.policies import POLICIES
from fake_server.common.errors import BadRequest, NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.block_storage.context import BlockStorageContext, Handler
    from fake_server.db.store import Record

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)


@dataclass(frozen=True)
class Owner:
    """What has metadata.

    :param name: what messages call it.
    :param find: returns one by its id, if a policy allows what is done.
    :param update: changes columns of one and returns it.
    :param policies: those of showing, creating, updating and deleting, by HTTP method.
    """

    name: str
    find: Callable[[BlockStorageContext, str, str], Record]
    update: Callable[[BlockStorageContext, Record, dict[str, Any]], Record]
    policies: dict[str, str]

    def found(self, ctx: BlockStorageContext, ident: str) -> Record:
        """Return one; raise Forbidden if the client may not do what it asks for."""
        return self.find(ctx, ident, self.policies[ctx.request.method])

    def value(self, row: Record, key: str) -> str:
        """Return the text of a key; raise NotFound if there is none."""
        if key not in row["metadata"]:
            raise NotFound(f"{self.name} {row['id']} has no metadata with key {key}.")
        return str(row["metadata"][key])


def _show(ctx: BlockStorageContext, ident: str, *, owner: Owner) -> Response:
    return encode(200, {"metadata": owner.found(ctx, ident)["metadata"]})


def _add(ctx: BlockStorageContext, ident: str, *, owner: Owner) -> Response:
    wanted = ctx.json(schemas.METADATA)["metadata"]
    row = owner.found(ctx, ident)
    return _changed(ctx, owner, row, {**row["metadata"], **wanted})


def _replace(ctx: BlockStorageContext, ident: str, *, owner: Owner) -> Response:
    wanted = ctx.json(schemas.METADATA)["metadata"]
    return _changed(ctx, owner, owner.found(ctx, ident), wanted)


def _show_one(ctx: BlockStorageContext, ident: str, key: str, *, owner: Owner) -> Response:
    return encode(200, {"meta": {key: owner.value(owner.found(ctx, ident), key)}})


def _set_one(ctx: BlockStorageContext, ident: str, key: str, *, owner: Owner) -> Response:
    wanted = ctx.json(schemas.METADATA_ITEM)["meta"]
    if list(wanted) != [key]:
        raise BadRequest("Request body and URI mismatch")
    row = owner.found(ctx, ident)
    _changed(ctx, owner, row, {**row["metadata"], **wanted})
    return encode(200, {"meta": wanted})


def _remove_one(ctx: BlockStorageContext, ident: str, key: str, *, owner: Owner) -> Response:
    row = owner.find(ctx, ident, owner.policies["GET"])
    owner.value(row, key)
    ctx.require(owner.policies["DELETE"], row)
    _changed(
        ctx, owner, row, {name: row["metadata"][name] for name in row["metadata"] if name != key}
    )
    return Response(200)


def _changed(
    ctx: BlockStorageContext, owner: Owner, row: Record, metadata: dict[str, str]
) -> Response:
    return encode(200, {"metadata": owner.update(ctx, row, {"metadata": metadata})["metadata"]})


_VERBS = {"GET": "get", "POST": "create", "PUT": "update", "DELETE": "delete"}
_OWNERS = {
    "volumes": Owner(
        "Volume",
        lambda ctx, ident, policy: ctx.volume(ident, policy),
        lambda ctx, row, changes: volumes.update(ctx.tx, ctx.clock, row, changes),
        {method: f"volume:{verb}_volume_metadata" for method, verb in _VERBS.items()},
    ),
    "snapshots": Owner(
        "Snapshot",
        lambda ctx, ident, policy: ctx.copy(copies.SNAPSHOTS, ident, policy),
        lambda ctx, row, changes: copies.update(ctx.tx, ctx.clock, copies.SNAPSHOTS, row, changes),
        {
            "GET": "volume:get_snapshot_metadata",
            **dict.fromkeys(("POST", "PUT"), "volume:update_snapshot_metadata"),
            "DELETE": "volume:delete_snapshot_metadata",
        },
    ),
}
for _kind, _owner in _OWNERS.items():
    for _method, _handler in (("GET", _show), ("POST", _add), ("PUT", _replace)):
        ROUTES.add(_method, f"/{_kind}/{{ident}}/metadata", _owner.policies[_method])(
            partial(_handler, owner=_owner)
        )
    for _method, _one in (("GET", _show_one), ("PUT", _set_one), ("DELETE", _remove_one)):
        ROUTES.add(_method, f"/{_kind}/{{ident}}/metadata/{{key}}", _owner.policies[_method])(
            partial(_one, owner=_owner)
        )
