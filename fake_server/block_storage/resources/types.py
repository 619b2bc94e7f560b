"""``/v3/types``: kinds of volumes, with their extra specs, access and encryption."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from fake_server.block_storage import schemas
from fake_server.block_storage.errors import EncryptionNotFound
from fake_server.block_storage.models import encryption, projects, types
from fake_server.block_storage.models.filters import has
from fake_server.block_storage.resources.cinder_resource import CinderResource
from fake_server.common.errors import BadRequest
from fake_server.common.parsing import parse_boolean
from fake_server.common.resources.action import Action
from fake_server.common.resources.declaration import Field, Level, both
from fake_server.common.resources.key_values import KeyValues
from fake_server.common.rest import encode
from fake_server.common.schemas import Checker, object_schema
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.block_storage.context import BlockStorageContext
    from fake_server.common.guarded_routes import GuardedRoutes
    from fake_server.db.store import Record

_ACCESS = "volume_extension:volume_type_access"
_ENCRYPTION = "volume_extension:volume_type_encryption"
_SPECS = "volume_extension:types_extra_specs"
_PROJECT = object_schema({"project": schemas.FULL_TEXT}, "project")
_IS_PUBLIC = "os-volume-type-access:is_public"
#: Extra specs that all see.
_INSENSITIVE = ("RESKEY:availability_zones", "multiattach", "replication_enabled")
_ENCRYPTED = {
    "key_size": {**schemas.SIZE, "type": ["string", "integer", "null"], "minimum": 0},
    "provider": schemas.TEXT,
    "control_location": {"enum": ["front-end", "back-end"]},
    "cipher": schemas.OPTIONAL_TEXT,
}


def _encryption_checker(*required: str) -> Checker:
    found = {**object_schema(_ENCRYPTED, *required), "additionalProperties": True}
    return Checker(object_schema({"encryption": found}, "encryption"))


_NEW_ENCRYPTION = _encryption_checker("provider", "control_location")
_CHANGED_ENCRYPTION = _encryption_checker()


def _extra_specs(ctx: BlockStorageContext, row: Mapping[str, Any]) -> dict[str, str]:
    """Return the extra specs of a type that the client sees."""
    specs: dict[str, str] = row["extra_specs"]
    if ctx.may(f"{_SPECS}:read_sensitive"):
        return specs
    return {key: specs[key] for key in _INSENSITIVE if key in specs}


def _give(ctx: BlockStorageContext, row: Record, details: Mapping[str, Any]) -> None:
    types.give(ctx.tx, row, details["project"])


def _take(ctx: BlockStorageContext, row: Record, details: Mapping[str, Any]) -> None:
    types.take(ctx.tx, row, details["project"])


class VolumeTypes(CinderResource):
    """Volume types."""

    name = "volume_type"
    rows = types.ROWS
    paths = ("/types",)
    policies = {
        "list": "volume_extension:type_get_all",
        "create": "volume_extension:type_create",
        "show": "volume_extension:type_get",
        "update": "volume_extension:type_update",
        "delete": "volume_extension:type_delete",
    }
    asks_first = True
    filters = ("is_public", "extra_specs")
    listed_as = Level.DETAIL
    statuses = {"create": 200}
    fields = {
        "id": Field(Level.SUMMARY),
        "name": Field(
            Level.SUMMARY,
            create=schemas.NAME,
            update={**schemas.FULL_TEXT, "type": ["string", "null"]},
            required=True,
        ),
        "description": both(schemas.DESCRIPTION, Level.SUMMARY),
        "is_public": Field(Level.SUMMARY, update=schemas.BOOLEAN, convert=parse_boolean),
        "extra_specs": Field(
            Level.SUMMARY,
            create=schemas.texts(schemas.OPTIONAL_TEXT),
            sees="volume_extension:access_types_extra_specs",
            of=_extra_specs,
        ),
        _IS_PUBLIC: Field(
            create=schemas.BOOLEAN,
            sees="volume_extension:volume_type_access",
            of=lambda ctx, row: row["is_public"],
        ),
        "qos_specs_id": Field(Level.DETAIL, sees="volume_extension:access_types_qos_specs_id"),
    }
    actions = {
        "addProjectAccess": Action(f"{_ACCESS}:addProjectAccess", _give, _PROJECT),
        "removeProjectAccess": Action(f"{_ACCESS}:removeProjectAccess", _take, _PROJECT),
    }
    parts = (
        KeyValues(
            "extra_specs",
            {
                "list": f"{_SPECS}:index",
                "add": f"{_SPECS}:create",
                "show": f"{_SPECS}:show",
                "set": f"{_SPECS}:update",
                "remove": f"{_SPECS}:delete",
            },
            schemas.EXTRA_SPECS,
            "Volume Type {ident} has no extra specs with key {key}.",
            answers_added=True,
            removed=202,
            seen=_extra_specs,
        ),
    )

    def listed(self, ctx: BlockStorageContext) -> list[Record]:
        """Return the types of a list; administrators choose whether private ones are shown."""
        rows = self.rows.fetch(ctx.tx, ctx.visible_project)
        filters = ctx.filters(self.filters)
        asked = filters.get("is_public", "true")
        if ctx.caller is not None and ctx.is_admin and asked.lower() != "none":
            is_public = parse_boolean(asked)
            if is_public is None:
                raise BadRequest(f"Invalid is_public filter [{asked}]")
            rows = [row for row in rows if row["is_public"] == is_public]
        wanted = filters.get("extra_specs")
        return [row for row in rows if wanted is None or has(row["extra_specs"], wanted)]

    def make(self, ctx: BlockStorageContext, wanted: Mapping[str, Any]) -> Record:
        """Create a type."""
        values = {
            **types.EMPTY,
            "name": wanted["name"],
            "description": wanted.get("description"),
            "extra_specs": wanted.get("extra_specs") or {},
            "is_public": parse_boolean(wanted.get(_IS_PUBLIC, True)),
        }
        return self.rows.add(ctx.tx, ctx.clock, values)

    def show(self, ctx: BlockStorageContext, ident: str) -> Response:
        """Show a type; that there is none is told to everybody."""
        row = types.ROWS.find(ctx.tx, ident, ctx.visible_project)
        ctx.require("volume_extension:type_get")
        return self.answer(ctx, "show", row)

    def update(self, ctx: BlockStorageContext, ident: str) -> Response:
        """Rename or describe a type, or make it public."""
        wanted = self.body(ctx, "update")
        ctx.require("volume_extension:type_update")
        if all(value is None for value in wanted.values()):
            raise BadRequest(
                "Specify volume type name, description, is_public or a combination thereof."
            )
        if wanted.get("name") == "":
            raise BadRequest("Volume type name can not be empty.")
        changes = {
            name: value for name, value in self.changes(ctx, wanted).items() if value is not None
        }
        row = self.store(ctx, self.rows.find(ctx.tx, ident), changes)
        return encode(200, {"volume_type": self.shown(ctx, row, Level.SUMMARY)})

    def remove(self, ctx: BlockStorageContext, row: Record) -> None:
        """Remove a type that no volume is of."""
        types.delete(ctx.tx, row)

    def add_to(self, routes: GuardedRoutes[Any]) -> None:
        """Add the default type, who uses a type, and how its volumes are encrypted."""
        routes.add("GET", "/types/default", "volume_extension:type_get")(self.show_default)
        access = "/types/{ident}/os-volume-type-access"
        routes.add("GET", access, f"{_ACCESS}:get_all_for_type")(self.list_access)
        address = "/types/{ident}/encryption"
        for method, path, verb, handler in (
            ("GET", address, "get", self.show_encryption),
            ("POST", address, "create", self.create_encryption),
            ("GET", f"{address}/{{key}}", "get", self.show_encryption_item),
            ("PUT", f"{address}/{{key}}", "update", self.update_encryption),
            ("DELETE", f"{address}/{{key}}", "delete", self.delete_encryption),
        ):
            routes.add(method, path, f"{_ENCRYPTION}:{verb}")(handler)

    def show_default(self, ctx: BlockStorageContext) -> Response:
        """Show the type of volumes that ask for none."""
        ctx.require("volume_extension:type_get")
        row = types.ROWS.named(ctx.tx, projects.default_type(ctx.tx, ctx.project_id))
        shown = self.shown(ctx, row, Level.DETAIL)
        shown.pop(_IS_PUBLIC, None)
        return encode(200, {"volume_type": shown})

    def list_access(self, ctx: BlockStorageContext, ident: str) -> Response:
        """List the projects that use a type which isn't public."""
        row = self.found(ctx, ident, f"{_ACCESS}:get_all_for_type")
        rows = [
            {"volume_type_id": row["id"], "project_id": project}
            for project in types.projects_of(ctx.tx, row)
        ]
        return encode(200, {"volume_type_access": rows})

    def show_encryption(self, ctx: BlockStorageContext, ident: str) -> Response:
        """Show how volumes of a type are encrypted."""
        return encode(200, _encryption(ctx, self._asked(ctx, ident, "get")))

    def show_encryption_item(self, ctx: BlockStorageContext, ident: str, key: str) -> Response:
        """Show one thing about how volumes of a type are encrypted."""
        row = self._asked(ctx, ident, "get")
        shown = _encryption(ctx, row)
        if key not in shown:
            raise EncryptionNotFound(row["id"])
        return encode(200, {key: shown[key]})

    def create_encryption(self, ctx: BlockStorageContext, ident: str) -> Response:
        """Encrypt the volumes of a type."""
        wanted = _wanted(ctx, _NEW_ENCRYPTION)
        row = encryption.create(ctx.tx, ctx.clock, self._asked(ctx, ident, "create"), wanted)
        given = {**wanted, **{name: row[name] for name in ("volume_type_id", "encryption_id")}}
        return encode(200, {"encryption": given})

    def update_encryption(self, ctx: BlockStorageContext, ident: str, key: str) -> Response:
        """Encrypt the volumes of a type in another way; which key is named doesn't matter."""
        wanted = _wanted(ctx, _CHANGED_ENCRYPTION)
        encryption.update(ctx.tx, ctx.clock, self._asked(ctx, ident, "update"), wanted)
        return encode(200, {"encryption": wanted})

    def delete_encryption(self, ctx: BlockStorageContext, ident: str, key: str) -> Response:
        """Stop encrypting the volumes of a type; which key is named doesn't matter."""
        encryption.delete(ctx.tx, self._asked(ctx, ident, "delete"))
        return Response(202)

    def _asked(self, ctx: BlockStorageContext, ident: str, action: str) -> Record:
        """Return the type whose encryption a request is about."""
        ctx.require(f"{_ENCRYPTION}:{action}")
        return self.rows.find(ctx.tx, ident)


def _wanted(ctx: BlockStorageContext, checker: Checker) -> dict[str, Any]:
    """Return what the body says of an encryption; the number of bits may be text."""
    given = ctx.json(checker)["encryption"]
    wanted = {name: given[name] for name in encryption.NAMES if name in given}
    if wanted.get("key_size") is not None:
        wanted["key_size"] = int(wanted["key_size"])
    return wanted


def _encryption(ctx: BlockStorageContext, row: Record) -> dict[str, Any]:
    if row["encryption"] is None:
        return {}
    moments = {
        name: ctx.dialect.moment(datetime.fromisoformat(text)) if text else None
        for name, text in row["encryption"].items()
        if name.endswith("_at")
    }
    return {**row["encryption"], **moments, "deleted": False, "deleted_at": None}
