"""Bases of commands for one node, and for many nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from baremetalclient.microversion import v1
from baremetalclient.osc.action_command import ActionCommand
from baremetalclient.osc.command import Command
from baremetalclient.osc.terminal.progress import add_wait

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from baremetalclient._bulk.fetcher import Fetcher
    from baremetalclient._bulk.goal import Goal, StateGoal
    from baremetalclient._resource.resource import Item
    from baremetalclient.osc.parser import ArgumentParser
    from baremetalclient.osc.targets import Chosen


FIRST = v1(1)
"""The first version of the API."""


def add_node(parser: ArgumentParser) -> None:
    """Add the argument for one node."""
    parser.add_argument("node", metavar="<node>", help="Name or UUID of the node.")


class NodeCommand(Command):
    """A command for one node."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_node(parser)
        super().add_arguments(parser)


class NodesCommand(ActionCommand):
    """A command that does one of the :data:`.ACTIONS` with each of many nodes."""

    done: ClassVar[str] = ""
    """The message that it is done, a format like that of a failure, with the ``node``."""

    manager_name = "node"
    identifiers = "Name or UUID"
    state_field: ClassVar[str] = "provision_state"

    def add_identifier(self, parser: ArgumentParser) -> None:
        """Add nothing; the nodes are arguments of their own."""

    def arguments(self, parsed_args: argparse.Namespace) -> dict[str, Any]:
        """Return the arguments of the action."""
        return self.given(parsed_args)

    def act(self, node: str, label: str, parsed_args: argparse.Namespace) -> Sequence[str]:
        from baremetalclient.v1.node.actions import ACTIONS

        ACTIONS[self.verb](self.client.node, node, self.arguments(parsed_args))
        return [self.done.format(self=self, args=parsed_args, node=label)] if self.done else []

    def fetcher(self, fields: Sequence[str], chosen: Chosen | None = None) -> Fetcher:
        from baremetalclient.v1.node.bulk import node_fetcher

        filters = chosen.filters if chosen else None
        return node_fetcher(self.client.node, (), filters, needed=fields)


class StateCommand(NodesCommand):
    """A command that asks for another state of nodes, which ``--wait`` waits for."""

    changes_state = True

    @property
    def reached(self) -> StateGoal | None:
        """The state that the verb leads to, None if that depends on the node."""
        from baremetalclient._bulk.goal import StateGoal
        from baremetalclient.v1.node.actions import ACTIONS

        goal = ACTIONS[self.verb].goal
        return goal if isinstance(goal, StateGoal) else None

    @property
    def target_state(self) -> str | None:
        return self.reached.states[0] if self.reached else None

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        if self.reached:
            add_wait(parser, f"the node is {self.reached.description}")
        else:
            parser.set_defaults(wait_timeout=None)

    def looked_at(self, *, dry_run: bool) -> tuple[str, ...]:
        fields = self.reached.fields if self.reached else ("provision_state",)
        known = self.client.node.resource_type.by_name
        if dry_run:
            fields = (*fields, "provision_state", "maintenance", "protected", "retired")
            version = self.client.negotiated_version
        elif self.reached:
            # What all versions have, so that none has to be asked for.
            version = FIRST
        else:
            return ()
        return tuple(dict.fromkeys(name for name in fields if known[name].since <= version))

    def already(self, item: Item) -> str | None:
        if self.reached is None:
            return None
        reached = self.reached.verdict(item).outcome == "reached"
        return item.get(self.state_field) if reached else None

    def goal(self, parsed_args: argparse.Namespace) -> Goal | None:
        return None if parsed_args.wait_timeout is None else self.reached

    def limit(self, parsed_args: argparse.Namespace) -> float:
        return parsed_args.wait_timeout or 0
