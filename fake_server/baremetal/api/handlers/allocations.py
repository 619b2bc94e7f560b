"""``/v1/allocations`` and ``/v1/nodes/{node}/allocation``: allocations."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import arguments, errors, microversions
from fake_server.baremetal.api import list_query, listing, patches, permissions
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.list_query import ListArgument, ListQuery
from fake_server.baremetal.api.lookup import addressed, find_any_node, find_named, find_node
from fake_server.baremetal.api.resources import NodeController, ResourceController
from fake_server.baremetal.api.trait_schemas import trait_schema
from fake_server.baremetal.arguments import (
    SORT_DIRECTION,
    UUID_OR_NAME,
    UUID_TEXT,
    ArgumentChecker,
    checked,
    fields_schema,
)
from fake_server.baremetal.conductor import allocations as allocating
from fake_server.baremetal.models import conductors, nodes
from fake_server.baremetal.models.allocations import ALLOCATIONS
from fake_server.baremetal.models.model import changes as changed_columns
from fake_server.common.schemas import Schema, object_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from fake_server.baremetal.api.context import Context
    from fake_server.db.store import Record

_PATCHABLE = ("name", "extra")


_FIELDS = [name for name in ALLOCATIONS.fields.names() if name != "owner"]
_TEXT = {"type": ["string", "null"]}


def _fields(*more: str) -> Schema:
    """Return the schema of the argument ``fields``.

    :param more: fields that only newer versions have.
    """
    return {"fields": fields_schema([*_FIELDS, *more])}


_LIST = {
    "node": ListArgument(UUID_OR_NAME),
    "resource_class": ListArgument({"type": "string"}),
    "state": ListArgument({"type": "string"}),
    "marker": ListArgument(UUID_TEXT),
    "limit": list_query.PAGE["limit"],
    "sort_key": ListArgument({"type": "string"}),
    "sort_dir": ListArgument(SORT_DIRECTION),
    "fields": ListArgument(_fields()["fields"], arguments.string_list),
    "owner": ListArgument({"type": "string"}),
}
#: The same from the version on that shows owners.
_LIST_WITH_OWNER = {
    **_LIST,
    "fields": ListArgument(_fields("owner")["fields"], arguments.string_list),
}


def _body(**more: Any) -> Schema:
    return ALLOCATIONS.fields.schema(
        candidate_nodes={"type": ["array", "null"], "items": UUID_OR_NAME},
        traits={"type": ["array", "null"], "items": trait_schema()},
        **more,
    )


_ALLOCATION = ArgumentChecker(lambda: _body(node=_TEXT))
_OLDER_ALLOCATION = ArgumentChecker(_body)
_PATCH = ArgumentChecker(
    {
        "type": "array",
        "items": object_schema(
            {
                "op": {"enum": ["add", "replace", "remove"]},
                "path": {"type": "string"},
                "value": {"type": ["string", "object", "null", "integer", "boolean"]},
            },
            "op",
            "path",
        ),
    }
)
_PATCHED = arguments.chain(
    checked(object_schema({"uuid": _TEXT, "name": _TEXT, "extra": {"type": ["object", "null"]}})),
    arguments.mapping(uuid=arguments.uuid),
)


class AllocationsController(ResourceController):
    """All allocations."""

    model = ALLOCATIONS
    path = "allocations"
    since = microversions.ALLOCATIONS
    closed = "allocations"

    @expose(
        policy="allocation:list",
        listed={0: _LIST, microversions.ALLOCATION_OWNER: _LIST_WITH_OWNER},
    )
    def get_all(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List allocations."""
        owner = query.filters.get("owner")
        own = permissions.check_listing(ctx, "allocation", owner)
        _check_owner_known(ctx, query.fields or ())
        if owner is not None:
            ctx.require(microversions.ALLOCATION_OWNER)
        page = self.page(ctx, query)
        node_id = self._node_id(ctx, query.filters.get("node"))
        filters = {name: query.filters.get(name) for name in ("resource_class", "state")}
        filters["owner"] = own
        for name in ("resource_class", "owner"):
            if node_id is not None and filters[name] is not None:
                raise errors.Invalid(f"Allocations can't be listed by node and {name} at once.")
        filters["node_id"] = node_id
        columns = ALLOCATIONS.table.c
        wanted = [columns[name] == value for name, value in filters.items() if value is not None]
        rows = ALLOCATIONS.fetch(ctx.session, page, *wanted)
        for row in rows:
            permissions.check(ctx, "baremetal:allocation:get", row)
        return listing.answer(ctx, self.path, rows, self.show, page, query.fields, None)

    @expose(
        policy="allocation:get",
        query={
            0: object_schema(_fields()),
            microversions.ALLOCATION_OWNER: object_schema(_fields("owner")),
        },
    )
    def get_one(
        self, ctx: Context, allocation_ident: str, fields: list[str] | None = None
    ) -> dict[str, Any]:
        """Show an allocation."""
        found = _find(ctx, allocation_ident)
        _check_owner_known(ctx, fields or ())
        return listing.chosen(self.show(ctx, found), fields)

    @expose(
        201,
        policy="allocation:create",
        body="allocation",
        body_schema={0: _OLDER_ALLOCATION, microversions.ALLOCATION_BACKFILL: _ALLOCATION},
    )
    def post(self, ctx: Context, allocation: dict[str, Any]) -> dict[str, Any]:
        """Create an allocation; its node is looked for afterwards."""
        _authorize(ctx, allocation)
        name = allocation.get("name")
        if name and not arguments.is_logical_name(name):
            raise errors.Invalid(f"Cannot create allocation with invalid name '{name}'")
        allocation["owner"] = _owner(ctx, allocation)
        ident = allocation.pop("node", None)
        node = _find_or_refuse(ctx, partial(find_node, policy="get"), ident) if ident else None
        if not allocation.get("resource_class"):
            if node is None:
                raise errors.Invalid("The resource_class field is mandatory when not backfilling")
            allocation["resource_class"] = node["resource_class"]
        if allocation.get("candidate_nodes"):
            allocation["candidate_nodes"] = _candidates(ctx, allocation["candidate_nodes"])
        if node is not None and not allocation.get("uuid"):
            allocation["uuid"] = node["instance_uuid"]
        if node is None:
            conductors.require_any(ctx.session)
        else:
            conductors.require(ctx.session, node)
        created = ALLOCATIONS.create(ctx.session, allocation)
        ctx.location = ctx.link("allocations", created["uuid"])
        if node is not None:
            return self.show(ctx, allocating.backfill(ctx.session, created, node))
        allocating.request(ctx.session, created)
        return self.show(ctx, created)

    @expose(
        policy="allocation:update",
        since=microversions.ALLOCATION_UPDATE,
        closed="updating allocations",
        body="patch",
        body_schema=_PATCH,
    )
    def patch(self, ctx: Context, allocation_ident: str, patch: patches.Patch) -> dict[str, Any]:
        """Change an allocation."""
        found = _find(ctx, allocation_ident)
        permissions.check(ctx, owned=found)
        for operation in patch:
            if not operation["path"].startswith("/"):
                raise errors.Invalid(
                    f"The path {operation['path']} of a patch has to start with a slash."
                )
        patches.check_fields(ctx, patch, _PATCHABLE)
        for name in patches.values(patch, "/name"):
            if name and not arguments.is_logical_name(name):
                raise errors.Invalid(f"Cannot update allocation with invalid name '{name}'")
        document = ALLOCATIONS.document(found)
        patched = patches.apply(document, patch)
        settable = {name: patched[name] for name in ("uuid", *_PATCHABLE) if name in patched}
        _PATCHED("patch", settable)
        changes = changed_columns(ALLOCATIONS.table, document, settable, _PATCHABLE)
        return self.show(ctx, ALLOCATIONS.update(ctx.session, found, changes))

    @expose(204, policy="allocation:delete")
    def delete(self, ctx: Context, allocation_ident: str) -> None:
        """Remove an allocation and free its node."""
        found = _find(ctx, allocation_ident)
        permissions.check(ctx, owned=found)
        allocating.deallocate(ctx.session, found)

    def _node_id(self, ctx: Context, ident: str | None) -> int | None:
        """Return the ``id`` of the node that a list is about; callers of the system can't ask."""
        caller = ctx.request.caller
        if not ident or (caller is not None and caller.system):
            return None
        return int(_find_for_list(ctx, ident)["id"])


class NodeAllocationController(NodeController):
    """The allocation of a node."""

    @expose(policy="allocation:get")
    def get_all(self, ctx: Context, fields: list[str] | None = None) -> dict[str, Any]:
        """Show the allocation."""
        found = self._given(ctx, _find_for_list(ctx, self.node_ident))
        permissions.check(ctx, "baremetal:allocation:get", found)
        return listing.chosen(AllocationsController().show(ctx, found), fields)

    @expose(204, policy="allocation:delete")
    def delete(self, ctx: Context) -> None:
        """Remove the allocation and free the node."""
        found = self._given(ctx, find_node(ctx, self.node_ident, "get"))
        permissions.check(ctx, owned=found)
        allocating.deallocate(ctx.session, found)

    def _given(self, ctx: Context, node: Record) -> Record:
        found = ALLOCATIONS.find(ctx.session, node_id=node["id"])
        if found is None:
            raise errors.NotFound(f"Allocation for node {self.node_ident} was not found")
        return found


def _find(ctx: Context, ident: str) -> Record:
    """Return the allocation that the last segment of a path names; raise NotFound to strangers."""
    found = addressed(ctx, ident, partial(find_named, ALLOCATIONS))
    if not permissions.permits(ctx, "baremetal:allocation:get", found):
        raise ALLOCATIONS.missing(ident)
    return found


def _check_owner_known(ctx: Context, fields: Collection[str]) -> None:
    if "owner" in fields:
        ctx.require(microversions.ALLOCATION_OWNER)


def _authorize(ctx: Context, allocation: dict[str, Any]) -> None:
    """Refuse to create an allocation to those who may not."""
    try:
        permissions.check(ctx, "baremetal:allocation:create")
        _check_owner_known(ctx, allocation)
    except errors.HTTPForbidden:
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
        raise errors.NotAuthorized(
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
        text = f"Nodes cannot be found: {', '.join(missing)}"
        raise errors.NodeNotFound(text).with_code(400)
    return [found[ident] for ident in idents]


def _find_for_list(ctx: Context, ident: str) -> Record:
    """Return the node whose allocation is wanted; raise NotFound if the caller may not see it."""
    node = _find_or_refuse(ctx, find_any_node, ident)
    if not permissions.permits(ctx, "baremetal:node:get", node):
        raise errors.NotFound()
    return node


def _find_or_refuse(ctx: Context, find: Callable[[Context, str], Record], ident: str) -> Record:
    """Return the node that a request names, refusing the request if there is none."""
    try:
        return find(ctx, ident)
    except errors.NodeNotFound as exc:
        raise exc.with_code(400) from None
