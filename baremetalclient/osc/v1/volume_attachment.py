"""Commands that attach volumes to nodes and detach them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient.osc import argument_types
from baremetalclient.osc.command import Lister
from baremetalclient.osc.services import StorageCommand, add_attach_mode, add_volume
from baremetalclient.osc.waiting import add_wait

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from baremetalclient.boot_from_volume import Outcome
    from baremetalclient.osc.command import TableData
    from baremetalclient.osc.parser import ArgumentParser


class _VolumeCommand(StorageCommand):
    def reporter(self, failure: str, success: str) -> Callable[[Outcome], None]:
        """Return a callback that prints the outcome for a node.

        :param failure: the message of a failure, ``Failed to detach volume v from node {}``.
        :param success: the message of a success.
        """

        def report(outcome: Outcome) -> None:
            if outcome.error is not None:
                self.report_error(failure.format(outcome.node), outcome.error)
            else:
                self.print_message(success.format(outcome.node))

        return report


class AttachBaremetalVolume(_VolumeCommand):
    """Attach a volume to nodes, ready for their deployment."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the volume, the nodes, and the options of the attachment."""
        super().add_arguments(parser)
        _add_volume_and_nodes(parser)
        add_attach_mode(parser, default="rw")
        parser.add_argument(
            "--boot-index",
            metavar="<boot-index>",
            type=argument_types.non_negative_int,
            help="Boot index; the node boots from 0 (default: the first free one).",
        )
        parser.add_argument(
            "--allow-shared-write",
            action="store_true",
            help="Let several nodes write to the volume.",
        )
        add_wait(parser, "the volume is ready to be attached")

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        """Attach the volume to each node."""
        from baremetalclient import boot_from_volume
        from baremetalclient.block_storage import lookup, waiting

        storage = self.storage(parsed_args)
        volume = lookup.find_volume(storage, parsed_args.volume)
        if parsed_args.wait_timeout is not None:
            volume = waiting.wait_for_volume(
                storage,
                volume["id"],
                timeout=parsed_args.wait_timeout,
                progress=lambda status: self.report(f"Volume {parsed_args.volume} is {status!r}"),
            )
        name = parsed_args.volume
        outcomes = boot_from_volume.attach_to_all(
            self.client,
            storage,
            volume,
            parsed_args.nodes,
            mode=parsed_args.attach_mode,
            boot_index=parsed_args.boot_index,
            allow_shared_write=parsed_args.allow_shared_write,
            at_once=parsed_args.at_once,
            progress=self.reporter(
                f"Failed to attach volume {name} to node {{}}",
                f"Attached volume {name} to node {{}}",
            ),
        )
        return int(any(outcome.error for outcome in outcomes))


class DetachBaremetalVolume(_VolumeCommand):
    """Detach a volume from nodes."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the volume and the nodes."""
        super().add_arguments(parser)
        _add_volume_and_nodes(parser)

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        """Detach the volume from each node."""
        from baremetalclient import boot_from_volume
        from baremetalclient.block_storage import lookup

        storage = self.storage(parsed_args)
        volume = lookup.find_volume(storage, parsed_args.volume)
        name = parsed_args.volume
        outcomes = boot_from_volume.detach_from_all(
            self.client,
            storage,
            volume["id"],
            parsed_args.nodes,
            at_once=parsed_args.at_once,
            progress=self.reporter(
                f"Failed to detach volume {name} from node {{}}",
                f"Detached volume {name} from node {{}}",
            ),
        )
        return int(any(outcome.error for outcome in outcomes))


class ListBaremetalVolumeAttachment(StorageCommand, Lister):
    """List the volumes attached to nodes."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the filters."""
        super().add_arguments(parser)
        parser.add_argument(
            "--volume",
            metavar="<volume>",
            type=argument_types.non_empty,
            help="List only attachments of this volume (name or ID).",
        )
        parser.add_argument(
            "--node",
            metavar="<node>",
            type=argument_types.non_empty,
            help="List only attachments of this node (name or UUID).",
        )

    def take_action(self, parsed_args: argparse.Namespace) -> TableData:
        """Fetch the attachments of both services."""
        from baremetalclient.block_storage import lookup

        storage = self.storage(parsed_args)
        volume_id = None
        if parsed_args.volume is not None:
            volume_id = lookup.find_volume(storage, parsed_args.volume)["id"]
        rows = lookup.list_attached(
            self.client, storage, volume_id=volume_id, node=parsed_args.node
        )
        columns = (
            "volume_id",
            "node_uuid",
            "boot_index",
            "mode",
            "status",
            "attachment_id",
            "target_uuid",
        )
        return columns, [[getattr(row, name) for name in columns] for row in rows]


def _add_volume_and_nodes(parser: ArgumentParser) -> None:
    add_volume(parser)
    parser.add_argument(
        "nodes",
        metavar="<node>",
        nargs="+",
        type=argument_types.non_empty,
        help="Name or UUID of each node.",
    )
    parser.add_argument(
        "--at-once",
        metavar="<number>",
        type=argument_types.positive_int,
        default=8,
        help="Maximum number of nodes to work on at the same time (default: 8).",
    )
