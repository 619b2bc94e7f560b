"""Bases of commands for one node, and for many nodes."""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, ClassVar

from baremetalclient import exc
from baremetalclient.osc import argument_types
from baremetalclient.osc.command import Command
from baremetalclient.osc.node_sources import add_sources, choose, verb_of
from baremetalclient.osc.reports import add_report
from baremetalclient.osc.waiting import add_wait

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from baremetalclient.osc.parser import ArgumentParser
    from baremetalclient.v1.node.acting import Target
    from baremetalclient.v1.node.goals import Goal


def add_node(parser: ArgumentParser) -> None:
    """Add the argument for one node."""
    parser.add_argument("node", metavar="<node>", help="Name or UUID of the node.")


def add_bounds(parser: ArgumentParser, parallel: int = 10) -> None:
    """Add how many requests run at a time, and when to stop after failures.

    :param parser: the parser of the command's arguments.
    :param parallel: the default for the number of requests.
    """
    parser.add_argument(
        "--parallel",
        metavar="<number>",
        type=argument_types.positive_int,
        default=parallel,
        help=f"Maximum number of requests at a time (default: {parallel}).",
    )
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--on-error",
        choices=("continue", "stop"),
        default="continue",
        help="After a failure, go on with the others or start nothing more (default: continue).",
    )
    group.add_argument(
        "--max-failures",
        metavar="<number>",
        type=argument_types.positive_int,
        help="Start nothing more after this number of failures.",
    )


def max_failures(parsed_args: argparse.Namespace) -> int | None:
    """Return the number of failures after which nothing more is started, None for no limit."""
    most: int | None = 1 if parsed_args.on_error == "stop" else parsed_args.max_failures
    return most


class PartlyDone(exc.CommandError):
    """An action failed for a node after a part of it was done.

    :param message: why.
    :param done: the messages about what was done.
    """

    def __init__(self, message: str, done: Sequence[str]) -> None:
        super().__init__(message)
        self.done = done


class NodeCommand(Command):
    """A command for one node."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the node."""
        super().add_arguments(parser)
        add_node(parser)


class NodesCommand(Command):
    """A command that does the same with each of many nodes."""

    typed_names: ClassVar[bool] = True
    """Whether several nodes can be typed out, instead of one."""
    all_nodes: ClassVar[bool] = True
    """Whether ``--all`` means all nodes."""
    destructive: ClassVar[bool] = False
    """Whether it needs confirmation for several nodes that were not named."""
    prints_results: ClassVar[bool] = False
    """Whether the messages go to stdout, instead of being progress on stderr."""
    changes_state: ClassVar[bool] = False
    """Whether it requests another state of nodes."""
    state_field: ClassVar[str] = "provision_state"
    """The field for the state in reports."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the nodes, and how to act on them."""
        super().add_arguments(parser)
        add_sources(parser, several=self.typed_names, all_nodes=self.all_nodes)
        add_bounds(parser)
        add_report(parser)
        if self.destructive:
            from baremetalclient.osc.asking import add_yes

            add_yes(parser)

    @abc.abstractmethod
    def action(self, parsed_args: argparse.Namespace) -> str:
        """Return the name of the action in the message of a failure, such as ``inject an NMI``."""

    @abc.abstractmethod
    def act(self, node: str, label: str, parsed_args: argparse.Namespace) -> Sequence[str]:
        """Do the action with a node, and return the messages that it is done.

        It is called in several threads at a time.

        :param node: the UUID or name.
        :param label: the name of the node in messages.
        :param parsed_args: the arguments of the command.
        """

    def check(self, parsed_args: argparse.Namespace) -> None:
        """Raise an exception for arguments that contradict each other, before anything is sent."""

    def check_targets(self, targets: Sequence[Target], parsed_args: argparse.Namespace) -> None:
        """Raise an exception for nodes that the action cannot be done with."""

    def goal(self, parsed_args: argparse.Namespace) -> Goal | None:
        """Return what to wait for, None not to wait."""
        return None

    def limit(self, parsed_args: argparse.Namespace) -> float:
        """Return the maximum seconds for everything, 0 for no limit."""
        return 0

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        """Do the action with each node; return the exit code."""
        from baremetalclient.osc import fleet
        from baremetalclient.osc.reports import Report

        report = Report(self, parsed_args)
        self.check(parsed_args)
        chosen = choose(self, parsed_args)
        self.check_targets(chosen.targets, parsed_args)
        if self.destructive and not chosen.typed and len(chosen.targets) > 1:
            from baremetalclient.osc.asking import confirm

            names = [target.label for target in chosen.targets]
            if not confirm(self, parsed_args, verb_of(self), names):
                return 1
        return fleet.act_on_all(self, chosen, parsed_args, report)


class StateCommand(NodesCommand):
    """A command that brings nodes into a state, which ``--wait`` waits for."""

    @property
    @abc.abstractmethod
    def state_goal(self) -> Goal:
        """What ``--wait`` waits for."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the nodes, how to act on them, and ``--wait``."""
        super().add_arguments(parser)
        add_wait(parser, f"the node is {self.state_goal.description}")

    def goal(self, parsed_args: argparse.Namespace) -> Goal | None:
        """Return the state that ``--wait`` waits for."""
        return None if parsed_args.wait_timeout is None else self.state_goal

    def limit(self, parsed_args: argparse.Namespace) -> float:
        """Return the seconds of ``--wait``."""
        return parsed_args.wait_timeout or 0


def refuse_several(targets: Sequence[Target], reason: str) -> None:
    """Raise UsageError if there is more than one node.

    :param targets: the nodes.
    :param reason: why there has to be one, ``One VIF cannot be attached to``.
    """
    if len(targets) > 1:
        raise exc.UsageError(f"{reason} {len(targets)} nodes. Name one.")
