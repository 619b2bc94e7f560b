"""Commands that switch nodes on and off."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from baremetalclient.osc import argument_types
from baremetalclient.osc.command import Command
from baremetalclient.osc.v1.node.crud import add_nodes
from baremetalclient.osc.waiting import add_wait, wait_for_power

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.parser import ArgumentParser


class _Power(Command):
    target: ClassVar[str]
    expected: ClassVar[str]
    """The power state in which the node arrives."""
    soft_help: ClassVar[str] = ""
    """What ``--soft`` asks for, if the command has it."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the nodes and how to switch them."""
        add_nodes(parser)
        parser.add_argument(
            "--power-timeout",
            metavar="<power-timeout>",
            type=argument_types.positive,
            help="Seconds that the service waits for the power state before it gives up.",
        )
        add_wait(parser, f"the node is {self.expected!r}")
        if self.soft_help:
            parser.add_argument("--soft", action="store_true", help=self.soft_help)
        else:
            parser.set_defaults(soft=False)

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        """Switch each node, and wait for those that accepted it if asked to."""
        accepted = []

        def act(node: str) -> None:
            self.client.node.set_power_state(
                node, self.target, parsed_args.soft, timeout=parsed_args.power_timeout
            )
            accepted.append(node)
            self.tell(f"Requested power {self.target!r} of node {node}")

        failed = self.for_each(
            parsed_args.nodes, act, doing=f"Failed to request power {self.target!r} of node {{}}"
        )
        if parsed_args.wait_timeout is None:
            return failed
        return failed | wait_for_power(self, accepted, self.expected, parsed_args.wait_timeout)


class PowerOffBaremetalNode(_Power):
    """Power nodes off."""

    target = "off"
    expected = "power off"
    soft_help = "Ask the operating system to power off."


class PowerOnBaremetalNode(_Power):
    """Power nodes on."""

    target = "on"
    expected = "power on"


class RebootBaremetalNode(_Power):
    """Reboot nodes."""

    target = "reboot"
    expected = "power on"
    soft_help = "Ask the operating system to reboot."
