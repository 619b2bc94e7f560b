"""The arguments of a list of nodes: what each needs and what it means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import arguments, microversions, states
from ..errors import ApiError, InvalidParameterValue, NotAcceptable
from .node_fields import SINCE

if TYPE_CHECKING:
    from ..context import Context

#: Faults that can be asked for.
_FAULTS = ("power failure", "clean failure", "rescue abort failure", "service failure")
_STATES = frozenset({*states.STABLE, *states.UNSTABLE, *states.FAILED}) | {
    states.DEPLOYHOLD,
    states.CLEANHOLD,
    states.SERVICEHOLD,
}
#: Arguments that were refused before a version; the text names it.
_SINCE = {
    "driver": microversions.DRIVER_FILTER,
    "resource_class": microversions.RESOURCE_CLASS_FILTER,
    "fault": microversions.FAULT_FILTER,
    "conductor_group": microversions.CONDUCTOR_GROUP_FILTER,
    "conductor": microversions.CONDUCTORS,
    "owner": microversions.OWNER_FILTER,
    "lessee": microversions.LESSEE_FILTER,
    "shard": microversions.SHARDS,
    "sharded": microversions.SHARDS,
}
_CHILDREN = ("include_children", "parent_node")

#: Arguments that a list and a detailed list have in common, in the order of Ironic's.
COMMON: dict[str, Any] = {
    "chassis_uuid": arguments.uuid,
    "instance_uuid": arguments.uuid,
    "associated": arguments.boolean,
    "maintenance": arguments.boolean,
    "retired": arguments.boolean,
    "provision_state": arguments.string,
    "marker": arguments.uuid,
    "limit": arguments.integer,
    "sort_key": arguments.string,
    "sort_dir": arguments.string,
    "driver": arguments.string,
    "resource_class": arguments.string,
    "fault": arguments.string,
    "conductor_group": arguments.string,
    "conductor": arguments.string,
    "owner": arguments.string,
    "description_contains": arguments.string,
    "lessee": arguments.string,
    "project": arguments.string,
    "shard": arguments.string_list,
    "sharded": arguments.boolean,
    "include_children": arguments.boolean,
    "parent_node": arguments.string,
    "instance_name": arguments.string,
}
#: A detailed list takes what concerns children as it is.
OF_DETAIL: dict[str, Any] = {
    name: arguments.as_it_is if name in ("include_children", "parent_node") else converter
    for name, converter in COMMON.items()
}
#: Those that select nodes, as :func:`~..models.nodes.fetch` knows them.
_FILTERS = frozenset(COMMON) - {
    "marker",
    "limit",
    "sort_key",
    "sort_dir",
    "conductor",
}


def check_sort_key(ctx: Context, sort_key: str) -> None:
    """Refuse to sort by a field that the request's version doesn't know.

    :raises NotAcceptable: for such a field.
    """
    if SINCE.get(sort_key, 1) > ctx.minor:
        raise NotAcceptable()


def check_filters(ctx: Context, query: dict[str, Any]) -> None:
    """Refuse filters that the request's version doesn't know, or that can't match anything.

    :raises ApiError: 406 for a version, 400 for a value.
    """
    state = query.get("provision_state")
    if state is not None:
        if ctx.minor < microversions.PROVISION_STATE_FILTER:
            raise NotAcceptable()
        if state not in _STATES:
            raise InvalidParameterValue(f'Provision state "{state}" is not valid')
    for name, since in _SINCE.items():
        if query.get(name) is not None:
            microversions.require(ctx.minor, since)
            if name == "fault" and query["fault"] not in _FAULTS:
                raise ApiError(
                    f'Unrecognized fault "{query["fault"]}" is specified, '
                    f"allowed faults are {_FAULTS}"
                )
    if query.get("instance_name") is not None and ctx.minor < microversions.INSTANCE_NAME_FILTER:
        raise NotAcceptable("instance_name is not acceptable in this API version")


def check_children(ctx: Context, query: dict[str, Any]) -> None:
    """Refuse to choose by parents before there were any.

    :raises NotAcceptable: naming the version that is needed.
    """
    if any(query.get(name) is not None for name in _CHILDREN):
        microversions.require(ctx.minor, microversions.CHILD_NODES)


def filters(query: dict[str, Any]) -> dict[str, Any]:
    """Return the filters of a query, without those that weren't given."""
    return {name: query[name] for name in query if name in _FILTERS and query[name] is not None}
