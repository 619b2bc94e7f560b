"""``/flavors``: the sizes of servers, their extra specs and access."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common import randomness
from fake_server.common.errors import BadRequest, Conflict, NotFound
from fake_server.common.parsing import parse_boolean, parse_integer
from fake_server.common.resources.action import Action
from fake_server.common.resources.declaration import Field, Level, always, both
from fake_server.common.resources.key_values import KeyValues
from fake_server.common.rest import encode
from fake_server.common.schemas import object_schema
from fake_server.compute import microversions
from fake_server.compute.models import flavors
from fake_server.compute.resources.nova_resource import NovaResource
from fake_server.compute.schemas import parts as schemas

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.common.guarded_routes import GuardedRoutes
    from fake_server.common.wsgi import Response
    from fake_server.compute.context import Context
    from fake_server.db.store import Record

_SPECS = "os-flavor-extra-specs"
_IDENT = {
    "type": ["string", "number", "null"],
    "minLength": 1,
    "maxLength": 255,
    "pattern": "^(?! )[a-zA-Z0-9. _-]+(?<! )$",
}
_DESCRIPTION = {**schemas.TEXT, "maxLength": 65535}
_FACTOR = {
    "type": ["number", "string"],
    "pattern": r"^[0-9]+(\.[0-9]+)?$",
    "exclusiveMinimum": 0,
    "maximum": 3.40282e38,
}
_TENANT = {"tenant": {"type": "string", "minLength": 1, "maxLength": 255}}
_EXTRA_SPECS = {
    "type": "object",
    "patternProperties": {
        "^[a-zA-Z0-9-_:. ]{1,255}$": {"type": ["string", "number"], "maxLength": 255}
    },
    "additionalProperties": False,
}
#: What lists can be sorted by, with the columns.
_SORTABLE = {
    "created_at": "number",
    "description": "description",
    "disabled": "number",
    "ephemeral_gb": "ephemeral",
    "flavorid": "id",
    "id": "number",
    "is_public": "is_public",
    "memory_mb": "ram",
    "name": "name",
    "root_gb": "disk",
    "rxtx_factor": "rxtx_factor",
    "swap": "swap",
    "updated_at": "number",
    "vcpu_weight": "number",
    "vcpus": "vcpus",
}
_QUERY = ("limit", "marker", "is_public", "minRam", "minDisk", "sort_key", "sort_dir")


def _swap(ctx: Context, row: Mapping[str, Any]) -> Any:
    return row["swap"] or (0 if ctx.minor >= microversions.STRICT_QUERIES else "")


def _accept_spec(ctx: Context, name: str, value: str) -> None:
    """Raise BadRequest for values that the scheduler doesn't understand."""
    if ctx.minor < microversions.EXTRA_SPECS_CHECKED:
        return
    kind = name.partition(":")[0]
    if kind.startswith("trait") and value not in ("required", "forbidden"):
        raise BadRequest(f"Validation failed; '{value}' is not one of: required, forbidden.")
    if kind.startswith("resources") and parse_integer(value, strict=True) is None:
        raise BadRequest(f"Validation failed; '{value}' is not a valid integer value.")


def _add_access(ctx: Context, row: Record, details: Mapping[str, Any]) -> Response:
    project = details["tenant"]
    if row["is_public"] and ctx.minor >= microversions.FLAVOR_ACCESS_CHECKED:
        raise Conflict("Can not add access to a public flavor.")
    if project in row["projects"]:
        raise Conflict(
            f"Flavor access already exists for flavor {row['number']} and project {project} "
            "combination."
        )
    return _changed_access(ctx, row, [*row["projects"], project])


def _remove_access(ctx: Context, row: Record, details: Mapping[str, Any]) -> Response:
    project = details["tenant"]
    if project not in row["projects"]:
        raise NotFound(f"Flavor access not found for {row['number']} / {project} combination.")
    return _changed_access(ctx, row, [one for one in row["projects"] if one != project])


def _changed_access(ctx: Context, row: Record, projects: list[str]) -> Response:
    return _access(flavors.ROWS.change(ctx.tx, ctx.clock, row, {"projects": projects}))


def _access(row: Record) -> Response:
    shown = [{"flavor_id": row["id"], "tenant_id": project} for project in row["projects"]]
    return encode(200, {"flavor_access": shown})


class Flavors(NovaResource):
    """Flavors."""

    name = "flavor"
    added = {"update": microversions.FLAVOR_DESCRIPTION}
    rows = flavors.ROWS
    detailed = True
    policies = {
        "list": (),
        "create": "os-flavor-manage:create",
        "show": (),
        "update": "os-flavor-manage:update",
        "delete": "os-flavor-manage:delete",
    }
    asks_first = True
    answered = Level.DETAIL
    fields = {
        "id": Field(Level.SUMMARY, create=_IDENT),
        "name": Field(Level.SUMMARY, create=schemas.NAME, required=True),
        "links": Field(Level.SUMMARY, of=lambda ctx, row: ctx.links(f"flavors/{row['id']}")),
        "description": both(_DESCRIPTION, Level.SUMMARY, since=microversions.FLAVOR_DESCRIPTION),
        "ram": Field(create=schemas.SIZE, required=True, convert=int),
        "disk": Field(create=schemas.AMOUNT, required=True, convert=int),
        "swap": Field(create=schemas.AMOUNT, convert=int, default=0, of=_swap),
        "OS-FLV-EXT-DATA:ephemeral": Field(
            create=schemas.AMOUNT, of=lambda ctx, row: row["ephemeral"]
        ),
        "vcpus": Field(create=schemas.SIZE, required=True, convert=int),
        "os-flavor-access:is_public": Field(
            create=schemas.BOOLEAN, of=lambda ctx, row: row["is_public"]
        ),
        "OS-FLV-DISABLED:disabled": Field(of=always(False), until=microversions.SLIM_FLAVORS),
        "rxtx_factor": Field(
            create=_FACTOR, convert=float, default=1.0, until=microversions.SLIM_FLAVORS
        ),
        "extra_specs": Field(
            default={}, since=microversions.FLAVOR_EXTRA_SPECS, sees=f"{_SPECS}:index"
        ),
    }
    more_of_body = {"update": {"required": ["description"]}}
    actions = {
        "addTenantAccess": Action(
            "os-flavor-access:add_tenant_access", _add_access, object_schema(_TENANT, "tenant")
        ),
        "removeTenantAccess": Action(
            "os-flavor-access:remove_tenant_access",
            _remove_access,
            object_schema(_TENANT, "tenant"),
        ),
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
            _EXTRA_SPECS,
            "Flavor {id} has no extra specs with key {key}.",
            path="os-extra_specs",
            answers_added=True,
            convert=str,
            accept=_accept_spec,
        ),
    )

    def found(
        self, ctx: Context, ident: str, policy: str | None, *, unread: bool = False
    ) -> Record:
        """Return a flavor that the client may use."""
        if policy is not None:
            ctx.require(policy)
        ctx.require_project()
        return self.rows.find(ctx.tx, ident, ctx.visible_project)

    def listed(self, ctx: Context) -> list[Record]:
        """Return the flavors that a list shows."""
        ctx.only(*_QUERY)
        wanted = ctx.one_of("is_public") or "true"
        public: bool | None = None
        if ctx.is_admin and wanted.lower() != "none":
            public = parse_boolean(wanted)
            if public is None:
                raise BadRequest(f"Invalid is_public filter [{wanted}]")
        rows = self.rows.fetch(ctx.tx, ctx.visible_project)
        rows = [row for row in rows if public in (None, row["is_public"])]
        for name, column in (("minRam", "ram"), ("minDisk", "disk")):
            least = ctx.one_of(name)
            if least is not None:
                number = parse_integer(least, strict=True)
                if number is None:
                    raise BadRequest(f"Invalid {name} filter [{least}]")
                rows = [row for row in rows if row[column] >= number]
        return ctx.sorted(rows, _SORTABLE, "id")

    def page(self, ctx: Context, rows: list[Record]) -> tuple[list[Record], dict[str, Any]]:
        """Return a page of flavors."""
        return self.dialect.page(ctx, rows, self.plural)

    def values(self, ctx: Context, wanted: Mapping[str, Any]) -> Record:
        """Return the columns of a new flavor."""
        ident = wanted.get("id")
        return {
            **super().values(ctx, wanted),
            "id": randomness.uuid() if ident in (None, "auto") else str(ident),
            "ephemeral": int(wanted.get("OS-FLV-EXT-DATA:ephemeral", 0)),
            "is_public": bool(parse_boolean(wanted.get("os-flavor-access:is_public", True))),
            "projects": [],
        }

    def add_to(self, routes: GuardedRoutes[Any]) -> None:
        """Add the projects that may use a flavor."""
        address = "/flavors/{ident}/os-flavor-access"
        routes.add("GET", address, "os-flavor-access")(self.list_access)

    def list_access(self, ctx: Context, ident: str) -> Response:
        """List the projects that may use a flavor that isn't public."""
        row = self.found(ctx, ident, "os-flavor-access")
        if row["is_public"]:
            raise NotFound("Access list not available for public flavors.")
        return _access(row)
