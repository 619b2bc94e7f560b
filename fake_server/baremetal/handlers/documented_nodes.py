"""Nodes as the document on node traits has them: lists can be narrowed by traits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import arguments, microversions
from ..errors import InvalidParameterValue
from ..handler import expose
from . import node_queries
from .nodes import NodesController

if TYPE_CHECKING:
    from ..context import Context


def _traits(name: str, value: Any) -> list[str]:
    """Take traits between commas.

    :raises InvalidParameterValue: where one is empty.
    """
    traits = [trait.strip() for trait in (arguments.string(name, value) or "").split(",")]
    if not all(traits):
        raise InvalidParameterValue(f"The filter {name} needs traits, separated by commas.")
    return traits


_TRAIT_FILTERS: dict[str, Any] = dict.fromkeys(
    ("traits", "traits-any", "not-traits", "not-traits-any"), _traits
)


class DocumentedNodesController(NodesController):
    """The nodes of the service, or of one chassis."""

    @expose(
        **node_queries.COMMON,
        **_TRAIT_FILTERS,
        fields=arguments.string_list,
        detail=arguments.boolean,
    )
    def get_all(self, ctx: Context, **query: Any) -> dict[str, Any]:
        """List nodes."""
        return self.list_nodes(ctx, query, _trait_filters(ctx, query))

    @expose(**node_queries.OF_DETAIL, **_TRAIT_FILTERS)
    def detail(self, ctx: Context, **query: Any) -> dict[str, Any]:
        """List nodes with all their fields."""
        return self.list_details(ctx, query, _trait_filters(ctx, query))


def _trait_filters(ctx: Context, query: dict[str, Any]) -> dict[str, Any]:
    """Take the filters by traits out of a query.

    :raises NotAcceptable: before nodes had traits.
    """
    found = {name: query.pop(name) for name in _TRAIT_FILTERS if name in query}
    if found:
        microversions.require(ctx.minor, microversions.TRAITS)
    return found
