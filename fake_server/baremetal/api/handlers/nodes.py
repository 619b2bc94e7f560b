"""``/v1/nodes``: create, show, list, change and remove nodes."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import arguments, errors, microversions
from fake_server.baremetal.api import (
    listing,
    node_patches,
    node_queries,
    node_rendering,
    node_schema,
    patches,
    permissions,
)
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.handlers.allocations import NodeAllocationController
from fake_server.baremetal.api.handlers.node_hardware import (
    NodeBiosController,
    NodeFirmwareController,
    NodeInventoryController,
)
from fake_server.baremetal.api.handlers.node_history import NodeHistoryController
from fake_server.baremetal.api.handlers.node_management import NodeManagementController
from fake_server.baremetal.api.handlers.node_states import (
    NodeMaintenanceController,
    NodeStatesController,
)
from fake_server.baremetal.api.handlers.node_traits import NodeTraitsController
from fake_server.baremetal.api.handlers.node_vendor_passthru import NodeVendorPassthruController
from fake_server.baremetal.api.handlers.node_vifs import NodeVifsController
from fake_server.baremetal.api.handlers.node_vmedia import NodeVmediaController
from fake_server.baremetal.api.handlers.portgroups import PortgroupsController
from fake_server.baremetal.api.handlers.ports import PortsController
from fake_server.baremetal.api.handlers.volume import VolumeController
from fake_server.baremetal.api.lookup import find_addressed_node, find_linked_node, names_node
from fake_server.baremetal.api.resources import NodeController, open_task
from fake_server.baremetal.api.routing import Controller, Found
from fake_server.baremetal.conductor import validation
from fake_server.baremetal.models import chassis, conductors, enrolment, node_updates, nodes
from fake_server.baremetal.models.nodes import NODES
from fake_server.common.formats import is_uuid

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from fake_server.baremetal.api.context import Context

#: Addresses that weren't hidden before their first version: what is below them answers for itself.
_NOT_HIDDEN = frozenset({"volume"})


class NodeChildrenController(NodeController):
    """The nodes that have another one as their parent."""

    @expose(policy="node:get")
    def get_all(self, ctx: Context) -> dict[str, Any]:
        """List the UUIDs of the children."""
        uuid = self.node(ctx)["uuid"]
        page = listing.page(None, "id", "asc", ())
        children = NODES.fetch(
            ctx.session, page, *nodes.conditions(ctx.session, {"parent_node": uuid})
        )
        return {
            "children": [child["uuid"] for child in children],
            "links": {"href": f"{ctx.base_url}/v1/nodes?parent_node={uuid}", "rel": "children"},
        }


#: What is made for one node: controller, and the version before which the address isn't known.
BELOW_ONE_NODE: Mapping[str, tuple[Callable[[str], Controller], int]] = {
    "allocation": (NodeAllocationController, microversions.ALLOCATIONS),
    "bios": (NodeBiosController, microversions.BIOS),
    "children": (NodeChildrenController, microversions.CHILD_NODES),
    "firmware": (NodeFirmwareController, microversions.FIRMWARE),
    "history": (NodeHistoryController, microversions.HISTORY),
    "inventory": (NodeInventoryController, microversions.INVENTORY),
    "portgroups": (PortgroupsController, microversions.PORTGROUPS_OF_NODE),
    "ports": (PortsController, microversions.MINIMUM),
    "traits": (NodeTraitsController, microversions.TRAITS),
    "vifs": (NodeVifsController, microversions.VIFS),
    "vmedia": (NodeVmediaController, microversions.VMEDIA),
    "volume": (VolumeController, microversions.VOLUME),
}


class NodesController(Controller):
    """The nodes of the service, or of one chassis.

    :param of_chassis: whether it is addressed below a chassis; then it only lists.
    """

    has_lookup = True
    #: These get the node from the path as an argument.
    children: ClassVar = {
        "states": NodeStatesController(),
        "vendor_passthru": NodeVendorPassthruController(),
        "management": NodeManagementController(),
        "maintenance": NodeMaintenanceController(),
    }

    def __init__(self, *, of_chassis: bool = False) -> None:
        self.of_chassis = of_chassis

    @expose(
        policy="node:list",
        cacheable=True,
        **node_queries.COMMON,
        fields=arguments.string_list,
        detail=arguments.boolean,
    )
    def get_all(self, ctx: Context, **query: Any) -> dict[str, Any]:
        """List nodes."""
        return self.list_nodes(ctx, query, {})

    @expose(policy="node:list", action="GET", cacheable=True, **node_queries.OF_DETAIL)
    def detail(self, ctx: Context, **query: Any) -> dict[str, Any]:
        """List nodes with all their fields."""
        return self.list_details(ctx, query, {})

    def list_nodes(
        self, ctx: Context, query: dict[str, Any], by_traits: dict[str, Any]
    ) -> dict[str, Any]:
        """Answer a list.

        :param query: its converted arguments.
        :param by_traits: filters by traits, which the next page has, too.
        """
        query["project"] = permissions.check_listing(ctx, "node", query.get("project"))
        fields, detail = query.get("fields"), query.get("detail")
        node_rendering.check_version(ctx, fields)
        node_queries.check_sort_key(ctx, query.get("sort_key", "id"))
        node_queries.check_filters(ctx, query)
        node_queries.check_children(ctx, query)
        fields = listing.choose_fields(ctx, fields, detail, NODES.fields.listed)
        return self._list(ctx, query, by_traits, "nodes", fields, detail)

    def list_details(
        self, ctx: Context, query: dict[str, Any], by_traits: dict[str, Any]
    ) -> dict[str, Any]:
        """Answer a detailed list; see :meth:`list_nodes`."""
        query["project"] = permissions.check_listing(ctx, "node", query.get("project"))
        node_queries.check_filters(ctx, query)
        node_queries.check_sort_key(ctx, query.get("sort_key", "id"))
        listing.check_parent(ctx, "nodes")
        return self._list(ctx, query, by_traits, "nodes/detail", None, None)

    @expose(policy="node:get", cacheable=True)
    def get_one(
        self, ctx: Context, node_ident: str, fields: list[str] | None = None
    ) -> dict[str, Any]:
        """Show a node."""
        self._refuse_below_chassis()
        node = find_addressed_node(ctx, node_ident)
        node_rendering.check_version(ctx, fields)
        node_rendering.check_selectable(fields)
        return node_rendering.show(ctx, node, fields)

    @expose(201, policy="node:create", body="node", node=node_schema.new_node)
    def post(self, ctx: Context, node: dict[str, Any]) -> dict[str, Any]:
        """Create a node."""
        self._refuse_below_chassis()
        permissions.check_creation(ctx)
        _refuse_newer_fields(ctx, node)
        if node.get("name") is not None:
            check_names(ctx, [node["name"]], "Cannot create node with invalid name '{}'")
        early = ctx.minor < microversions.ENROLL_STATE
        node["provision_state"] = "available" if early else "enroll"
        node["owner"] = permissions.owner(ctx, "node", node.get("owner"))
        node["chassis_id"] = chassis.identify(ctx.session, node.pop("chassis_uuid", None))
        if node.get("parent_node"):
            parent = find_linked_node(ctx, node["parent_node"], node["owner"], "parent_node")
            node["parent_node"] = parent["uuid"]
        created = enrolment.create(ctx.session, node)
        ctx.location = ctx.link("nodes", created["uuid"])
        return node_rendering.show(ctx, created)

    @expose(
        policy="node:update node:disable_cleaning",
        body="patch",
        reset_interfaces=arguments.boolean,
        patch=patches.patch,
    )
    def patch(
        self,
        ctx: Context,
        node_ident: str,
        reset_interfaces: bool | None = None,
        patch: patches.Patch = (),
    ) -> dict[str, Any]:
        """Change a node."""
        if reset_interfaces is not None:
            ctx.require(microversions.RESET_INTERFACES)
        self._refuse_below_chassis()
        node_patches.check(ctx, patch, reset_interfaces=bool(reset_interfaces))
        first, *others = node_patches.policies(patch)
        node = find_addressed_node(ctx, node_ident, first)
        for policy in others:
            permissions.check(ctx, f"baremetal:node:{policy}", node)
        parent = node_patches.parent(ctx, node, patch)
        node_patches.check_state(ctx, node, node_ident, patch)
        names = patches.values(patch, "/name")
        check_names(ctx, names, f"Node {node_ident}: Cannot change name to invalid name '{{}}'")
        changes = node_patches.changes(ctx, node, patch, parent)
        changed = node_updates.update(
            ctx.session, node, changes, node_ident, reset_interfaces=bool(reset_interfaces)
        )
        return node_rendering.show(ctx, changed)

    @expose(204, policy="node:delete")
    def delete(self, ctx: Context, node_ident: str, *surplus: str) -> None:
        """Remove a node and all that belongs to it."""
        if surplus:
            raise errors.NotFound()
        self._refuse_below_chassis()
        node = find_addressed_node(ctx, node_ident)
        permissions.check_deletion(ctx, node)
        NODES.delete(ctx.session, node)

    @expose(
        policy="node:validate", action="GET", node=arguments.uuid_or_name, node_uuid=arguments.uuid
    )
    def validate(
        self, ctx: Context, node: str | None = None, node_uuid: str | None = None
    ) -> dict[str, Any]:
        """Return whether each interface of a node has what it needs."""
        if node is not None and not is_uuid(node):
            ctx.require(microversions.NODE_NAMES)
        with open_task(ctx, node_uuid or node, shared=True) as task:
            return validation.results(task)

    def lookup(self, ctx: Context, ident: str, *remainder: str) -> Found:
        """Find the controller of what is below a node."""
        if ident in BELOW_ONE_NODE:
            raise errors.RoutingError(404)
        try:
            arguments.uuid_or_name("node", ident)
        except errors.Invalid as exc:
            raise errors.RoutingError(400, str(exc)) from None
        below = BELOW_ONE_NODE.get(remainder[0]) if remainder else None
        if below is None:
            return None
        controller, since = below
        if ctx.minor < since and remainder[0] not in _NOT_HIDDEN:
            if remainder[0] == "traits":
                return None
            raise errors.RoutingError(404)
        return controller(ident), remainder[1:]

    def _refuse_below_chassis(self) -> None:
        if self.of_chassis:
            raise errors.MalformedRequestURI()

    def _list(
        self,
        ctx: Context,
        query: dict[str, Any],
        by_traits: dict[str, Any],
        resource: str,
        fields: list[str] | None,
        detail: bool | None,
    ) -> dict[str, Any]:
        if self.of_chassis and not query.get("chassis_uuid"):
            raise errors.MissingParameterValue("Chassis id not specified.")
        sort_key, sort_dir = query.get("sort_key", "id"), query.get("sort_dir", "asc")
        page = listing.page(query.get("limit"), sort_key, sort_dir, NODES.fields.unsortable)
        if query.get("marker"):
            marker = NODES.get_by_uuid(ctx.session, query["marker"])
            page = dataclasses.replace(page, marker=marker)
        node_rendering.check_listable(fields)
        conditions = nodes.conditions(ctx.session, node_queries.filters(query) | by_traits)
        rows = NODES.fetch(ctx.session, page, *conditions)
        if rows:
            node_rendering.check_selectable(fields)
        if query.get("conductor"):
            # As in Ironic, after the page was read: it may have fewer nodes than its limit.
            rows = [
                row for row in rows if conductors.host_of(ctx.session, row) == query["conductor"]
            ]
        following: dict[str, Any] = {"sort_key": sort_key, "sort_dir": sort_dir}
        for name in ("associated", "maintenance", "retired"):
            if query.get(name):
                following[name] = query[name]
        if detail is not None:
            following["detail"] = detail
        following |= {name: ",".join(traits) for name, traits in by_traits.items()}
        return listing.collection(
            ctx,
            "nodes",
            rows,
            node_rendering.show_all(ctx, rows, fields),
            0 if query.get("instance_uuid") else page.limit,
            resource,
            fields,
            **following,
        )


def check_names(ctx: Context, names: Sequence[Any], text: str) -> None:
    """Refuse names that a node can't have.

    :param text: text of the error, with ``{}`` for the name.
    :raises ApiError: 406 in versions without names, 400 for an invalid name.
    """
    if names:
        ctx.require(microversions.NODE_NAMES)
    for name in names:
        if not names_node(ctx, name) or is_uuid(name):
            raise errors.ApiError(text.format(name))
        if name in arguments.RESERVED_NAMES:
            raise errors.ApiError(
                f'The word "{name}" is reserved and can not be used as a node name. '
                f"Reserved words are: {', '.join(arguments.RESERVED_NAMES)}."
            )


def _refuse_newer_fields(ctx: Context, node: dict[str, Any]) -> None:
    for name, since in NODES.fields.asked.items():
        unset = "" if name == "conductor_group" else None
        if node.get(name, unset) != unset and not (name == "name" and node[name] is None):
            ctx.require(since)
