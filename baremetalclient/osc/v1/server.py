"""Commands about servers, the bare metal instances of Nova."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient.osc import argument_types
from baremetalclient.osc.command import Lister, ShowOne, columns_of, table_of
from baremetalclient.osc.options import Argument, FlagOption, KeyValueOption, Option, RepeatedOption
from baremetalclient.osc.service_command import ATTACH_MODE, SERVER, ComputeCommand, StorageCommand
from baremetalclient.osc.terminal import progress
from baremetalclient.osc.terminal.interrupts import TIME_OVER
from baremetalclient.osc.v1 import server_argument_types, server_columns

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
    options = (
        Argument("name", help="Name of the server."),
        Option(
            "flavor",
            required=True,
            help="Flavor of the server (name or ID), with the resource class and the traits of the "
            "node.",
        ),
        Option("image", metavar="<image-id>", help="ID of the image to boot from."),
        Option(
            "volume",
            help="Volume to boot from (name or ID); several servers can share a volume whose type "
            "has multiattach.",
        ),
        RepeatedOption(
            "block_device",
            metavar="<key=value>[,<key=value>...]",
            parse=server_argument_types.block_device,
            help="Block device of the server, with the keys "
            f"{', '.join(server_argument_types.BLOCK_DEVICE_KEYS)}.",
        ),
        RepeatedOption(
            "nic",
            metavar="auto|none|net-id=<id>|port-id=<id>[,v4-fixed-ip=<address>][,tag=<tag>]",
            parse=server_argument_types.nic,
            help="Network of the server (default: auto, the network of the project).",
        ),
        Option(
            "count",
            metavar="<number>",
            parse=argument_types.positive_int,
            help="Number of servers to create, all of them or none (default: 1).",
        ),
        Option("key_name", parse=str, help="Key pair for logging in."),
        Option(
            "user_data",
            metavar="<file>",
            parse=argument_types.read_text,
            help="File with user data for the config drive; '-' for standard input.",
        ),
        KeyValueOption("property", help="Metadata of the server."),
        Option(
            "availability_zone",
            metavar="<zone>",
            parse=str,
            help="Availability zone of the server.",
        ),
        ATTACH_MODE,
        FlagOption("config_drive", help="Attach a config drive even if nothing needs it."),
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        progress.add_wait(parser, "the servers are active")

    def take_action(self, parsed_args: argparse.Namespace) -> ItemData:
        from baremetalclient.compute import lookup

        compute = self.compute(parsed_args)
        devices, user_data = self._block_devices(parsed_args), parsed_args.user_data
        if not devices and not parsed_args.image:
            raise exc.CommandError(
                "Nothing to boot from. Give --volume, --image or --block-device with boot_index=0."
            )
        made = compute.create(
            parsed_args.name,
            lookup.find_flavor(compute, parsed_args.flavor)["id"],
            image_id=parsed_args.image,
            block_devices=devices,
            networks=_networks(parsed_args.nic or ()),
            count=parsed_args.count or 1,
            key_name=parsed_args.key_name,
            user_data=None if user_data is None else user_data.encode(),
            config_drive=bool(parsed_args.config_drive),
            metadata={key: str(value) for key, value in parsed_args.property or ()},
            availability_zone=parsed_args.availability_zone,
        )
        if parsed_args.wait_timeout is not None:
            from baremetalclient.osc.v1.server_wait import until_active

            ids = [server["id"] for server in made]
            made = until_active(self, compute, ids, parsed_args.wait_timeout)
        if len(made) == 1:
            return _shown(compute, made[0])
        rows = [server_columns.summary(server) for server in made]
        columns = server_columns.COLUMNS
        return columns, [[row[name] for row in rows] for name in columns]

    def _block_devices(self, parsed_args: argparse.Namespace) -> list[dict[str, Any]]:
        devices = list(parsed_args.block_device or ())
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
    options = (
        Option(
            "name",
            metavar="<regular-expression>",
            parse=str,
            help="List only servers whose name matches this regular expression.",
        ),
        Option("status", parse=str, help="List only servers with this status, such as ACTIVE."),
        FlagOption("all_projects", help="List the servers of all projects."),
        FlagOption("long", help="Show all columns."),
    )

    def take_action(self, parsed_args: argparse.Namespace) -> TableData:
        found = self.compute(parsed_args).servers(
            name=parsed_args.name,
            status=parsed_args.status,
            all_tenants=1 if parsed_args.all_projects else None,
        )
        columns = server_columns.LONG_COLUMNS if parsed_args.long else server_columns.COLUMNS
        return table_of(columns, map(server_columns.summary, found))


class ShowBaremetalServer(ComputeCommand, ShowOne):
    """Show a server, with its volumes."""

    examples = ("baremetal server show web",)
    options = (SERVER,)

    def take_action(self, parsed_args: argparse.Namespace) -> ItemData:
        from baremetalclient.compute import lookup

        compute = self.compute(parsed_args)
        return _shown(compute, lookup.find_server(compute, parsed_args.server))


class DeleteBaremetalServer(ComputeCommand):
    """Delete servers, which makes their nodes available again."""

    examples = ("baremetal server delete web --wait",)
    options = (
        Argument("servers", metavar="<server>", nargs="+", help="Name or ID of each server."),
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        progress.add_wait(parser, "the servers are gone")

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        from baremetalclient.compute import lookup

        compute = self.compute(parsed_args)
        waits = parsed_args.wait_timeout is not None
        names: dict[str, str] = {}
        code = 0
        for name in dict.fromkeys(parsed_args.servers):
            try:
                ident = lookup.find_server(compute, name)["id"]
                compute.delete(ident)
            except exc.ClientException as error:
                self.report_error(f"Failed to delete server {name}", error)
                code = 1
            else:
                names[ident] = name
                if not waits:
                    self.print_message(f"Deleted server {name}")
        if not waits:
            return code
        from baremetalclient.osc.v1.server_wait import until_gone

        failed = []
        wait = until_gone(self, compute, list(names), parsed_args.wait_timeout)
        for ident, result in wait:
            if result.result == "done":
                self.print_message(f"Deleted server {names[ident]}")
            else:
                failed.append(replace(result, name=names[ident]))
        for message in progress.failure_messages("server", failed):
            self.print_error(message)
        if code or not failed:
            return code
        return TIME_OVER if all(one.result == "timeout" for one in failed) else 1


def _networks(nics: Sequence[str | dict[str, Any]]) -> Networks:
    alone = [nic for nic in nics if isinstance(nic, str)]
    if alone and len(nics) > 1:
        raise exc.CommandError(f"--nic {alone[0]} cannot be combined with other networks.")
    if alone:
        return "none" if alone[0] == "none" else "auto"
    return [nic for nic in nics if isinstance(nic, dict)] or "auto"


def _shown(compute: Compute, server: Server) -> ItemData:
    return columns_of(server_columns.details(server, compute.attachments(server["id"])))
