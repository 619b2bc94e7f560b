"""``/v3/services``, ``/v3/regions`` and ``/v3/endpoints``: the catalog."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, Forbidden
from fake_server.common.resources.declaration import Level, both
from fake_server.identity import catalog, errors, hierarchy, models, schemas, tables
from fake_server.identity.resources.keystone_resource import KeystoneResource

if TYPE_CHECKING:
    from fake_server.common.errors import Conflict
    from fake_server.common.guarded_routes import GuardedRoutes
    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record
    from fake_server.identity.context import Context

_TABLES = {"service": tables.services, "region": tables.regions}


class Services(KeystoneResource):
    """Services."""

    name = "service"
    table = tables.services
    may_be_left_out = True
    filters = ("type", "name")
    computed = ("description",)
    fields = {
        "type": both(schemas.name(255), required=True),
        "name": both(schemas.TEXT, default=""),
        "enabled": both(schemas.BOOLEAN, default=True),
        "description": both(schemas.OPTIONAL_TEXT),
    }


class Regions(KeystoneResource):
    """Regions, which can be in others."""

    name = "region"
    table = tables.regions
    filters = ("parent_region_id",)
    fields = {
        "id": both(schemas.TEXT),
        "description": both(schemas.OPTIONAL_TEXT, default=""),
        "parent_region_id": both(schemas.OPTIONAL_TEXT),
    }

    def prepare(self, ctx: Context, row: Record) -> None:
        """Raise an error for a region that can't be where it is to be."""
        _check_region(ctx, row["id"], row["parent_region_id"])

    def check_change(self, ctx: Context, row: Record, changes: Record) -> None:
        """Raise an error for a region that can't be where it is to be."""
        _check_region(ctx, row["id"], changes.get("parent_region_id"))

    def check_deletion(self, ctx: Context, row: Record) -> None:
        """Raise Forbidden for a region with endpoints; delete those below it."""
        regions = tables.regions.c
        below = hierarchy.below(ctx.tx, row["id"], regions.parent_region_id)
        if any(ctx.tx.get(tables.endpoints, region_id=one) for one in (row["id"], *below)):
            raise Forbidden(
                f"Unable to delete region {row['id']} because it or its child regions have "
                "associated endpoints."
            )
        ctx.tx.delete(tables.regions, regions.id.in_(below))

    def duplicate(self, row: Record, *, is_new: bool) -> Conflict:
        """Return the error for a region whose id another one has."""
        return errors.conflict("region", f"Duplicate ID, {row['id']}.")

    def add_to(self, routes: GuardedRoutes[Any]) -> None:
        """Add the creation of a region whose id is in the address."""
        routes.add("PUT", "/v3/regions/{ident}", "create_region")(self.create_named)

    def create_named(self, ctx: Context, ident: str) -> Response:
        """Create a region whose id is in the address."""
        values = dict(self.body(ctx, "create"))
        ctx.require("create_region", {})
        if values.setdefault("id", ident) != ident:
            raise BadRequest(f'Conflicting region IDs specified: "{ident}" != "{values["id"]}"')
        return self.answer(ctx, "create", self.make(ctx, values))


class Endpoints(KeystoneResource):
    """Endpoints."""

    name = "endpoint"
    table = tables.endpoints
    may_be_left_out = True
    filters = ("interface", "service_id", "region_id")
    fields = {
        "service_id": both(schemas.TEXT, required=True),
        "interface": both(
            {"type": "string", "enum": ["admin", "internal", "public"]}, required=True
        ),
        "url": both({"type": "string", "minLength": 1, "maxLength": 225}, required=True),
        "region_id": both(schemas.OPTIONAL_TEXT),
        "region": both(schemas.TEXT, Level.HIDDEN),
        "enabled": both({"type": "boolean"}, default=True),
    }

    def prepare(self, ctx: Context, row: Record) -> None:
        """Find the region of an endpoint, and make it if need be."""
        region = row["extra"].pop("region", None)
        if region is not None and row.get("region_id") is None:
            row["region_id"] = region
            if models.find(ctx.tx, tables.regions, region) is None:
                new = {"id": region, "description": "", "parent_region_id": None, "extra": {}}
                ctx.tx.insert(tables.regions, new)
        for column, table in (("service_id", "service"), ("region_id", "region")):
            ident = row.get(column)
            if ident is not None and models.find(ctx.tx, _TABLES[table], ident) is None:
                raise errors.malformed(f"Expecting to find endpoint {column} in {table} table.")

    def check_change(self, ctx: Context, row: Record, changes: Record) -> None:
        """Find the region of an endpoint as for a new one."""
        self.prepare(ctx, changes)

    def shown(self, ctx: Context, row: Record, level: Level = Level.DETAIL) -> dict[str, Any]:
        """Return an endpoint as clients see it."""
        found = {**super().shown(ctx, row, level), "region": row["region_id"]}
        return {**found, "url": catalog.url(row, ctx.request.host_url)}


SERVICE, REGION, ENDPOINT = Services(), Regions(), Endpoints()


def _check_region(ctx: Context, ident: str, parent: str | None) -> None:
    """Raise an error if a region can't be in another one."""
    found, seen = parent, set[str]()
    while found is not None and found not in seen:
        seen.add(found)
        row = models.find(ctx.tx, tables.regions, found)
        if row is None:
            raise errors.not_found("region", found)
        if found == ident:
            raise BadRequest(
                f"The specified parent region {found} would create a circular region hierarchy."
            )
        found = row["parent_region_id"]
