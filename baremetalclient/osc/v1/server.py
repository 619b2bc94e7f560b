"""Commands about servers, the bare metal instances of Nova."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient.osc import argument_types, progress
from baremetalclient.osc.command import Lister, ShowOne
from baremetalclient.osc.services import ComputeCommand, StorageCommand, add_attach_mode
from baremetalclient.osc.v1 import server_argument_types, server_columns, server_wait

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from baremetalclient.compute.objects import Server
    from baremetalclient.compute.service import Compute, Networks
    from baremetalclient.osc.command import ItemData, TableData
    from baremetalclient.osc.parser import ArgumentParser


class CreateBaremetalServer(ComputeCommand, StorageCommand, ShowOne):
    """Create servers on bare metal nodes."""

    examples = ("baremetal server create web --flavor gold --volume root --nic none --wait",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "name", metavar="<name>", type=argument_types.non_empty, help="Name of the server."
        )
        parser.add_argument(
            "--flavor",
            metavar="<flavor>",
            type=argument_types.non_empty,
            required=True,
            help="Flavor of the server (name or ID), with the resource class and the traits of the "
            "node.",
        )
        _add_boot_source(parser)
        parser.add_argument(
            "--nic",
            metavar="auto|none|net-id=<id>|port-id=<id>[,v4-fixed-ip=<address>][,tag=<tag>]",
            dest="nics",
            type=server_argument_types.nic,
            action="append",
            default=[],
            help="Network of the server (default: auto, the network of the project). Can be "
            "repeated.",
        )
        parser.add_argument(
            "--count",
            metavar="<number>",
            type=argument_types.positive_int,
            default=1,
            help="Number of servers to create, all of them or none (default: 1).",
        )
        parser.add_argument("--key-name", metavar="<key-name>", help="Key pair for logging in.")
        parser.add_argument(
            "--user-data",
            metavar="<file>",
            type=argument_types.read_text,
            help="File with user data for the config drive; '-' for standard input.",
        )
        parser.add_argument(
            "--config-drive",
            action="store_true",
            help="Attach a config drive even if nothing needs it.",
        )
        parser.add_argument(
            "--property",
            metavar="<key=value>",
            dest="properties",
            type=argument_types.key_value,
            action="append",
            default=[],
            help="Metadata of the server. Can be repeated.",
        )
        parser.add_argument(
            "--availability-zone", metavar="<zone>", help="Availability zone of the server."
        )
        progress.add_wait(parser, "the servers are active")

    def take_action(self, parsed_args: argparse.Namespace) -> ItemData:
        from baremetalclient.compute import lookup

        compute = self.compute(parsed_args)
        devices = self._block_devices(parsed_args)
        if not devices and not parsed_args.image:
            raise exc.CommandError(
                "Nothing to boot from. Give --volume, --image or --block-device with boot_index=0."
            )
        made = compute.create(
            parsed_args.name,
            lookup.find_flavor(compute, parsed_args.flavor)["id"],
            image_id=parsed_args.image,
            block_devices=devices,
            networks=_networks(parsed_args.nics),
            count=parsed_args.count,
            key_name=parsed_args.key_name,
            user_data=_encoded(parsed_args.user_data),
            config_drive=parsed_args.config_drive,
            metadata={key: str(value) for key, value in parsed_args.properties},
            availability_zone=parsed_args.availability_zone,
        )
        if parsed_args.wait_timeout is not None:
            ids = [server["id"] for server in made]
            made = server_wait.until_active(self, compute, ids, parsed_args.wait_timeout)
        if len(made) == 1:
            return _shown(compute, made[0])
        rows = [server_columns.summary(server) for server in made]
        columns = server_columns.COLUMNS
        return columns, [[row[name] for row in rows] for name in columns]

    def _block_devices(self, parsed_args: argparse.Namespace) -> list[dict[str, Any]]:
        devices = list(parsed_args.block_devices)
        if parsed_args.volume is not None:
            device = {
                "uuid": self.volume_id(parsed_args, parsed_args.volume),
                "source_type": "volume",
                "destination_type": "volume",
                "boot_index": 0,
            }
            if parsed_args.attach_mode is not None:
                device["attach_mode"] = parsed_args.attach_mode
            devices.insert(0, device)
        elif parsed_args.attach_mode is not None:
            raise exc.CommandError(
                "--attach-mode needs --volume; for a --block-device there is the key attach_mode."
            )
        return devices


class ListBaremetalServer(ComputeCommand, Lister):
    """List servers."""

    examples = ("baremetal server list --status ACTIVE",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--name",
            metavar="<regular-expression>",
            help="List only servers whose name matches this regular expression.",
        )
        parser.add_argument(
            "--status",
            metavar="<status>",
            help="List only servers with this status, such as ACTIVE.",
        )
        parser.add_argument(
            "--all-projects", action="store_true", help="List the servers of all projects."
        )
        parser.add_argument("--long", action="store_true", help="Show all columns.")

    def take_action(self, parsed_args: argparse.Namespace) -> TableData:
        found = self.compute(parsed_args).servers(
            name=parsed_args.name,
            status=parsed_args.status,
            all_tenants=1 if parsed_args.all_projects else None,
        )
        columns = server_columns.LONG_COLUMNS if parsed_args.long else server_columns.COLUMNS
        rows = (server_columns.summary(server) for server in found)
        return columns, [[row[name] for name in columns] for row in rows]


class ShowBaremetalServer(ComputeCommand, ShowOne):
    """Show a server, with its volumes."""

    examples = ("baremetal server show web",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        add_server(parser)

    def take_action(self, parsed_args: argparse.Namespace) -> ItemData:
        from baremetalclient.compute import lookup

        compute = self.compute(parsed_args)
        return _shown(compute, lookup.find_server(compute, parsed_args.server))


class DeleteBaremetalServer(ComputeCommand):
    """Delete servers, which makes their nodes available again."""

    examples = ("baremetal server delete web --wait",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "servers",
            metavar="<server>",
            nargs="+",
            type=argument_types.non_empty,
            help="Name or ID of each server.",
        )
        progress.add_wait(parser, "the servers are gone")

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        from baremetalclient.compute import lookup

        compute = self.compute(parsed_args)
        gone: dict[str, str] = {}

        def delete(name: str) -> None:
            gone[name] = lookup.find_server(compute, name)["id"]
            compute.delete(gone[name])

        waits = parsed_args.wait_timeout is not None
        code = self.for_each(
            parsed_args.servers,
            delete,
            failure="Failed to delete server {}",
            success="" if waits else "Deleted server {}",
        )
        if not waits:
            return code
        failed = []
        wait = server_wait.until_gone(self, compute, list(gone.values()), parsed_args.wait_timeout)
        names = {ident: name for name, ident in gone.items()}
        for ident, result in wait:
            if result.result == "done":
                self.print_message(f"Deleted server {names[ident]}")
            else:
                failed.append(replace(result, name=names[ident]))
        for message in progress.failure_messages("server", failed):
            self.print_error(message)
        return code or int(bool(failed))


def add_server(parser: ArgumentParser) -> None:
    """Add the server that a command is about."""
    parser.add_argument(
        "server",
        metavar="<server>",
        type=argument_types.non_empty,
        help="Name or ID of the server.",
    )


def _add_boot_source(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--image",
        metavar="<image-id>",
        type=argument_types.non_empty,
        help="ID of the image to boot from.",
    )
    parser.add_argument(
        "--volume",
        metavar="<volume>",
        type=argument_types.non_empty,
        help="Volume to boot from (name or ID); several servers can share a volume whose type has "
        "multiattach.",
    )
    add_attach_mode(parser)
    parser.add_argument(
        "--block-device",
        metavar="<key=value>[,<key=value>...]",
        dest="block_devices",
        type=server_argument_types.block_device,
        action="append",
        default=[],
        help="Block device of the server. Can be repeated. Keys are uuid, source_type, "
        "destination_type, boot_index, attach_mode, volume_size, volume_type, device_name, "
        "delete_on_termination, tag, guest_format, disk_bus and device_type.",
    )


def _networks(nics: Sequence[str | dict[str, Any]]) -> Networks:
    alone = [nic for nic in nics if isinstance(nic, str)]
    if alone and len(nics) > 1:
        raise exc.CommandError(f"--nic {alone[0]} cannot be combined with other networks.")
    if alone:
        return "none" if alone[0] == "none" else "auto"
    return [nic for nic in nics if isinstance(nic, dict)] or "auto"


def _encoded(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


def _shown(compute: Compute, server: Server) -> ItemData:
    shown = server_columns.details(server, compute.attachments(server["id"]))
    return tuple(shown), tuple(shown.values())
