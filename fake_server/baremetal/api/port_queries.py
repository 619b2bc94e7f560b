"""The arguments of a list of ports: their versions, and the ports that they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import arguments, errors, microversions
from fake_server.baremetal.api import port_versions
from fake_server.baremetal.api.list_query import ListArgument
from fake_server.baremetal.api.lookup import find_any_node, find_portgroup
from fake_server.baremetal.models.model import of_nodes
from fake_server.baremetal.models.ports import PORTS
from fake_server.common.formats import is_uuid

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.api.context import Context
    from fake_server.baremetal.api.list_query import ListQuery
    from fake_server.baremetal.models.paging import Page
    from fake_server.db.store import Record

OF_DETAIL = {
    name: ListArgument(converter=converter)
    for name, converter in (
        ("node", arguments.uuid_or_name),
        ("node_uuid", arguments.uuid),
        ("address", arguments.mac_address),
        ("marker", arguments.uuid),
        ("limit", arguments.integer),
        ("sort_key", arguments.string),
        ("sort_dir", arguments.string),
        ("portgroup", arguments.uuid_or_name),
        ("shard", arguments.string_list),
        ("description_contains", arguments.string),
        ("conductor_groups", arguments.string_list),
    )
}
COMMON = {
    **OF_DETAIL,
    "fields": ListArgument(converter=arguments.string_list),
    "detail": ListArgument(converter=arguments.boolean),
}


def check_query(ctx: Context, query: ListQuery, filters: Mapping[str, Any]) -> None:
    """Raise NotAcceptable for sort keys and filters of later versions."""
    port_versions.check_version(ctx, [query.sort_key])
    if filters.get("portgroup"):
        ctx.require(microversions.PORTGROUPS_OF_NODE)
    if filters.get("shard") is not None:
        ctx.require(microversions.SHARDS, microversions.NAMED)


def check_node_name(ctx: Context, filters: Mapping[str, Any]) -> None:
    """Raise NotAcceptable for the name of a node in versions without names."""
    node = filters.get("node")
    if filters.get("node_uuid") or not node or is_uuid(node):
        return
    ctx.require(microversions.NODE_NAMES)


def fetch(
    ctx: Context, filters: Mapping[str, Any], project: str | None, page: Page
) -> list[Record]:
    """Return a page of ports.

    :param filters: those of the query and of the address.
    :param project: the project whose ports they are; all without it.
    """
    node = filters.get("node_uuid") or filters.get("node")
    group, address = filters.get("portgroup"), filters.get("address")
    shards, conductor_groups = filters.get("shard"), filters.get("conductor_groups")
    if sum(bool(choice) for choice in (node, group, shards)) > 1:
        raise errors.NotAuthorized("Operation not permitted.")
    if conductor_groups and (node or group or address):
        raise errors.Invalid(
            "Filtering by conductor_groups cannot be combined with node_ident, "
            "portgroup_ident, or node address filters."
        )
    if address and not (node or group):
        return PORTS.fetch_by_address(ctx.session, address, project)
    parent, columns = not (node or group), PORTS.table.c
    conditions = of_nodes(
        PORTS.table,
        node_id=find_any_node(ctx, node)["id"] if node and not group else None,
        shards=shards if parent else None,
        conductor_groups=conductor_groups if parent and not shards else None,
        project=project,
    )
    if group:
        conditions.append(columns.portgroup_id == find_portgroup(ctx, group)["id"])
    if text := filters.get("description_contains"):
        conditions.append(columns.description.like(f"%{text}%"))
    return PORTS.fetch(ctx.session, page, *conditions)
