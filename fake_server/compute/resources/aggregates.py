"""``/os-aggregates``: hosts that belong together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, Conflict, NotFound
from fake_server.common.parsing import parse_integer
from fake_server.common.resources.action import Action
from fake_server.common.resources.declaration import Field, Level, always
from fake_server.common.rest import encode
from fake_server.common.schemas import object_schema
from fake_server.compute import microversions, views
from fake_server.compute.models import aggregates, instances
from fake_server.compute.models.aggregates import ZONE_KEY
from fake_server.compute.resources.nova_resource import NovaResource
from fake_server.compute.schemas import parts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.common.wsgi import Response
    from fake_server.compute.context import Context
    from fake_server.db.store import Record

_ZONE = {
    "anyOf": [
        {"type": "string", "minLength": 1, "maxLength": 255, "format": "zone"},
        {"type": "null"},
    ]
}
_HOST = object_schema({"host": parts.HOST}, "host")
_METADATA = {
    "type": "object",
    "patternProperties": {
        "^[a-zA-Z0-9-_:. ]{1,255}$": {"type": ["string", "null"], "maxLength": 255}
    },
    "additionalProperties": False,
}


def _add_host(ctx: Context, row: Record, details: Mapping[str, Any]) -> Response:
    host = details["host"]
    if host != ctx.session.host:
        raise NotFound(f"Compute host {host} could not be found.")
    if host in row["hosts"]:
        raise Conflict(f"Aggregate {row['number']} already has host {host}.")
    zone = row["metadata"].get(ZONE_KEY)
    others = {
        other["metadata"][ZONE_KEY]
        for other in aggregates.ROWS.fetch(ctx.tx)
        if host in other["hosts"] and ZONE_KEY in other["metadata"]
    }
    if zone is not None and others - {zone}:
        raise Conflict(
            f"Cannot add host to aggregate {row['number']}. Reason: One or more hosts already in "
            f"availability zone(s) {sorted(others)}."
        )
    placed = sum(1 for server in instances.get_all(ctx.session, None) if server["node_uuid"])
    if zone is not None and not others and placed:
        raise Conflict(
            f"Cannot add host to aggregate {row['number']}. Reason: The host cannot be added to "
            f"the aggregate as the availability zone of the host would change from 'None' to "
            f"'{zone}' but the host already has {placed} instance(s). Changing the AZ of an "
            "existing instance is not supported by this action. Move the instances away from this "
            "host then try again. If you need to move the instances between AZs then you can use "
            "shelve_offload and unshelve to achieve this.."
        )
    return _changed(ctx, row, {"hosts": [*row["hosts"], host]})


def _remove_host(ctx: Context, row: Record, details: Mapping[str, Any]) -> Response:
    host = details["host"]
    if host not in row["hosts"]:
        raise NotFound(f"Cannot remove host {host} in aggregate {row['number']}")
    return _changed(ctx, row, {"hosts": [other for other in row["hosts"] if other != host]})


def _set_metadata(ctx: Context, row: Record, details: Mapping[str, Any]) -> Response:
    metadata = details["metadata"]
    if ZONE_KEY in metadata:
        problem = f"Cannot update metadata of aggregate {row['number']}. Reason: "
        _check_zone(ctx, row, metadata[ZONE_KEY], problem)
    return _changed(ctx, row, {"metadata": _merged(row["metadata"], metadata)})


def _check_zone(ctx: Context, row: Record, zone: str | None, problem: str) -> None:
    """Raise BadRequest for a zone that an aggregate can't be in."""
    if not zone:
        raise BadRequest(
            f"{problem}Aggregate {row['name']} does not support empty named availability zone."
        )
    placed = (server for server in instances.get_all(ctx.session, None) if server["node_uuid"])
    if row["hosts"] and zone != row["metadata"].get(ZONE_KEY) and any(placed):
        raise BadRequest(f"{problem}One or more hosts contain instances in this zone.")


def _merged(metadata: Mapping[str, str], changes: Mapping[str, str | None]) -> dict[str, str]:
    """Return metadata with changes, of which null removes a key."""
    changed = {**metadata, **changes}
    return {name: value for name, value in changed.items() if value is not None}


def _changed(ctx: Context, row: Record, changes: Mapping[str, Any]) -> Response:
    row = aggregates.ROWS.change(ctx.tx, ctx.clock, row, changes)
    return encode(200, {"aggregate": AGGREGATES.shown(ctx, row, Level.DETAIL)})


class Aggregates(NovaResource):
    """Aggregates."""

    name = "aggregate"
    paths = ("/os-aggregates",)
    rows = aggregates.ROWS
    policies = {
        operation: f"os-aggregates:{policy}"
        for operation, policy in {
            "list": "index",
            "create": "create",
            "show": "show",
            "update": "update",
            "delete": "delete",
        }.items()
    }
    asks_first = True
    listed_as = Level.DETAIL
    statuses = {"delete": 200}
    fields = {
        "id": Field(of=lambda ctx, row: row["number"]),
        "uuid": Field(since=microversions.AGGREGATE_UUID, of=lambda ctx, row: row["id"]),
        "name": Field(create=parts.NAME, update=parts.NAME, required=True),
        "availability_zone": Field(
            create=_ZONE, update=_ZONE, of=lambda ctx, row: row["metadata"].get(ZONE_KEY)
        ),
        "hosts": Field(Level.DETAIL, default=[]),
        "metadata": Field(Level.DETAIL),
        "created_at": Field(of=lambda ctx, row: views.moment(row["created_at"])),
        "updated_at": Field(of=lambda ctx, row: views.moment(row["updated_at"])),
        "deleted": Field(of=always(False)),
        "deleted_at": Field(of=always(None)),
    }
    more_of_body = {
        "update": {"anyOf": [{"required": ["name"]}, {"required": ["availability_zone"]}]}
    }
    actions = {
        "add_host": Action("os-aggregates:add_host", _add_host, _HOST),
        "remove_host": Action("os-aggregates:remove_host", _remove_host, _HOST),
        "set_metadata": Action(
            "os-aggregates:set_metadata",
            _set_metadata,
            object_schema({"metadata": _METADATA}, "metadata"),
        ),
    }

    def found(
        self, ctx: Context, ident: str, policy: str | None, *, unread: bool = False
    ) -> Record:
        """Return an aggregate, which is named by its number."""
        ctx.require(str(policy))
        number = parse_integer(ident.removeprefix("-"), strict=True)
        if number is None:
            raise BadRequest("Invalid input received: id must be an integer")
        return self.rows.find(ctx.tx, f"-{number}" if ident.startswith("-") else str(number))

    def listed(self, ctx: Context) -> list[Record]:
        """Return all aggregates."""
        return self.rows.fetch(ctx.tx)

    def values(self, ctx: Context, wanted: Mapping[str, Any]) -> Record:
        """Return the columns of a new aggregate."""
        zone = wanted.get(ZONE_KEY)
        return {**super().values(ctx, wanted), "metadata": {ZONE_KEY: zone} if zone else {}}

    def change(self, ctx: Context, row: Record, wanted: Mapping[str, Any]) -> Record:
        """Rename an aggregate, or change its availability zone."""
        changes: dict[str, Any] = {"name": wanted["name"]} if "name" in wanted else {}
        if ZONE_KEY in wanted:
            problem = f"Cannot update aggregate {row['number']}. Reason: "
            _check_zone(ctx, row, wanted[ZONE_KEY], problem)
            changes["metadata"] = _merged(row["metadata"], {ZONE_KEY: wanted[ZONE_KEY]})
        return self.store(ctx, row, changes)

    def answer(self, ctx: Context, operation: str, row: Record) -> Response:
        """Return the answer; that to a new aggregate alone doesn't show all."""
        level = Level.CHANGED if operation == "create" else Level.DETAIL
        return encode(200, {"aggregate": self.shown(ctx, row, level)})

    def remove(self, ctx: Context, row: Record) -> None:
        """Remove an aggregate without hosts."""
        if row["hosts"]:
            raise BadRequest(
                f"Cannot remove host from aggregate {row['number']}. Reason: Host aggregate is not "
                "empty."
            )
        super().remove(ctx, row)


AGGREGATES = Aggregates()
