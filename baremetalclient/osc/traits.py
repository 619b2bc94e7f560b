"""Bases of the commands about the traits of nodes and of runbooks."""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, Any, ClassVar

from baremetalclient import exc
from baremetalclient.osc.action_command import ActionCommand
from baremetalclient.osc.options import Argument
from baremetalclient.osc.terminal.printer import PartlyDone

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.parser import ArgumentParser


class _TraitsCommand(ActionCommand):
    typed_names = False
    prints_results = True
    messages: ClassVar[tuple[str, str]]
    """The messages for a trait that failed, and for any other."""

    @property
    def manager(self) -> Any:
        """The manager of nodes or of runbooks."""
        return getattr(self.client, self.manager_name)

    def check(self, parsed_args: argparse.Namespace) -> None:
        from baremetalclient.v1 import trait_names

        for trait in parsed_args.traits:
            trait_names.check(trait)

    @abc.abstractmethod
    def act_on_trait(self, ident: str, trait: str) -> None:
        """Do it with one trait of a resource."""

    def act(self, ident: str, label: str, parsed_args: argparse.Namespace) -> list[str]:
        failure, success = self.messages
        at_node = "" if parsed_args.idents else f" ({label})"
        done, failed = [], []
        for trait in dict.fromkeys(parsed_args.traits):
            try:
                self.act_on_trait(ident, trait)
            except exc.ClientException as error:
                failed.append(f"{failure.format(trait)}: {error}")
            else:
                done.append(success.format(trait) + at_node)
        if failed:
            raise PartlyDone("; ".join(failed), done)
        return done


class AddTraits(_TraitsCommand):
    """Add traits."""

    action = "add traits to"
    messages = ("Failed to add trait {}", "Added trait {}")
    options = (Argument("traits", metavar="<trait>", parse=str, nargs="+", help="Trait to add."),)

    def act_on_trait(self, ident: str, trait: str) -> None:
        from baremetalclient.v1 import trait_names

        try:
            self.manager.add_trait(ident, trait)
        except exc.BadRequest as error:
            near = trait_names.nearest(trait)
            if not near:
                raise
            raise exc.ValidationError(f"{error} Did you mean {' or '.join(near)}?") from error


class RemoveTraits(_TraitsCommand):
    """Remove traits, or all of them."""

    action = "remove traits from"
    messages = ("Failed to remove trait {}", "Removed trait {}")

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

    def act(self, ident: str, label: str, parsed_args: argparse.Namespace) -> list[str]:
        if parsed_args.remove_all:
            self.manager.remove_all_traits(ident)
            return []
        return super().act(ident, label, parsed_args)

    def act_on_trait(self, ident: str, trait: str) -> None:
        self.manager.remove_trait(ident, trait)
