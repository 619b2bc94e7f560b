"""Shards: groups of nodes, each for one consumer of the API.

API reference, section "Shards"; since version 1.82.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient._resource import manager
from baremetalclient._resource.resource import Resource
from baremetalclient._resource.schema import Field, ResourceType
from baremetalclient.microversion import v1

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions

RESOURCE_TYPE = ResourceType(
    name="shard",
    plural="shards",
    path="shards",
    list_key="shards",
    since=v1(82),
    detail=None,
    fields=(
        Field("name", "Name", sortable=False),
        Field("count", "Count", "integer", sortable=False),
    ),
    listed=("name", "count"),
    identifier="name",
)


class Shard(Resource):
    """A shard, with the number of its nodes."""

    __slots__ = ()
    resource_type = RESOURCE_TYPE

    name: str
    count: int


class ShardManager(manager.Manager[Shard]):
    """Calls for shards."""

    resource_class = Shard

    def list(self, **call: Unpack[CallOptions]) -> list[Shard]:
        """Return the shards, with the number of nodes in each."""
        return self._list({}, **call)

    def iterate(self, **options: Unpack[CallOptions]) -> Iterator[Shard]:
        """Yield all shards, holding one page of the server in memory at a time.

        :param options: the options of every call.
        """
        return self._iterate(**options)
