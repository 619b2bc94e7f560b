"""Commands about the management of nodes: boot devices, interrupts, checks and vendor methods."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from baremetalclient._http.redact import masked
from baremetalclient.osc.command import Lister, ShowOne, add_show_secrets, columns_of
from baremetalclient.osc.explain_hint import print_hint
from baremetalclient.osc.nodes import NodeCommand, NodesCommand
from baremetalclient.osc.passthru import COLUMNS, add_call, list_methods, to_json

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.command import ItemData, TableData
    from baremetalclient.osc.parser import ArgumentParser

BOOT_DEVICES = (
    *("pxe", "disk", "cdrom", "bios", "safe", "wanboot"),
    *("iscsiboot", "floppy", "uefihttp"),
)


class BootdeviceSetBaremetalNode(NodesCommand):
    """Set the boot device of nodes."""

    action = "set the boot device of"
    examples = ("baremetal node boot device set node-1 pxe --persistent",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "device",
            metavar="<device>",
            choices=BOOT_DEVICES,
            help=f"Boot device, one of {', '.join(BOOT_DEVICES)}.",
        )
        parser.add_argument(
            "--persistent",
            action="store_true",
            help="Use the device for all boots instead of only the next one.",
        )

    def act(self, node: str, label: str, parsed_args: argparse.Namespace) -> list[str]:
        self.client.node.set_boot_device(node, parsed_args.device, parsed_args.persistent)
        return [f"Set boot device {parsed_args.device!r} of node {label}"]


class BootdeviceShowBaremetalNode(NodeCommand, ShowOne):
    """Show the boot device of a node."""

    examples = ("baremetal node boot device show node-1 --supported",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--supported", action="store_true", help="Show the devices that the node can boot from."
        )

    def take_action(self, parsed_args: argparse.Namespace) -> ItemData:
        if not parsed_args.supported:
            found = self.client.node.get_boot_device(parsed_args.node)
            return columns_of(dict(sorted(found.items())))
        devices = self.client.node.get_supported_boot_devices(parsed_args.node)
        return columns_of(
            devices | {"supported_boot_devices": ", ".join(devices["supported_boot_devices"])}
        )


class InjectNmiBaremetalNode(NodesCommand):
    """Inject a non-maskable interrupt (NMI) into nodes."""

    action = "inject an NMI into"
    examples = ("baremetal node inject nmi node-1",)

    def act(self, node: str, label: str, parsed_args: argparse.Namespace) -> list[str]:
        self.client.node.inject_nmi(node)
        return [f"Injected an NMI into node {label}"]


class ValidateBaremetalNode(NodeCommand, Lister):
    """Validate the interfaces of a node."""

    examples = ("baremetal node validate node-1",)

    def take_action(self, parsed_args: argparse.Namespace) -> TableData:
        from baremetalclient.v1.explain.requirement_rules import is_invalid

        results = self.client.node.validate(parsed_args.node).to_dict()
        if any(map(is_invalid, results.values())):
            print_hint(self, parsed_args.node)
        return ["Interface", "Result", "Reason"], [
            [interface, result.get("result", ""), result.get("reason", "")]
            for interface, result in sorted(results.items())
        ]


class PassthruCallBaremetalNode(NodeCommand):
    """Call a vendor method of a node."""

    examples = ("baremetal node passthru call node-1 eject_vmedia --arg boot_device=cd",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        add_call(parser)
        add_show_secrets(parser)

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        response = to_json(
            self.client.node.vendor_passthru(
                parsed_args.node,
                parsed_args.method,
                http_method=parsed_args.http_method,
                args=dict(parsed_args.arg),
            )
        )
        if isinstance(response, bytes):
            response = response.decode("utf-8", "replace")
        if response is not None:
            shown = response if parsed_args.show_secrets else masked(response)
            text = shown if isinstance(shown, str) else json.dumps(shown)
            self.print_message(text)


class PassthruListBaremetalNode(NodeCommand, Lister):
    """List the vendor methods of a node."""

    examples = ("baremetal node passthru list node-1",)

    def take_action(self, parsed_args: argparse.Namespace) -> TableData:
        methods = self.client.node.get_vendor_passthru_methods(parsed_args.node)
        return tuple(COLUMNS.values()), list_methods(methods)
