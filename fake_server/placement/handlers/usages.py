"""The usages of a provider, and of a project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.errors import BadRequest
from fake_server.common.rest import Routes
from fake_server.placement import microversions
from fake_server.placement.models import allocations, inventories, providers

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record
    from fake_server.placement.context import Context, Handler

ROUTES: Routes[Handler] = Routes()


@ROUTES.add("GET", "/resource_providers/{uuid}/usages")
def of_provider(ctx: Context, uuid: str) -> Response:
    """Show how much of a provider is used."""
    ctx.permit("resource_providers:usages")
    row = providers.find_as(ctx.tx, uuid, "No resource provider with uuid {} found")
    return ctx.shown(
        {
            "resource_provider_generation": row["generation"],
            "usages": inventories.usages(ctx.tx, uuid),
        }
    )


@ROUTES.add("GET", "/usages")
def of_project(ctx: Context) -> Response:
    """Show how much a project uses."""
    ctx.since(microversions.USAGES)
    typed = ctx.minor >= microversions.CONSUMER_TYPES
    ctx.only("project_id", "user_id", *(["consumer_type"] if typed else []))
    project = ctx.one_of("project_id")
    if not project:
        raise BadRequest("Invalid query string parameters: 'project_id' is a required property")
    ctx.permit("usages", own_project=project)
    kind = ctx.one_of("consumer_type")
    rows = allocations.of_project(ctx.tx, project, ctx.one_of("user_id"), kind)
    if not typed:
        return ctx.shown({"usages": _added(rows)})
    by_kind: dict[str, list[Record]] = {}
    for row in rows:
        by_kind.setdefault("all" if kind == "all" else row["kind"], []).append(row)
    shown = {
        name: {**_added(of_kind), "consumer_count": len({row["consumer_uuid"] for row in of_kind})}
        for name, of_kind in by_kind.items()
    }
    return ctx.shown({"usages": shown})


def _added(rows: list[Record]) -> dict[str, int]:
    """Return how much there is of each class."""
    used: dict[str, int] = {}
    for row in rows:
        used[row["resource_class"]] = used.get(row["resource_class"], 0) + row["used"]
    return used
