"""``/v1/allocations`` and ``/v1/nodes/{node}/allocation``: allocations."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import arguments, microversions, tables
from fake_server.baremetal.api import listing, patches, permissions
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.handlers import allocation_schemas
from fake_server.baremetal.api.list_query import ListQuery, expose_list
from fake_server.baremetal.api.lookup import find_allocation, find_any_node, find_node
from fake_server.baremetal.api.routing import Controller
from fake_server.baremetal.conductor import allocations as allocating
from fake_server.baremetal.errors import (
    HTTPForbidden,
    Invalid,
    NodeNotFound,
    NotAcceptable,
    NotAuthorized,
    NotFound,
    RoutingError,
)
from fake_server.baremetal.models import allocations, conductors, node_resources, nodes
from fake_server.baremetal.resource_fields import ALLOCATIONS
from fake_server.common.schemas import object_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from fake_server.baremetal.api.context import Context
    from fake_server.db.store import Record

_PATCHABLE = ("name", "extra")
_CLOSED = "The API version does not allow allocations"
_HIDDEN = RoutingError(404, _CLOSED)
_REFUSED = RoutingError(405, _CLOSED)
_NO_UPDATES = RoutingError(405, "The API version does not allow updating allocations")


class AllocationsController(Controller):
    """All allocations."""

    @expose_list(
        allocation_schemas.LIST,
        later={microversions.ALLOCATION_OWNER: allocation_schemas.LIST_WITH_OWNER},
        since=microversions.ALLOCATIONS,
        closed=_HIDDEN,
    )
    def get_all(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List allocations."""
        owner = query.filters.get("owner")
        own = permissions.check_listing(ctx, "allocation", owner)
        _check_owner_known(ctx, query.fields or ())
        if owner is not None and ctx.minor < microversions.ALLOCATION_OWNER:
            raise NotAcceptable()
        page = query.page(partial(allocations.get_by_uuid, ctx.session), ALLOCATIONS.unsortable)
        node_id = self._node_id(ctx, query.filters.get("node"))
        filters = {name: query.filters.get(name) for name in ("resource_class", "state")}
        filters["owner"] = own
        for name in ("resource_class", "owner"):
            if node_id is not None and filters[name] is not None:
                raise Invalid(f"Allocations can't be listed by node and {name} at once.")
        rows = allocations.fetch(
            ctx.session,
            page,
            node_id,
            {name: value for name, value in filters.items() if value is not None},
        )
        for row in rows:
            permissions.check(ctx, "baremetal:allocation:get", row)
        return listing.answer(ctx, "allocations", rows, _show, page, query.fields, None)

    @expose(
        since=microversions.ALLOCATIONS,
        closed=_HIDDEN,
        query=object_schema(allocation_schemas.fields()),
        later_query={
            microversions.ALLOCATION_OWNER: object_schema(allocation_schemas.fields("owner"))
        },
        fields=arguments.string_list,
    )
    def get_one(
        self, ctx: Context, allocation_ident: str, fields: list[str] | None = None
    ) -> dict[str, Any]:
        """Show an allocation."""
        found = find_allocation(ctx, allocation_ident)
        _check_owner_known(ctx, fields or ())
        return listing.chosen(_show(ctx, found), fields)

    @expose(
        201,
        since=microversions.ALLOCATIONS,
        closed=_REFUSED,
        body="allocation",
        body_schema=allocation_schemas.OLDER_ALLOCATION,
        later_body_schema={microversions.ALLOCATION_BACKFILL: allocation_schemas.ALLOCATION},
    )
    def post(self, ctx: Context, allocation: dict[str, Any]) -> dict[str, Any]:
        """Create an allocation; its node is looked for afterwards."""
        _authorize(ctx, allocation)
        name = allocation.get("name")
        if name and not arguments.is_logical_name(name):
            raise Invalid(f"Cannot create allocation with invalid name '{name}'")
        allocation["owner"] = _owner(ctx, allocation)
        ident = allocation.pop("node", None)
        node = _find_or_refuse(ctx, find_node, ident) if ident else None
        if not allocation.get("resource_class"):
            if node is None:
                raise Invalid("The resource_class field is mandatory when not backfilling")
            allocation["resource_class"] = node["resource_class"]
        if allocation.get("candidate_nodes"):
            allocation["candidate_nodes"] = _candidates(ctx, allocation["candidate_nodes"])
        if node is not None and not allocation.get("uuid"):
            allocation["uuid"] = node["instance_uuid"]
        if node is None:
            conductors.require_any(ctx.session)
        else:
            conductors.require(ctx.session, node)
        created = allocations.create(ctx.session, allocation)
        ctx.location = ctx.link("allocations", created["uuid"])
        if node is not None:
            return _show(ctx, allocating.backfill(ctx.session, created, node))
        allocating.request(ctx.session, created)
        return _show(ctx, created)

    @expose(
        since=microversions.ALLOCATION_UPDATE,
        closed=_NO_UPDATES,
        body="patch",
        body_schema=allocation_schemas.PATCH,
    )
    def patch(self, ctx: Context, allocation_ident: str, patch: patches.Patch) -> dict[str, Any]:
        """Change an allocation."""
        found = find_allocation(ctx, allocation_ident)
        permissions.check(ctx, "baremetal:allocation:update", found)
        for operation in patch:
            if not operation["path"].startswith("/"):
                raise Invalid(f"The path {operation['path']} of a patch has to start with a slash.")
        patches.check_fields(ctx, patch, _PATCHABLE)
        for name in patches.values(patch, "/name"):
            if name and not arguments.is_logical_name(name):
                raise Invalid(f"Cannot update allocation with invalid name '{name}'")
        document = node_resources.as_document(tables.allocations, found)
        patched = patches.apply(document, patch)
        settable = {name: patched[name] for name in ("uuid", *_PATCHABLE) if name in patched}
        allocation_schemas.PATCHED("patch", settable)
        changes = node_resources.changes(tables.allocations, document, settable, _PATCHABLE)
        return _show(ctx, allocations.update(ctx.session, found, changes))

    @expose(204, since=microversions.ALLOCATIONS, closed=_REFUSED)
    def delete(self, ctx: Context, allocation_ident: str) -> None:
        """Remove an allocation and free its node."""
        found = find_allocation(ctx, allocation_ident)
        permissions.check(ctx, "baremetal:allocation:delete", found)
        allocating.deallocate(ctx.session, found)

    def _node_id(self, ctx: Context, ident: str | None) -> int | None:
        """Return the ``id`` of the node that a list is about; callers of the system can't ask."""
        caller = ctx.request.caller
        if not ident or (caller is not None and caller.system):
            return None
        return int(_find_for_list(ctx, ident)["id"])


class NodeAllocationController(Controller):
    """The allocation of a node."""

    def __init__(self, node_ident: str) -> None:
        self.node_ident = node_ident

    @expose(fields=arguments.string_list)
    def get_all(self, ctx: Context, fields: list[str] | None = None) -> dict[str, Any]:
        """Show the allocation."""
        found = allocations.of_node(ctx.session, _find_for_list(ctx, self.node_ident))
        if found is None:
            raise self._not_found()
        permissions.check(ctx, "baremetal:allocation:get", found)
        return listing.chosen(_show(ctx, found), fields)

    @expose(204)
    def delete(self, ctx: Context) -> None:
        """Remove the allocation and free the node."""
        found = allocations.of_node(ctx.session, find_node(ctx, self.node_ident))
        if found is None:
            raise self._not_found()
        permissions.check(ctx, "baremetal:allocation:delete", found)
        allocating.deallocate(ctx.session, found)

    def _not_found(self) -> NotFound:
        return NotFound(f"Allocation for node {self.node_ident} was not found")


def _show(ctx: Context, allocation: Record) -> dict[str, Any]:
    shown = {
        **listing.identity(allocation),
        **ALLOCATIONS.shown(allocation),
        "links": ctx.links("allocations", allocation["uuid"]),
    }
    return {name: shown[name] for name in shown if ALLOCATIONS.since.get(name, 1) <= ctx.minor}


def _check_owner_known(ctx: Context, fields: Collection[str]) -> None:
    if "owner" in fields and ctx.minor < microversions.ALLOCATION_OWNER:
        raise NotAcceptable()


def _authorize(ctx: Context, allocation: dict[str, Any]) -> None:
    """Refuse to create an allocation to those who may not."""
    try:
        permissions.check(ctx, "baremetal:allocation:create")
        _check_owner_known(ctx, allocation)
    except HTTPForbidden:
        project, owner = permissions.project_id(ctx), allocation.get("owner")
        if project and owner and project != owner:
            raise
        permissions.check(ctx, "baremetal:allocation:create_restricted")


def _owner(ctx: Context, allocation: dict[str, Any]) -> str | None:
    """Return the project that will own a new allocation.

    :raises NotAuthorized: if the caller requests another one than it may have.
    """
    wanted: str | None = allocation.get("owner")
    caller = ctx.request.caller
    if caller is not None and caller.system:
        return wanted
    project = permissions.project_id(ctx)
    if not wanted:
        return project
    may_choose = permissions.permits(ctx, "baremetal:allocation:create_restricted")
    if wanted != project and not may_choose:
        raise NotAuthorized(
            f"Cannot create allocation with an owner Project ID value {wanted} not matching the "
            f"requester Project ID {project}. Policy baremetal:allocation:create_restricted is "
            "required for this capability."
        )
    return wanted


def _candidates(ctx: Context, idents: list[str]) -> list[str]:
    """Return the UUIDs of candidate nodes; raise NodeNotFound with status 400 for unknown ones."""
    anyones = permissions.permits(ctx, "baremetal:allocation:create_restricted")
    project = None if anyones else permissions.project_id(ctx)
    found = nodes.uuids(ctx.session, idents, project)
    missing = [ident for ident in dict.fromkeys(idents) if ident not in found]
    if missing:
        error = NodeNotFound(f"Nodes cannot be found: {', '.join(missing)}")
        error.code = 400
        raise error
    return [found[ident] for ident in idents]


def _find_for_list(ctx: Context, ident: str) -> Record:
    """Return the node whose allocation is wanted; raise NotFound if the caller may not see it."""
    node = _find_or_refuse(ctx, find_any_node, ident)
    if not permissions.permits(ctx, "baremetal:node:get", node):
        raise NotFound()
    return node


def _find_or_refuse(ctx: Context, find: Callable[[Context, str], Record], ident: str) -> Record:
    """Return the node that a request names, refusing the request if there is none."""
    try:
        return find(ctx, ident)
    except NodeNotFound as exc:
        exc.code = 400
        raise
