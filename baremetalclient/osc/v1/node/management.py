"""Commands about the management of nodes.

They are about boot devices, interrupts, checks, vendor methods, indicators and virtual media.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from baremetalclient._http.redact import masked
from baremetalclient.osc.command import Lister, ShowOne, columns_of, table_of
from baremetalclient.osc.node_command import NodeCommand, NodesCommand
from baremetalclient.osc.options import SHOW_SECRETS, Argument, FlagOption, Option, words
from baremetalclient.osc.passthru import CALL, COLUMNS, list_methods, to_json
from baremetalclient.osc.terminal.progress import print_hint

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.command import ItemData, TableData
    from baremetalclient.osc.parser import ArgumentParser

INDICATOR_COLUMNS = ("name", "component", "readonly", "states")
VMEDIA_COLUMNS = ("media_types", "inserted", "image")
ALL_DEVICES = "all"
"""The argument to detach from all devices."""
_DEVICE_TYPES = words("VirtualMediaDevice")
_INDICATOR = Argument(
    "indicator", help="Name of the indicator with its component, such as 'led-0@chassis'."
)


class BootdeviceSetBaremetalNode(NodesCommand):
    """Set the boot device of nodes."""

    verb = "boot device set"
    action = "set the boot device of"
    done = "Set boot device {args.boot_device!r} of node {node}"
    examples = ("baremetal node boot device set node-1 pxe --persistent",)
    options = (
        Argument(
            "boot_device",
            metavar="<device>",
            choices=words("BootDevice"),
            help="Boot device, one of {choices}.",
        ),
        FlagOption("persistent", help="Use the device for all boots instead of only the next one."),
    )


class BootdeviceShowBaremetalNode(NodeCommand, ShowOne):
    """Show the boot device of a node."""

    examples = ("baremetal node boot device show node-1 --supported",)
    options = (FlagOption("supported", help="Show the devices that the node can boot from."),)

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

    verb = "inject nmi"
    action = "inject an NMI into"
    done = "Injected an NMI into node {node}"
    examples = ("baremetal node inject nmi node-1",)


class ValidateBaremetalNode(NodeCommand, Lister):
    """Validate the interfaces of a node."""

    examples = ("baremetal node validate node-1",)

    def take_action(self, parsed_args: argparse.Namespace) -> TableData:
        from baremetalclient.v1.explain.requirement_rules import is_invalid

        results = self.client.node.validate(parsed_args.node).to_dict()
        if any(map(is_invalid, results.values())):
            print_hint(self, "node", parsed_args.node)
        return ["Interface", "Result", "Reason"], [
            [interface, result.get("result", ""), result.get("reason", "")]
            for interface, result in sorted(results.items())
        ]


class PassthruCallBaremetalNode(NodeCommand):
    """Call a vendor method of a node."""

    examples = (
        "baremetal node passthru call node-1 create_subscription --arg Destination=https://example.com/events",
    )
    options = CALL

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        SHOW_SECRETS.add(parser)

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        given = {"http_method": "POST", **self.given(parsed_args)}
        response = to_json(self.client.node.vendor_passthru(parsed_args.node, **given))
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
        return tuple(COLUMNS.values()), table_of(tuple(COLUMNS), list_methods(methods))[1]


class ListIndicatorBaremetalNode(NodeCommand, Lister):
    """List the indicators of a node."""

    examples = ("baremetal node indicator list node-1",)

    def take_action(self, parsed_args: argparse.Namespace) -> TableData:
        indicators = self.client.node.list_indicators(parsed_args.node)
        return table_of(INDICATOR_COLUMNS, indicators)


class SetIndicatorBaremetalNode(NodesCommand):
    """Switch an indicator of nodes."""

    action = "set indicator {args.indicator} of"
    examples = ("baremetal node indicator set node-1 1:d1@disk on",)
    typed_names = False

    options = (
        _INDICATOR,
        Argument(
            "state",
            choices=words("IndicatorState"),
            help="State to set, one of {choices}.",
        ),
    )

    def act(self, node: str, label: str, parsed_args: argparse.Namespace) -> list[str]:
        name, state = parsed_args.indicator, parsed_args.state
        self.client.node.set_indicator_state(node, name, state)
        return [f"Set indicator {name} of node {label} to {state!r}"]


class ShowIndicatorBaremetalNode(NodeCommand, ShowOne):
    """Show the state of an indicator of a node."""

    examples = ("baremetal node indicator show node-1 1:d1@disk",)
    options = (_INDICATOR,)

    def take_action(self, parsed_args: argparse.Namespace) -> ItemData:
        found = self.client.node.get_indicator_state(parsed_args.node, parsed_args.indicator)
        return columns_of(dict(found))


class AttachVmediaBaremetalNode(NodesCommand):
    """Attach an image to nodes as virtual media."""

    verb = "vmedia attach"
    action = "attach {args.image_url} to"
    done = "Requested to attach {args.image_url} to node {node} as {args.device_type}"
    examples = ("baremetal node vmedia attach node-1 cdrom http://192.0.2.1/firmware.iso",)
    typed_names = False

    options = (
        Argument(
            "device_type",
            choices=_DEVICE_TYPES,
            help="Type of the device, one of {choices}.",
        ),
        Argument("image_url", help="URL of the image: http, https, nfs, cifs or smb."),
        Option(
            "image_download_source",
            metavar="<source>",
            choices=words("ImageDownloadSource"),
            help="How the machine gets the image: 'local', from the conductor (the default of the "
            "server), 'http', from the URL itself, or 'swift'.",
        ),
    )


class DetachVmediaBaremetalNode(NodesCommand):
    """Detach virtual media from nodes, from all devices by default."""

    action = "detach virtual media from"
    examples = ("baremetal node vmedia detach node-1 cdrom",)
    typed_names = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        types = _DEVICE_TYPES()
        parser.add_argument(
            "device_types",
            metavar="<device-type>",
            nargs="*",
            choices=(*types, ALL_DEVICES),
            default=ALL_DEVICES,
            help=f"Types of the devices to detach from: {', '.join(types)}, or "
            f"{ALL_DEVICES}, which is the default.",
        )

    def act(self, node: str, label: str, parsed_args: argparse.Namespace) -> list[str]:
        types = None
        if ALL_DEVICES not in parsed_args.device_types:
            types = list(dict.fromkeys(parsed_args.device_types))
        self.client.node.vmedia_detach(node, types)
        devices = ", ".join(types) if types else "all devices"
        return [f"Requested to detach virtual media from node {label}: {devices}"]


class ListVmediaBaremetalNode(NodeCommand, Lister):
    """List the devices for virtual media of a node."""

    examples = ("baremetal node vmedia list node-1",)

    def take_action(self, parsed_args: argparse.Namespace) -> TableData:
        return table_of(VMEDIA_COLUMNS, self.client.node.vmedia_list(parsed_args.node))
