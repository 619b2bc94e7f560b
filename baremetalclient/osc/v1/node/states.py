"""Commands about the states of nodes: power, maintenance, boot mode, secure boot and console."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from baremetalclient.osc import argument_types
from baremetalclient.osc.command import ShowOne, columns_of
from baremetalclient.osc.node_command import NodeCommand, NodesCommand, StateCommand
from baremetalclient.osc.options import Argument, FlagOption, Option, words

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from baremetalclient._resource.resource import Item
    from baremetalclient.osc.command import ItemData
    from baremetalclient.v1.types import PowerTarget


class _Power(StateCommand):
    action = "request power {self.target!r} of"
    done = "Requested power {self.target!r} of node {node}"
    target: ClassVar[PowerTarget]
    state_field = "power_state"
    options: ClassVar[Sequence[Option]] = (
        Option(
            "timeout",
            flag="--power-timeout",
            parse=argument_types.positive_duration,
            help="Time after which the service stops waiting for the power state, such as 5m.",
        ),
    )


class PowerOffBaremetalNode(_Power):
    """Power nodes off."""

    examples = ("baremetal node power off node-1 --soft --wait 300",)
    verb = "power off"
    target = "off"
    options = (
        *_Power.options,
        FlagOption("soft", help="Shut the operating system down instead of cutting the power."),
    )


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
    options = (
        *_Power.options,
        FlagOption("soft", help="Reboot the operating system instead of cutting the power."),
    )

    def already(self, item: Item) -> None:
        """Return None: a node that is on is rebooted."""


class MaintenanceSetBaremetalNode(NodesCommand):
    """Put nodes into maintenance."""

    verb = "maintenance set"
    action = "set maintenance of"
    done = "Set maintenance of node {node}"
    examples = ("baremetal node maintenance set node-1 --reason 'A fan is replaced'",)
    options = (
        Option("maint_reason", flag="--reason", parse=str, help="Reason for the maintenance."),
    )


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
    done = "Requested boot mode {args.state!r} of node {node}"
    examples = ("baremetal node boot mode set node-1 uefi",)
    options = (
        Argument(
            "state",
            metavar="<boot_mode>",
            choices=words("BootMode"),
            help="Boot mode, one of {choices}.",
        ),
    )


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
