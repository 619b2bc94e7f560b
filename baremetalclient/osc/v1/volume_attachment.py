"""Commands that attach volumes to nodes and detach them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient import exc
from baremetalclient.osc import argument_types
from baremetalclient.osc.command import Lister, table_of
from baremetalclient.osc.node_command import NodesCommand
from baremetalclient.osc.options import FlagOption, Option
from baremetalclient.osc.service_command import ATTACH_MODE, VOLUME, StorageCommand
from baremetalclient.osc.terminal.progress import add_wait
from baremetalclient.osc.wait_command import NamedWaitCommand

if TYPE_CHECKING:
    import argparse
    from collections.abc import Collection, Sequence

    from baremetalclient._bulk.fetcher import Fetcher
    from baremetalclient._bulk.kinds import Kind
    from baremetalclient._bulk.listener import Target
    from baremetalclient._bulk.vocabulary import Vocabulary
    from baremetalclient.block_storage.objects import Volume
    from baremetalclient.block_storage.service import BlockStorage
    from baremetalclient.osc.command import TableData
    from baremetalclient.osc.parser import ArgumentParser


_COLUMNS = (
    "volume_id",
    "node_uuid",
    "boot_index",
    "mode",
    "status",
    "attachment_id",
    "target_uuid",
)


class _VolumeCommand(NodesCommand, StorageCommand):
    prints_results = True
    _storage: BlockStorage
    _volume: Volume

    def add_arguments(self, parser: ArgumentParser) -> None:
        VOLUME.add(parser)
        super().add_arguments(parser)
        parser.accept_spelling("--at-once", "--parallel")

    def check_targets(self, targets: Sequence[Target], parsed_args: argparse.Namespace) -> None:
        from baremetalclient.block_storage import lookup

        self._storage = self.storage(parsed_args)
        if targets:
            self._volume = lookup.find_volume(self._storage, parsed_args.volume)


class AttachBaremetalVolume(_VolumeCommand):
    """Attach a volume to nodes, ready for their deployment."""

    action = "attach volume {args.volume} to"
    options = (
        ATTACH_MODE,
        Option(
            "boot_index",
            parse=argument_types.non_negative_int,
            help="Boot index; the node boots from 0 (default: the first free one).",
        ),
        FlagOption("allow_shared_write", help="Let several nodes write to the volume."),
    )
    examples = ("baremetal volume attach root --attach-mode ro --select trait=CUSTOM_WEB",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        add_wait(parser, "the volume is ready to be attached")

    def check_targets(self, targets: Sequence[Target], parsed_args: argparse.Namespace) -> None:
        """Look up the volume, and wait for it with ``--wait``.

        :raises UsageError: if it cannot be shared by so many nodes.
        """
        from baremetalclient import boot_from_volume
        from baremetalclient._bulk.kinds import VOLUME
        from baremetalclient.block_storage import wait
        from baremetalclient.osc.terminal.printing_listener import PrintingListener

        super().check_targets(targets, parsed_args)
        if not targets:
            return
        if parsed_args.wait_timeout is not None:
            self._volume = wait.wait_for_volume(
                self._storage,
                self._volume["id"],
                timeout=parsed_args.wait_timeout,
                listener=PrintingListener(self, VOLUME.name, VOLUME.state),
            )
        try:
            boot_from_volume.check_sharing(
                self._volume,
                [target.ident for target in targets],
                parsed_args.attach_mode or "rw",
                allow_shared_write=bool(parsed_args.allow_shared_write),
            )
        except exc.ValidationError as error:
            raise exc.UsageError(str(error)) from None

    def act(self, node: str, label: str, parsed_args: argparse.Namespace) -> list[str]:
        from baremetalclient import boot_from_volume

        boot_from_volume.attach(
            self.client,
            self._storage,
            self._volume["id"],
            node,
            mode=parsed_args.attach_mode or "rw",
            boot_index=parsed_args.boot_index,
            allow_shared_write=bool(parsed_args.allow_shared_write),
        )
        return [f"Attached volume {parsed_args.volume} to node {label}"]


class DetachBaremetalVolume(_VolumeCommand):
    """Detach a volume from nodes."""

    verb = "volume detach"
    action = "detach volume {args.volume} from"
    examples = ("baremetal volume detach root node-1",)

    def act(self, node: str, label: str, parsed_args: argparse.Namespace) -> list[str]:
        from baremetalclient import boot_from_volume

        boot_from_volume.detach(self.client, self._storage, self._volume["id"], node)
        return [f"Detached volume {parsed_args.volume} from node {label}"]


class ListBaremetalVolumeAttachment(StorageCommand, Lister):
    """List the volumes attached to nodes."""

    examples = ("baremetal volume attachment list --node node-1",)
    options = (
        Option("volume", help="List only attachments of this volume (name or ID)."),
        Option("node", help="List only attachments of this node (name or UUID)."),
    )

    def take_action(self, parsed_args: argparse.Namespace) -> TableData:
        from baremetalclient import boot_from_volume

        storage = self.storage(parsed_args)
        volume_id = None
        if parsed_args.volume is not None:
            from baremetalclient.block_storage import lookup

            volume_id = lookup.find_volume(storage, parsed_args.volume)["id"]
        rows = boot_from_volume.list_attached(
            self.client, storage, volume_id=volume_id, node=parsed_args.node
        )
        return table_of(_COLUMNS, map(vars, rows))


class WaitBaremetalVolumeAttachment(StorageCommand, NamedWaitCommand):
    """Wait until conditions hold for the attachments of volumes to nodes.

    An attachment with an error status that no condition names is a failure, and so is one that is
    gone without the condition 'deleted'; the exit code is 1. It is 124 if the time is over.
    """

    examples = (
        "baremetal volume attachment wait --for status=attached --timeout 5m "
        "1a5f0d0e-6bd6-4f35-8c7e-ba30e5a8a9b1",
    )
    identifiers = "ID of the attachment, or UUID of the volume target,"

    @property
    def kind(self) -> Kind:
        from baremetalclient._bulk.kinds import ATTACHMENT

        return ATTACHMENT

    @property
    def vocabulary(self) -> Vocabulary:
        from baremetalclient._bulk.vocabulary import Vocabulary

        return Vocabulary.of_names(self.kind.name, _COLUMNS)

    def fetcher(self, parsed_args: argparse.Namespace, fields: Collection[str]) -> Fetcher:
        from baremetalclient.boot_from_volume import attachment_fetcher

        return attachment_fetcher(self.client, self.storage(parsed_args))
