"""Shards: groups of nodes, each for one consumer of the API.

API reference, section "Shards"; since version 1.82.
"""

from __future__ import annotations

from baremetalclient._resource.fields import field
from baremetalclient._resource.resource import Resource
from baremetalclient._resource.schema import ResourceType
from baremetalclient.microversion import v1
from baremetalclient.v1.calls.shard import ShardCalls


class Shard(Resource):
    """A shard, with the number of its nodes."""

    __slots__ = ()
    resource_type = ResourceType(
        name="shard",
        path="shards",
        since=v1(82),
        detail=None,
        identifier="name",
        listed=("name", "count"),
    )

    name: str = field("Name of the shard.", sortable=False)
    count: int = field("Number of its nodes.", sortable=False)


class ShardManager(ShardCalls[Shard]):
    """Calls for shards."""

    resource_class = Shard
