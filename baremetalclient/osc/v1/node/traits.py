"""Commands about the traits of a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient import exc
from baremetalclient.osc.command import Lister, PartlyDone
from baremetalclient.osc.nodes import NodeCommand, NodesCommand

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from baremetalclient.osc.command import TableData
    from baremetalclient.osc.parser import ArgumentParser


class _TraitsCommand(NodesCommand):
    typed_names = False
    prints_results = True

    def each(
        self,
        label: str,
        parsed_args: argparse.Namespace,
        act: Callable[[str], object],
        *,
        failure: str,
        success: str,
    ) -> list[str]:
        """Call a function for each trait, and return the messages that it is done.

        :param label: the name of the node in messages.
        :param act: the function.
        :param failure: the message for a trait that failed, ``Failed to add trait {}``.
        :param success: the message for any other trait, ``Added trait {}``.
        :raises PartlyDone: if it failed for any of the traits.
        """
        at_node = "" if parsed_args.idents else f" ({label})"
        done, failed = [], []
        for trait in dict.fromkeys(parsed_args.traits):
            try:
                act(trait)
            except exc.ClientException as error:
                failed.append(f"{failure.format(trait)}: {error}")
            else:
                done.append(success.format(trait) + at_node)
        if failed:
            raise PartlyDone("; ".join(failed), done)
        return done


class AddTraitBaremetalNode(_TraitsCommand):
    """Add traits to nodes."""

    action = "add traits to"
    examples = ("baremetal node trait add --select resource-class=gold CUSTOM_GOLD",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("traits", metavar="<trait>", nargs="+", help="Trait to add.")

    def check(self, parsed_args: argparse.Namespace) -> None:
        from baremetalclient.v1 import trait_names

        for trait in parsed_args.traits:
            trait_names.check(trait)
        trait_names.check_number(len(set(parsed_args.traits)))

    def act(self, node: str, label: str, parsed_args: argparse.Namespace) -> list[str]:
        """Add each trait; add none if the node would have too many."""
        from baremetalclient.v1 import trait_names

        wanted = set(parsed_args.traits)
        if len(wanted) > 1:
            trait_names.check_number(len({*self.client.node.get_traits(node), *wanted}))
        return self.each(
            label,
            parsed_args,
            lambda trait: self._add(node, trait),
            failure="Failed to add trait {}",
            success="Added trait {}",
        )

    def _add(self, node: str, trait: str) -> None:
        from baremetalclient.v1 import trait_names

        try:
            self.client.node.add_trait(node, trait)
        except exc.BadRequest as error:
            near = trait_names.nearest(trait)
            if not near:
                raise
            raise exc.ValidationError(f"{error} Did you mean {' or '.join(near)}?") from error


class ListTraitsBaremetalNode(NodeCommand, Lister):
    """List the traits of a node."""

    examples = ("baremetal node trait list node-1",)

    def take_action(self, parsed_args: argparse.Namespace) -> TableData:
        return ["traits"], [[trait] for trait in self.client.node.get_traits(parsed_args.node)]


class RemoveTraitBaremetalNode(_TraitsCommand):
    """Remove traits from nodes."""

    action = "remove traits from"
    examples = ("baremetal node trait remove node-1 CUSTOM_GPU",)

    # ``--all`` means all traits here.
    everything = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        group = parser.add_mutually_exclusive_group(required=True)
        group.add_argument(
            "--all", dest="remove_all", action="store_true", help="Remove all traits."
        )
        group.add_argument(
            "traits", metavar="<trait>", nargs="*", default=[], help="Trait to remove."
        )

    def check(self, parsed_args: argparse.Namespace) -> None:
        from baremetalclient.v1 import trait_names

        for trait in parsed_args.traits:
            trait_names.check(trait)

    def act(self, node: str, label: str, parsed_args: argparse.Namespace) -> list[str]:
        if parsed_args.remove_all:
            self.client.node.remove_all_traits(node)
            return []
        return self.each(
            label,
            parsed_args,
            lambda trait: self.client.node.remove_trait(node, trait),
            failure="Failed to remove trait {}",
            success="Removed trait {}",
        )
