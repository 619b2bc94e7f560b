"""Commands about the volumes of servers."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from baremetalclient.osc.command import Lister, NothingToDoError, table_of
from baremetalclient.osc.options import FlagOption, Option
from baremetalclient.osc.service_command import (
    ATTACH_MODE,
    SERVER,
    VOLUME,
    ComputeCommand,
    StorageCommand,
)
from baremetalclient.osc.v1 import server_columns

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from baremetalclient.compute.service import Compute
    from baremetalclient.osc.command import TableData


class _ServerVolumeCommand(ComputeCommand, StorageCommand):
    options: ClassVar[Sequence[Option]] = (SERVER, VOLUME)

    def found(self, parsed_args: argparse.Namespace) -> tuple[Compute, str, str]:
        """Return the compute service, and the ids of the server and of the volume."""
        return *self.server_id(parsed_args), self.volume_id(parsed_args, parsed_args.volume)


class AttachBaremetalServerVolume(_ServerVolumeCommand):
    """Attach a volume to a server."""

    examples = ("baremetal server volume attach web data --attach-mode ro",)
    options = (
        *_ServerVolumeCommand.options,
        ATTACH_MODE,
        Option("device", parse=str, help="Device name in the server, such as /dev/sdb."),
        Option("tag", parse=str, help="Device tag, which the server finds in its metadata."),
        FlagOption("delete_on_termination", help="Delete the volume when the server is deleted."),
    )

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        compute, server, volume = self.found(parsed_args)
        compute.attach(
            server,
            volume,
            mode=parsed_args.attach_mode,
            device=parsed_args.device,
            tag=parsed_args.tag,
            delete_on_termination=bool(parsed_args.delete_on_termination),
        )
        self.print_message(f"Attached volume {parsed_args.volume} to server {parsed_args.server}")


class DetachBaremetalServerVolume(_ServerVolumeCommand):
    """Detach a volume from a server."""

    examples = ("baremetal server volume detach web data",)

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        compute, server, volume = self.found(parsed_args)
        compute.detach(server, volume)
        self.print_message(f"Detached volume {parsed_args.volume} from server {parsed_args.server}")


class ListBaremetalServerVolume(ComputeCommand, Lister):
    """List the volumes of a server, with their attach modes."""

    examples = ("baremetal server volume list web",)
    options = (SERVER,)

    def take_action(self, parsed_args: argparse.Namespace) -> TableData:
        compute, server = self.server_id(parsed_args)
        return table_of(
            server_columns.VOLUME_COLUMNS,
            map(server_columns.attachment, compute.attachments(server)),
        )


class SetBaremetalServerVolume(_ServerVolumeCommand):
    """Replace a volume of a server, or set whether it is deleted with the server.

    The new volume is attached in the mode of the old one. To change the mode, detach the volume and
    attach it again.
    """

    examples = ("baremetal server volume set web data --delete-on-termination",)
    options = (
        *_ServerVolumeCommand.options,
        Option(
            "new_volume",
            metavar="<volume>",
            help="Volume to replace it (name or ID), of the same size or larger.",
        ),
        FlagOption(
            "delete_on_termination",
            help="Delete the volume when the server is deleted.",
            off="--preserve-on-termination",
            off_help="Keep the volume when the server is deleted.",
        ),
    )

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        deletes = parsed_args.delete_on_termination
        if deletes is None and not parsed_args.new_volume:
            raise NothingToDoError(
                "Nothing to set. Give at least one of: --new-volume, --delete-on-termination, "
                "--preserve-on-termination."
            )
        compute, server, volume = self.found(parsed_args)
        if deletes is not None:
            compute.keep_volume(server, volume, keep=not deletes)
            verb = "Deleting" if deletes else "Keeping"
            self.print_message(
                f"{verb} volume {parsed_args.volume} when server {parsed_args.server} is deleted"
            )
        if parsed_args.new_volume:
            new = self.volume_id(parsed_args, parsed_args.new_volume)
            compute.swap(server, volume, new)
            self.print_message(
                f"Replaced volume {parsed_args.volume} of server {parsed_args.server} by "
                f"{parsed_args.new_volume}"
            )
