"""Commands about the virtual media of a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient.osc import argument_types
from baremetalclient.osc.command import Lister
from baremetalclient.osc.nodes import NodeCommand, NodesCommand

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.command import TableData
    from baremetalclient.osc.parser import ArgumentParser

DEVICE_TYPES = ("disk", "cdrom", "floppy")
COLUMNS = ("media_types", "inserted", "image")
ALL = "all"
"""The argument to detach from all devices."""
DOWNLOAD_SOURCES = ("http", "local", "swift")


class AttachVmediaBaremetalNode(NodesCommand):
    """Attach an image to nodes as virtual media."""

    action = "attach {args.image_url} to"
    examples = ("baremetal node vmedia attach node-1 cdrom http://192.0.2.1/firmware.iso",)
    typed_names = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "device_type",
            metavar="<device-type>",
            choices=DEVICE_TYPES,
            help=f"Type of the device, one of {', '.join(DEVICE_TYPES)}.",
        )
        parser.add_argument(
            "image_url",
            metavar="<image-url>",
            type=argument_types.non_empty,
            help="URL of the image: http, https, nfs, cifs or smb.",
        )
        parser.add_argument(
            "--image-download-source",
            metavar="<source>",
            choices=DOWNLOAD_SOURCES,
            help="How the machine gets the image: 'local', from the conductor (the default of the "
            "server), 'http', from the URL itself, or 'swift'.",
        )

    def act(self, node: str, label: str, parsed_args: argparse.Namespace) -> list[str]:
        device, image = parsed_args.device_type, parsed_args.image_url
        self.client.node.vmedia_attach(node, device, image, parsed_args.image_download_source)
        return [f"Requested to attach {image} to node {label} as {device}"]


class DetachVmediaBaremetalNode(NodesCommand):
    """Detach virtual media from nodes, from all devices by default."""

    action = "detach virtual media from"
    examples = ("baremetal node vmedia detach node-1 cdrom",)
    typed_names = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "device_types",
            metavar="<device-type>",
            nargs="*",
            choices=(*DEVICE_TYPES, ALL),
            default=ALL,
            help=f"Types of the devices to detach from: {', '.join(DEVICE_TYPES)}, or {ALL}, which "
            "is the default.",
        )

    def act(self, node: str, label: str, parsed_args: argparse.Namespace) -> list[str]:
        types = None
        if ALL not in parsed_args.device_types:
            types = list(dict.fromkeys(parsed_args.device_types))
        self.client.node.vmedia_detach(node, types)
        devices = ", ".join(types) if types else "all devices"
        return [f"Requested to detach virtual media from node {label}: {devices}"]


class ListVmediaBaremetalNode(NodeCommand, Lister):
    """List the devices for virtual media of a node."""

    examples = ("baremetal node vmedia list node-1",)

    def take_action(self, parsed_args: argparse.Namespace) -> TableData:
        devices = self.client.node.vmedia_list(parsed_args.node)
        return COLUMNS, [[device.get(name, "") for name in COLUMNS] for device in devices]
