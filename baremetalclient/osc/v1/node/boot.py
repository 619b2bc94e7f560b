"""Commands about what nodes boot from, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from baremetalclient.osc.command import Command, ShowOne, columns_of
from baremetalclient.osc.v1.node.crud import add_node, add_nodes

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from baremetalclient.osc.parser import ArgumentParser

BOOT_DEVICES = ("pxe", "disk", "cdrom", "bios", "safe", "wanboot")


class BootdeviceSetBaremetalNode(Command):
    """Set the boot device of nodes."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the nodes, the device, and for how long."""
        add_nodes(parser)
        parser.add_argument(
            "device",
            metavar="<device>",
            choices=BOOT_DEVICES,
            help=f"One of {', '.join(BOOT_DEVICES)}.",
        )
        parser.add_argument(
            "--persistent", action="store_true", help="For all boots, not only for the next one."
        )

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        """Set the boot device of each node."""

        def act(node: str) -> None:
            self.client.node.set_boot_device(node, parsed_args.device, parsed_args.persistent)
            self.tell(f"Set boot device {parsed_args.device!r} of node {node}")

        return self.for_each(
            parsed_args.nodes, act, doing="Failed to set the boot device of node {}"
        )


class BootdeviceShowBaremetalNode(ShowOne):
    """Show the boot device of a node."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the node."""
        add_node(parser)
        parser.add_argument(
            "--supported", action="store_true", help="Show the devices that the node can boot from."
        )

    def take_action(self, parsed_args: argparse.Namespace) -> tuple[Sequence[str], Sequence[Any]]:
        """Fetch the boot device, or those there are."""
        if not parsed_args.supported:
            return columns_of(
                dict(sorted(self.client.node.get_boot_device(parsed_args.node).items()))
            )
        devices = self.client.node.get_supported_boot_devices(parsed_args.node)
        return columns_of(
            devices | {"supported_boot_devices": ", ".join(devices["supported_boot_devices"])}
        )


class BootmodeSetBaremetalNode(Command):
    """Set the boot mode of nodes."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the nodes and the mode."""
        add_nodes(parser)
        parser.add_argument(
            "boot_mode", metavar="<boot_mode>", choices=("uefi", "bios"), help="'uefi' or 'bios'."
        )

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        """Set the boot mode of each node."""

        def act(node: str) -> None:
            self.client.node.set_boot_mode(node, parsed_args.boot_mode)
            self.tell(f"Requested boot mode {parsed_args.boot_mode!r} of node {node}")

        return self.for_each(parsed_args.nodes, act, doing="Failed to set the boot mode of node {}")


class _SecureBoot(Command):
    target: ClassVar[str]

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the nodes."""
        add_nodes(parser)

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        """Switch secure boot of each node."""

        def act(node: str) -> None:
            self.client.node.set_secure_boot(node, self.target)
            self.tell(f"Requested secure boot {self.target!r} of node {node}")

        return self.for_each(
            parsed_args.nodes, act, doing=f"Failed to switch secure boot {self.target} on node {{}}"
        )


class SecurebootOffBaremetalNode(_SecureBoot):
    """Turn secure boot off."""

    target = "off"


class SecurebootOnBaremetalNode(_SecureBoot):
    """Turn secure boot on."""

    target = "on"


class InjectNmiBaremetalNode(Command):
    """Inject a non-maskable interrupt into nodes."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the nodes."""
        add_nodes(parser)

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        """Interrupt each node."""

        def act(node: str) -> None:
            self.client.node.inject_nmi(node)
            self.tell(f"Injected an NMI into node {node}")

        return self.for_each(parsed_args.nodes, act, doing="Failed to inject an NMI into node {}")
