"""The command about shards: groups of nodes for one user of the service each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient.osc.command import Lister

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence


class ListBaremetalShard(Lister):
    """List shards."""

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Sequence[Any]]]:
        """Fetch the shards."""
        return ["name", "count"], [[shard.name, shard.count] for shard in self.client.shard.list()]
