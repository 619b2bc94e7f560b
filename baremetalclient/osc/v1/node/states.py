"""Commands about the states of nodes: power, maintenance, boot mode, secure boot and console."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from baremetalclient.osc import argument_types
from baremetalclient.osc.command import ShowOne, columns_of
from baremetalclient.osc.nodes import NodeCommand, NodesCommand, StateCommand

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.command import ItemData
    from baremetalclient.osc.parser import ArgumentParser
    from baremetalclient.v1.types import PowerTarget


class _Power(StateCommand):
    action = "request power {self.target!r} of"
    target: ClassVar[PowerTarget]
    state_field = "power_state"
    soft_help: ClassVar[str] = ""
    """The help of ``--soft``, if the command has it."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--power-timeout",
            metavar="<power-timeout>",
            type=argument_types.positive_int,
            help="Seconds after which the service gives up waiting for the power state.",
        )
        if self.soft_help:
            parser.add_argument("--soft", action="store_true", help=self.soft_help)
        else:
            parser.set_defaults(soft=False)

    def act(self, node: str, label: str, parsed_args: argparse.Namespace) -> list[str]:
        self.client.node.set_power_state(
            node, self.target, parsed_args.soft, timeout=parsed_args.power_timeout
        )
        return [f"Requested power {self.target!r} of node {label}"]


class PowerOffBaremetalNode(_Power):
    """Power nodes off."""

    examples = ("baremetal node power off node-1 --soft --wait 300",)
    target = "off"
    verb = "power off"
    destructive = True
    soft_help = "Shut the operating system down instead of cutting the power."


class PowerOnBaremetalNode(_Power):
    """Power nodes on."""

    examples = ("baremetal node power on node-1 node-2",)
    target = "on"
    verb = "power on"


class RebootBaremetalNode(_Power):
    """Reboot nodes."""

    examples = ("baremetal node reboot node-1 --soft",)
    verb = target = "reboot"
    destructive = True
    soft_help = "Reboot the operating system instead of cutting the power."


class MaintenanceSetBaremetalNode(NodesCommand):
    """Put nodes into maintenance."""

    action = "set maintenance of"
    examples = ("baremetal node maintenance set node-1 --reason 'A fan is replaced'",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--reason", metavar="<reason>", help="Reason for the maintenance.")

    def act(self, node: str, label: str, parsed_args: argparse.Namespace) -> list[str]:
        self.client.node.set_maintenance(node, True, maint_reason=parsed_args.reason)
        return [f"Set maintenance of node {label}"]


class MaintenanceUnsetBaremetalNode(NodesCommand):
    """Take nodes out of maintenance."""

    action = "unset maintenance of"
    examples = ("baremetal node maintenance unset --select 'maintenance,conductor-group=rack1'",)

    def act(self, node: str, label: str, parsed_args: argparse.Namespace) -> list[str]:
        self.client.node.set_maintenance(node, False)
        return [f"Unset maintenance of node {label}"]


class BootmodeSetBaremetalNode(NodesCommand):
    """Set the boot mode of nodes."""

    action = "set the boot mode of"
    examples = ("baremetal node boot mode set node-1 uefi",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "boot_mode",
            metavar="<boot_mode>",
            choices=("uefi", "bios"),
            help="Boot mode, 'uefi' or 'bios'.",
        )

    def act(self, node: str, label: str, parsed_args: argparse.Namespace) -> list[str]:
        self.client.node.set_boot_mode(node, parsed_args.boot_mode)
        return [f"Requested boot mode {parsed_args.boot_mode!r} of node {label}"]


class _SecureBoot(NodesCommand):
    action = "turn {self.target} secure boot of"
    target: ClassVar[str]

    def act(self, node: str, label: str, parsed_args: argparse.Namespace) -> list[str]:
        self.client.node.set_secure_boot(node, self.target)
        return [f"Requested secure boot {self.target!r} of node {label}"]


class SecurebootOffBaremetalNode(_SecureBoot):
    """Turn off secure boot of nodes."""

    examples = ("baremetal node secure boot off node-1",)
    target = "off"


class SecurebootOnBaremetalNode(_SecureBoot):
    """Turn on secure boot of nodes."""

    examples = ("baremetal node secure boot on node-1",)
    target = "on"


class _Console(NodesCommand):
    enable: ClassVar[bool]

    def act(self, node: str, label: str, parsed_args: argparse.Namespace) -> list[str]:
        self.client.node.set_console_mode(node, self.enable)
        return [f"Requested to {self.action} node {label}"]


class ConsoleDisableBaremetalNode(_Console):
    """Disable the console of nodes."""

    action = "disable the console of"
    examples = ("baremetal node console disable node-1",)
    enable = False


class ConsoleEnableBaremetalNode(_Console):
    """Enable the console of nodes."""

    action = "enable the console of"
    examples = ("baremetal node console enable node-1",)
    enable = True


class ConsoleShowBaremetalNode(NodeCommand, ShowOne):
    """Show the console of a node."""

    examples = ("baremetal node console show node-1",)

    def take_action(self, parsed_args: argparse.Namespace) -> ItemData:
        return columns_of(dict(sorted(self.client.node.get_console(parsed_args.node).items())))
