"""Commands about the states of nodes: power, maintenance, boot mode, secure boot and console."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

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
    done = "Requested power {self.target!r} of node {node}"
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

    def arguments(self, parsed_args: argparse.Namespace) -> dict[str, Any]:
        return {"soft": parsed_args.soft, "timeout": parsed_args.power_timeout}


class PowerOffBaremetalNode(_Power):
    """Power nodes off."""

    examples = ("baremetal node power off node-1 --soft --wait 300",)
    verb = "power off"
    target = "off"
    destructive = True
    soft_help = "Shut the operating system down instead of cutting the power."


class PowerOnBaremetalNode(_Power):
    """Power nodes on."""

    examples = ("baremetal node power on node-1 node-2",)
    verb = "power on"
    target = "on"


class RebootBaremetalNode(_Power):
    """Reboot nodes."""

    examples = ("baremetal node reboot node-1 --soft",)
    verb = "reboot"
    target = "reboot"
    destructive = True
    soft_help = "Reboot the operating system instead of cutting the power."


class MaintenanceSetBaremetalNode(NodesCommand):
    """Put nodes into maintenance."""

    verb = "maintenance set"
    action = "set maintenance of"
    done = "Set maintenance of node {node}"
    examples = ("baremetal node maintenance set node-1 --reason 'A fan is replaced'",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--reason", metavar="<reason>", help="Reason for the maintenance.")

    def arguments(self, parsed_args: argparse.Namespace) -> dict[str, Any]:
        return {"maint_reason": parsed_args.reason}


class MaintenanceUnsetBaremetalNode(NodesCommand):
    """Take nodes out of maintenance."""

    verb = "maintenance unset"
    action = "unset maintenance of"
    done = "Unset maintenance of node {node}"
    examples = ("baremetal node maintenance unset --select 'maintenance,conductor-group=rack1'",)


class BootmodeSetBaremetalNode(NodesCommand):
    """Set the boot mode of nodes."""

    verb = "boot mode set"
    action = "set the boot mode of"
    done = "Requested boot mode {args.boot_mode!r} of node {node}"
    examples = ("baremetal node boot mode set node-1 uefi",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "boot_mode",
            metavar="<boot_mode>",
            choices=("uefi", "bios"),
            help="Boot mode, 'uefi' or 'bios'.",
        )

    def arguments(self, parsed_args: argparse.Namespace) -> dict[str, Any]:
        return {"state": parsed_args.boot_mode}


class SecurebootOffBaremetalNode(NodesCommand):
    """Turn off secure boot of nodes."""

    verb = "secure boot off"
    action = "turn off secure boot of"
    done = "Requested secure boot 'off' of node {node}"
    examples = ("baremetal node secure boot off node-1",)


class SecurebootOnBaremetalNode(NodesCommand):
    """Turn on secure boot of nodes."""

    verb = "secure boot on"
    action = "turn on secure boot of"
    done = "Requested secure boot 'on' of node {node}"
    examples = ("baremetal node secure boot on node-1",)


class ConsoleDisableBaremetalNode(NodesCommand):
    """Disable the console of nodes."""

    verb = "console disable"
    action = "disable the console of"
    done = "Requested to disable the console of node {node}"
    examples = ("baremetal node console disable node-1",)


class ConsoleEnableBaremetalNode(NodesCommand):
    """Enable the console of nodes."""

    verb = "console enable"
    action = "enable the console of"
    done = "Requested to enable the console of node {node}"
    examples = ("baremetal node console enable node-1",)


class ConsoleShowBaremetalNode(NodeCommand, ShowOne):
    """Show the console of a node."""

    examples = ("baremetal node console show node-1",)

    def take_action(self, parsed_args: argparse.Namespace) -> ItemData:
        return columns_of(dict(sorted(self.client.node.get_console(parsed_args.node).items())))
