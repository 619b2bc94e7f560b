"""``/v3/qos-specs``: what quality of service volumes of a type have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.block_storage import schemas
from fake_server.block_storage.models import qos, types
from fake_server.block_storage.resources.cinder_resource import CinderResource
from fake_server.common.dialects.cinder import InvalidInput
from fake_server.common.errors import BadRequest
from fake_server.common.resources.declaration import Field, Level
from fake_server.common.rest import encode
from fake_server.common.schemas import Checker, object_schema
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.block_storage.context import BlockStorageContext
    from fake_server.common.guarded_routes import GuardedRoutes
    from fake_server.common.schemas import Schema
    from fake_server.db.store import Record

_POLICY = "volume_extension:qos_specs_manage"
_KEYS = {"type": "array", "items": schemas.FULL_TEXT, "uniqueItems": True}
_REMOVED_KEYS = Checker(object_schema({"keys": _KEYS}, "keys"))


class QosSpecs(CinderResource):
    """QoS specs."""

    name = "qos_specs"
    plural = "qos_specs"
    paths = ("/qos-specs",)
    rows = qos.ROWS
    policies = {
        "list": f"{_POLICY}:get_all",
        "create": f"{_POLICY}:create",
        "show": f"{_POLICY}:get",
        "update": f"{_POLICY}:update",
        "delete": f"{_POLICY}:delete",
    }
    asks_first = True
    statuses = {"create": 200}
    fields = {
        "id": Field(Level.SUMMARY),
        "name": Field(Level.SUMMARY, create=schemas.STRIPPED_NAME, required=True),
        **dict.fromkeys(("consumer", "specs"), Field(Level.SUMMARY)),
    }
    more_of_body = {"create": {"additionalProperties": True}}

    @classmethod
    def schema(cls, operation: str, minor: int) -> Schema:
        """Return the schema of specs: changes are any texts."""
        if operation == "update":
            return schemas.texts(schemas.OPTIONAL_TEXT)
        return super().schema(operation, minor)

    def listed(self, ctx: BlockStorageContext) -> list[Record]:
        """Return all QoS specs."""
        return self.rows.fetch(ctx.tx)

    def found(
        self, ctx: BlockStorageContext, ident: str, policy: str | None, *, unread: bool = False
    ) -> Record:
        """Return QoS specs, which are nobody's."""
        ctx.require(str(policy))
        return self.rows.find(ctx.tx, ident)

    def make(self, ctx: BlockStorageContext, wanted: Mapping[str, Any]) -> Record:
        """Create QoS specs."""
        for name, text in wanted.items():
            if not isinstance(text, str):
                raise InvalidInput(f'Value for key "{name}" is not a string or unicode')
        specs = {name: text for name, text in wanted.items() if name not in ("name", "consumer")}
        consumer = wanted.get("consumer", "back-end")
        qos.check_consumer(consumer)
        values = {"name": wanted["name"], "consumer": consumer, "specs": specs}
        return self.rows.add(ctx.tx, ctx.clock, values)

    def answer(self, ctx: BlockStorageContext, operation: str, row: Record) -> Response:
        """Return the answer, with links beside the specs."""
        links = ctx.links(f"qos-specs/{row['id']}")
        return encode(200, {"qos_specs": self.shown(ctx, row, Level.DETAIL), "links": links})

    def update(self, ctx: BlockStorageContext, ident: str) -> Response:
        """Add to QoS specs."""
        wanted = self.body(ctx, "update")
        row = self.found(ctx, ident, self.policy("update"))
        consumer = wanted.get("consumer") or row["consumer"]
        qos.check_consumer(consumer)
        added = {name: text for name, text in wanted.items() if name != "consumer"}
        self.store(ctx, row, {"consumer": consumer, "specs": {**row["specs"], **added}})
        return encode(200, {"qos_specs": wanted})

    def remove(self, ctx: BlockStorageContext, row: Record) -> None:
        """Remove QoS specs."""
        qos.delete(ctx.tx, row, force=ctx.flag("force"))

    def add_to(self, routes: GuardedRoutes[Any]) -> None:
        """Add the keys of QoS specs, and the types that have them."""
        for method, path, verb, handler in (
            ("PUT", "delete_keys", "delete", self.remove_keys),
            ("GET", "associations", "get_all", self.list_associations),
            # Cinder changes these by a GET.
            ("GET", "associate", "update", self.associate),
            ("GET", "disassociate", "update", self.disassociate),
            ("GET", "disassociate_all", "update", self.disassociate_all),
        ):
            routes.add(method, f"/qos-specs/{{ident}}/{path}", f"{_POLICY}:{verb}")(handler)

    def remove_keys(self, ctx: BlockStorageContext, ident: str) -> Response:
        """Remove keys of QoS specs."""
        keys = ctx.json(_REMOVED_KEYS)["keys"]
        qos.remove_keys(ctx.tx, self.found(ctx, ident, f"{_POLICY}:delete"), keys)
        return Response(202)

    def list_associations(self, ctx: BlockStorageContext, ident: str) -> Response:
        """List the types that have QoS specs."""
        rows = [
            {"association_type": "volume_type", "name": row["name"], "id": row["id"]}
            for row in qos.types_of(ctx.tx, self.found(ctx, ident, f"{_POLICY}:get_all"))
        ]
        return encode(200, {"qos_associations": rows})

    def associate(self, ctx: BlockStorageContext, ident: str) -> Response:
        """Give a type QoS specs."""
        qos.associate(ctx.tx, self.found(ctx, ident, f"{_POLICY}:update"), _type(ctx))
        return Response(202)

    def disassociate(self, ctx: BlockStorageContext, ident: str) -> Response:
        """Take QoS specs from a type."""
        qos.disassociate(ctx.tx, self.found(ctx, ident, f"{_POLICY}:update"), _type(ctx))
        return Response(202)

    def disassociate_all(self, ctx: BlockStorageContext, ident: str) -> Response:
        """Take QoS specs from all types."""
        qos.disassociate(ctx.tx, self.found(ctx, ident, f"{_POLICY}:update"))
        return Response(202)


def _type(ctx: BlockStorageContext) -> Record:
    ident = ctx.request.query.get("vol_type_id")
    if not isinstance(ident, str):
        raise BadRequest("Volume Type id must not be None.")
    return types.ROWS.find(ctx.tx, ident)
