"""Commands that switch nodes on and off."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from baremetalclient.osc import words
from baremetalclient.osc.command import Command
from baremetalclient.osc.v1.node import add_nodes

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.parser import ArgumentParser


class _Power(Command):
    target: ClassVar[str]
    soft_help: ClassVar[str] = ""
    """What ``--soft`` asks for, if the command has it."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the nodes and how to switch them."""
        add_nodes(parser)
        parser.add_argument(
            "--power-timeout",
            metavar="<power-timeout>",
            type=words.positive,
            help="Seconds that the service waits for the power state before it gives up.",
        )
        if self.soft_help:
            parser.add_argument("--soft", action="store_true", help=self.soft_help)
        else:
            parser.set_defaults(soft=False)

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        """Switch each node."""

        def act(node: str) -> None:
            self.client.node.set_power_state(
                node, self.target, parsed_args.soft, timeout=parsed_args.power_timeout
            )
            self.tell(f"Requested power {self.target!r} of node {node}")

        return self.for_each(
            parsed_args.nodes, act, doing=f"Failed to request power {self.target!r} of node {{}}"
        )


class PowerOffBaremetalNode(_Power):
    """Power nodes off."""

    target = "off"
    soft_help = "Ask the operating system to power off."


class PowerOnBaremetalNode(_Power):
    """Power nodes on."""

    target = "on"


class RebootBaremetalNode(_Power):
    """Reboot nodes."""

    target = "reboot"
    soft_help = "Ask the operating system to reboot."
