"""Nodes in dialect ``spec``: lists are filtered by traits, nodes have a network provider."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import arguments, microversions
from fake_server.baremetal.api import network_providers, node_queries, node_schema, patches
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.handlers.nodes import NodesController
from fake_server.baremetal.errors import InvalidParameterValue

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context


def _traits(name: str, value: Any) -> list[str]:
    """Take traits separated by commas; raise InvalidParameterValue if one is empty."""
    traits = [trait.strip() for trait in (arguments.string(name, value) or "").split(",")]
    if not all(traits):
        raise InvalidParameterValue(f"The filter {name} needs traits, separated by commas.")
    return traits


_TRAIT_FILTERS: dict[str, Any] = dict.fromkeys(
    ("traits", "traits-any", "not-traits", "not-traits-any"), _traits
)


class SpecNodesController(NodesController):
    """The nodes of the service, or of one chassis."""

    @expose(
        policy="node:list",
        **node_queries.COMMON,
        **_TRAIT_FILTERS,
        fields=arguments.string_list,
        detail=arguments.boolean,
    )
    def get_all(self, ctx: Context, **query: Any) -> dict[str, Any]:
        """List nodes."""
        by_traits = _trait_filters(ctx, query)
        return network_providers.listed(self.list_nodes(ctx, _with_interfaces(query), by_traits))

    @expose(policy="node:list", action="GET", **node_queries.OF_DETAIL, **_TRAIT_FILTERS)
    def detail(self, ctx: Context, **query: Any) -> dict[str, Any]:
        """List nodes with all their fields."""
        by_traits = _trait_filters(ctx, query)
        return network_providers.listed(self.list_details(ctx, _with_interfaces(query), by_traits))

    def get_one(
        self, ctx: Context, node_ident: str, fields: list[str] | None = None
    ) -> dict[str, Any]:
        """Show a node."""
        renamed = network_providers.fields(fields)
        return network_providers.shown(super().get_one(ctx, node_ident, renamed))

    @expose(
        201,
        policy="node:create",
        body="node",
        node=arguments.chain(network_providers.taken, node_schema.new_node),
    )
    def post(self, ctx: Context, node: dict[str, Any]) -> dict[str, Any]:
        """Create a node."""
        return network_providers.shown(super().post(ctx, node))

    @expose(
        policy="node:update node:disable_cleaning",
        body="patch",
        reset_interfaces=arguments.boolean,
        patch=arguments.chain(patches.patch, network_providers.patched),
    )
    def patch(
        self,
        ctx: Context,
        node_ident: str,
        reset_interfaces: bool | None = None,
        patch: patches.Patch = (),
    ) -> dict[str, Any]:
        """Change a node."""
        changed = super().patch(ctx, node_ident, reset_interfaces, patch)
        return network_providers.shown(changed)


def _with_interfaces(query: dict[str, Any]) -> dict[str, Any]:
    """Return a query that names the network interface instead of the provider."""
    renamed = dict(query)
    if "sort_key" in query:
        renamed["sort_key"] = network_providers.field(query["sort_key"])
    if "fields" in query:
        renamed["fields"] = network_providers.fields(query["fields"])
    return renamed


def _trait_filters(ctx: Context, query: dict[str, Any]) -> dict[str, Any]:
    """Take the filters by traits out of a query; raise NotAcceptable before nodes had traits."""
    found = {name: query.pop(name) for name in _TRAIT_FILTERS if name in query}
    if found:
        ctx.require(microversions.TRAITS, microversions.NAMED)
    return found
