"""The command that asks a node's interfaces whether they have what they need."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient.osc.command import Lister
from baremetalclient.osc.v1.node.crud import add_node

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from baremetalclient.osc.parser import ArgumentParser


class ValidateBaremetalNode(Lister):
    """Validate the interfaces of a node."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the node."""
        add_node(parser)

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Sequence[Any]]]:
        """Fetch what each interface says."""
        results = self.client.node.validate(parsed_args.node).to_dict()
        return ["Interface", "Result", "Reason"], [
            [interface, result.get("result", ""), result.get("reason", "")]
            for interface, result in sorted(results.items())
        ]
