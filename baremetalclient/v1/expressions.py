"""What expressions can say about each type of resource of the Bare Metal API."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from baremetalclient._bulk.selection import Selection
from baremetalclient._bulk.vocabulary import Vocabulary, of_type

if TYPE_CHECKING:
    from collections.abc import Iterable

    from baremetalclient._resource.schema import ResourceType

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
def vocabulary(described: ResourceType) -> Vocabulary:
    """Return what expressions can say about a type of resource.

    :param described: its description.
    """
    if described.name == "node":
        return replace(
            of_type(described),
            aliases=_NODE_ALIASES,
            filters=_NODE_FILTERS,
            set_filters=_SET_FILTERS,
            detailed=described.only_detailed,
        )
    found = of_type(described, {"node": _of_nodes} if "node_uuid" in described.by_name else None)
    # Servers find ports by their names only from a certain version on.
    return replace(found, identifiers=("uuid",)) if described.name == "port" else found


def _of_nodes() -> Vocabulary:
    from baremetalclient.v1.node_fields import Node

    return vocabulary(Node.resource_type)


def selection(described: ResourceType, expressions: Iterable[str]) -> Selection:
    """Return the selection of resources that match one of several expressions; all without any.

    :param described: the description of their type.
    :param expressions: see :meth:`.Expression.any_of`.
    :raises ValidationError: if one is wrong.
    """
    return Selection(expressions, vocabulary(described))
