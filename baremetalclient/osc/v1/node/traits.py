"""Commands about the traits of a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient import exc
from baremetalclient.osc.command import Lister
from baremetalclient.osc.nodes import NodeCommand
from baremetalclient.v1 import trait_names

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.command import TableData
    from baremetalclient.osc.parser import ArgumentParser


class AddTraitBaremetalNode(NodeCommand):
    """Add traits to a node."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the node and the traits."""
        super().add_arguments(parser)
        parser.add_argument("traits", metavar="<trait>", nargs="+", help="Trait to add.")

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        """Add each trait; add none if one is invalid or the node would have too many."""
        node, wanted = parsed_args.node, list(dict.fromkeys(parsed_args.traits))
        for trait in wanted:
            trait_names.check(trait)
        trait_names.check_number(len(wanted))
        if len(wanted) > 1:
            trait_names.check_number(len({*self.client.node.get_traits(node), *wanted}))
        return self.for_each(
            wanted,
            lambda trait: self._add(node, trait),
            failure="Failed to add trait {}",
            success="Added trait {}",
        )

    def _add(self, node: str, trait: str) -> None:
        try:
            self.client.node.add_trait(node, trait)
        except exc.BadRequest as error:
            near = trait_names.nearest(trait)
            if not near:
                raise
            raise exc.ValidationError(f"{error} Did you mean {' or '.join(near)}?") from error


class ListTraitsBaremetalNode(NodeCommand, Lister):
    """List the traits of a node."""

    def take_action(self, parsed_args: argparse.Namespace) -> TableData:
        """Fetch the traits."""
        return ["traits"], [[trait] for trait in self.client.node.get_traits(parsed_args.node)]


class RemoveTraitBaremetalNode(NodeCommand):
    """Remove traits from a node."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the node and the traits, or all of them."""
        super().add_arguments(parser)
        group = parser.add_mutually_exclusive_group(required=True)
        group.add_argument(
            "--all", dest="remove_all", action="store_true", help="Remove all traits."
        )
        group.add_argument(
            "traits", metavar="<trait>", nargs="*", default=[], help="Trait to remove."
        )

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        """Remove each trait, or all at once."""
        if parsed_args.remove_all:
            self.client.node.remove_all_traits(parsed_args.node)
            return 0
        for trait in parsed_args.traits:
            trait_names.check(trait)
        return self.for_each(
            parsed_args.traits,
            lambda trait: self.client.node.remove_trait(parsed_args.node, trait),
            failure="Failed to remove trait {}",
            success="Removed trait {}",
        )
