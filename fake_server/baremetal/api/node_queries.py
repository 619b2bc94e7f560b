"""The arguments of a list of nodes: their versions and their conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import arguments, microversions, states
from fake_server.baremetal.errors import ApiError, InvalidParameterValue
from fake_server.baremetal.fields import Filter
from fake_server.baremetal.node_fields import NODES

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context

#: Faults that can be asked for.
_FAULTS = ("power failure", "clean failure", "rescue abort failure", "service failure")
_STATES = frozenset({*states.STABLE, *states.UNSTABLE, *states.FAILED}) | {
    states.DEPLOYHOLD,
    states.CLEANHOLD,
    states.SERVICEHOLD,
}
_CHILDREN = ("include_children", "parent_node")
#: Filters that are fields whose value a node has to have.
_FIELDS = {field.name: field.filter for field in NODES.rows if field.filter is not None}
#: Arguments that aren't such filters. Versions that some need: see :func:`check_filters`.
_OTHERS: dict[str, arguments.Converter] = {
    "chassis_uuid": arguments.uuid,
    "associated": arguments.boolean,
    "marker": arguments.uuid,
    "limit": arguments.integer,
    "sort_key": arguments.string,
    "sort_dir": arguments.string,
    "conductor": arguments.string,
    "description_contains": arguments.string,
    "project": arguments.string,
    "shard": arguments.string_list,
    "sharded": arguments.boolean,
    "include_children": arguments.boolean,
    "parent_node": arguments.string,
}
#: Parts of a path are arguments by their place, so those that Ironic has long had keep theirs.
_PLACES = [
    "chassis_uuid",
    "instance_uuid",
    "associated",
    "maintenance",
    "retired",
    "provision_state",
    "marker",
    "limit",
    "sort_key",
    "sort_dir",
    "driver",
    "resource_class",
    "fault",
    "conductor_group",
    "conductor",
    "owner",
    "description_contains",
    "lessee",
    "project",
    "shard",
    "sharded",
    "include_children",
    "parent_node",
]
_CONVERTERS = {name: item.converter for name, item in _FIELDS.items()} | _OTHERS
#: Arguments that a list and a detailed list have in common.
COMMON: dict[str, Any] = {
    name: _CONVERTERS[name] for name in dict.fromkeys([*_PLACES, *_CONVERTERS])
}
#: Arguments that aren't fields and were refused before a version; the text names it.
_SINCE = {
    "conductor": microversions.CONDUCTORS,
    "shard": microversions.SHARDS,
    "sharded": microversions.SHARDS,
}
#: A detailed list takes what concerns children as it is.
OF_DETAIL: dict[str, Any] = {
    name: arguments.as_it_is if name in ("include_children", "parent_node") else converter
    for name, converter in COMMON.items()
}
#: Those that select nodes, as :func:`~..models.nodes.conditions` knows them.
_FILTERS = frozenset(COMMON) - {"marker", "limit", "sort_key", "sort_dir", "conductor"}


def check_sort_key(ctx: Context, sort_key: str) -> None:
    """Raise NotAcceptable for a sort key that the request's version lacks."""
    ctx.require(NODES.asked.get(sort_key, 1))


def check_filters(ctx: Context, query: dict[str, Any]) -> None:
    """Raise ApiError for filters of later versions (406) and values that can't match (400)."""
    for name in COMMON:
        if query.get(name) is None:
            continue
        argument = _FIELDS.get(name) or Filter(_SINCE.get(name, 1))
        ctx.require(argument.since, argument.refusal)
        if name == "provision_state" and query[name] not in _STATES:
            raise InvalidParameterValue(f'Provision state "{query[name]}" is not valid')
        if name == "fault" and query[name] not in _FAULTS:
            raise ApiError(
                f'Unrecognized fault "{query[name]}" is specified, allowed faults are {_FAULTS}'
            )


def check_children(ctx: Context, query: dict[str, Any]) -> None:
    """Raise NotAcceptable for filters by parents in versions that have none."""
    if any(query.get(name) is not None for name in _CHILDREN):
        ctx.require(microversions.CHILD_NODES, microversions.NAMED)


def filters(query: dict[str, Any]) -> dict[str, Any]:
    """Return the filters of a query, without those that weren't given."""
    return {name: query[name] for name in query if name in _FILTERS and query[name] is not None}
