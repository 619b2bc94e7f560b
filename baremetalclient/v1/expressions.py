"""What expressions can say about each type of resource of the Bare Metal API."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, get_args

from baremetalclient._bulk.selection import Selection
from baremetalclient._bulk.vocabulary import Vocabulary, of_type
from baremetalclient.v1.resources import resource_type

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_NODE_ALIASES = {
    "state": "provision_state",
    "trait": "traits",
    "chassis": "chassis_uuid",
    "instance": "instance_uuid",
    "associated": "instance_uuid",
}
_NODE_FILTERS = {
    **{
        name: name
        for name in (
            *("provision_state", "resource_class", "traits", "driver", "owner", "lessee"),
            *("conductor_group", "conductor", "fault", "maintenance", "retired"),
        )
    },
    "chassis_uuid": "chassis",
    "shard": "shards",
}
_SET_FILTERS = {"maintenance": "maintenance", "retired": "retired", "instance_uuid": "associated"}


@cache
def vocabulary(manager_name: str) -> Vocabulary:
    """Return what expressions can say about a type of resource.

    :param manager_name: the name of its manager, such as ``volume_target``.
    """
    described = resource_type(manager_name)
    if manager_name == "node":
        from baremetalclient.v1.node.schema import NOT_LISTED

        return of_type(
            described,
            aliases=_NODE_ALIASES,
            values=_node_values,
            filters=_NODE_FILTERS,
            set_filters=_SET_FILTERS,
            detailed=NOT_LISTED,
        )
    has_node = "node_uuid" in described.by_name
    more: dict[str, object] = {
        "related": {"node": lambda: vocabulary("node")} if has_node else {},
        # Servers find ports by their names only from a certain version on.
        "identifiers": ("uuid",) if manager_name == "port" else ("uuid", "name"),
    }
    if manager_name == "allocation":
        more["values"] = _allocation_values
    return of_type(described, **more)


def selection(manager_name: str, expressions: Iterable[str]) -> Selection:
    """Return the selection of resources that match one of several expressions; all without any.

    :param manager_name: the name of their manager, such as ``volume_target``.
    :param expressions: see :meth:`.Expression.any_of`.
    :raises ValidationError: if one is wrong.
    """
    return Selection(expressions, vocabulary(manager_name))


def _node_values() -> Mapping[str, Sequence[str]]:
    from baremetalclient.v1 import types

    return {
        "provision_state": get_args(types.ProvisionState),
        "power_state": get_args(types.PowerState),
        "boot_mode": get_args(types.BootMode),
        "fault": get_args(types.Fault),
    }


def _allocation_values() -> Mapping[str, Sequence[str]]:
    from baremetalclient.v1 import types

    return {"state": get_args(types.AllocationState)}
