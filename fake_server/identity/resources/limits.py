"""``/v3/registered_limits`` and ``/v3/limits``: quotas of all services, and those of projects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import Forbidden
from fake_server.common.resources.declaration import both
from fake_server.common.rest import decode, encode
from fake_server.identity import errors, models, schemas, tables, targets
from fake_server.identity.resources.keystone_resource import KeystoneResource, policies

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.common.guarded_routes import GuardedRoutes
    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record
    from fake_server.identity.context import Context

#: Roles that see all limits.
_SEE_LIMITS = frozenset(("admin", "service"))
_UUID = {**schemas.TEXT, "format": "uuid"}
_NUMBER = {"type": "integer", "minimum": -1, "maximum": 0x7FFFFFFF}
_SAME = ("service_id", "region_id", "resource_name")
_LIMITED = {
    "service_id": both(_UUID, required=True),
    "region_id": both(schemas.ID),
    "resource_name": both(schemas.name(255), required=True),
    "description": both(schemas.OPTIONAL_TEXT),
}


class _Limits(KeystoneResource):
    """What limits have in common: several are created at once."""

    fixed = {}
    extra = False

    def create(self, ctx: Context) -> Response:
        """Create several, or none if one can't be."""
        given = errors.required(decode(ctx.request), self.plural)
        if not isinstance(given, list) or not given:
            raise errors.malformed(f"Expecting to find {self.plural} in request body.")
        for position, values in enumerate(given):
            if problem := self.checker("create", 0).best(values):
                raise errors.invalid(problem, str(position))
        ctx.require(f"create_{self.plural}", {})
        made = [self.shown(ctx, self.make(ctx, values)) for values in given]
        return encode(201, {self.plural: made})

    def prepare(self, ctx: Context, row: Record) -> None:
        """Raise an error for a limit of what there isn't, or for one more of the same."""
        if models.find(ctx.tx, tables.services, row["service_id"]) is None:
            raise errors.not_found("service", row["service_id"])
        if models.first(ctx.tx, self.table, **self.same(ctx, row)) is not None:
            raise errors.conflict(self.name, "Duplicate entry")

    def same(self, ctx: Context, row: Record) -> dict[str, Any]:
        """Return the columns that no two have alike."""
        return {name: row[name] for name in _SAME}


class RegisteredLimits(_Limits):
    """Limits of whoever has none of their own."""

    name = "registered_limit"
    table = tables.registered_limits
    policies = {**policies("registered_limit"), "create": "create_registered_limits"}
    filters = _SAME
    fields = {**_LIMITED, "default_limit": both(_NUMBER, required=True)}

    def check_change(self, ctx: Context, row: Record, changes: Record) -> None:
        """Raise Forbidden if projects have limits of their own."""
        self.check_deletion(ctx, row)

    def check_deletion(self, ctx: Context, row: Record) -> None:
        """Raise Forbidden if projects have limits of their own."""
        if models.first(ctx.tx, tables.limits, **self.same(ctx, row)) is not None:
            raise Forbidden(
                f"Unable to update or delete registered limit {row['id']} because there are "
                "project limits associated with it."
            )


class Limits(_Limits):
    """Limits of projects and domains."""

    name = "limit"
    table = tables.limits
    policies = {**policies("limit"), "create": "create_limits"}
    filters = (*_SAME, "project_id", "domain_id")
    known_first = ("update", "delete")
    fields = {
        **_LIMITED,
        "resource_limit": both(_NUMBER, required=True),
        "project_id": both(_UUID),
        "domain_id": both(_UUID),
    }

    def same(self, ctx: Context, row: Record) -> dict[str, Any]:
        """Return the columns that no two have alike; raise Forbidden without a registered limit."""
        same = super().same(ctx, row)
        if models.first(ctx.tx, tables.registered_limits, **same) is None:
            raise Forbidden("Unable to create a limit that has no corresponding registered limit.")
        return {**same, **{name: row[name] for name in ("project_id", "domain_id")}}

    def target(self, ctx: Context, row: Record | None) -> dict[str, Any]:
        """Return what policies know of a limit: the project and the domain that it is of, too."""
        found = super().target(ctx, row)
        for name in ("project", "domain") if row is not None else ():
            ident = (row or {})[f"{name}_id"]
            place = ident and models.find(ctx.tx, tables.projects, ident)
            found |= {
                f"{part.replace('target', 'target.limit')}": value
                for part, value in targets.of(**{name: place or None}).items()
            }
        return found

    def narrowed(self, ctx: Context, rows: list[Record]) -> list[Record]:
        """Return the limits that the client sees."""
        return [row for row in rows if _sees(ctx, row)]

    def add_to(self, routes: GuardedRoutes[Any]) -> None:
        """Add how limits are enforced."""
        routes.add("GET", "/v3/limits/model", "get_limit_model")(self.show_model)

    def show_model(self, ctx: Context) -> Response:
        """Tell how limits are enforced."""
        ctx.require("get_limit_model", {})
        text = (
            "Limit enforcement and validation does not take project hierarchy into consideration."
        )
        return encode(200, {"model": {"name": "flat", "description": text}})


def _sees(ctx: Context, row: Mapping[str, Any]) -> bool:
    """Return whether the client sees a limit in lists."""
    caller = ctx.caller
    if caller.system or not caller.roles.isdisjoint(_SEE_LIMITS):
        return True
    if caller.domain_id is None:
        return caller.project_id is not None and caller.project_id == row["project_id"]
    project = row["project_id"] and models.find(ctx.tx, tables.projects, row["project_id"])
    return bool(caller.domain_id == (project or row)["domain_id"])


REGISTERED_LIMIT, LIMIT = RegisteredLimits(), Limits()
