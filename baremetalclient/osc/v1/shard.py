"""The command about shards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient.osc.command import Lister

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.command import TableData


class ListBaremetalShard(Lister):
    """List shards."""

    examples = ("baremetal shard list",)

    def take_action(self, parsed_args: argparse.Namespace) -> TableData:
        return ["name", "count"], [[shard.name, shard.count] for shard in self.client.shard.list()]
