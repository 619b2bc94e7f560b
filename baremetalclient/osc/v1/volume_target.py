"""Commands about volume targets: the volumes that a node boots from or uses."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from baremetalclient.osc import argument_types
from baremetalclient.osc.options import Option, Pairs
from baremetalclient.osc.resource import Create, Delete, List, ResourceCommand, Set, Show, Unset

if TYPE_CHECKING:
    from collections.abc import Sequence

NODE = Option(
    field="node_uuid",
    flag="--node",
    help="Node that the target belongs to (name or UUID).",
    required=True,
)
TYPE = Option(
    field="volume_type",
    flag="--type",
    spellings=("--volume_type", "--volume-type"),
    metavar="<volume type>",
    help="Type of the target, such as 'iscsi' or 'fibre_channel'.",
    required=True,
)
VOLUME_ID = Option(
    field="volume_id",
    flag="--volume-id",
    spellings=("--volume_id",),
    help="ID of the volume.",
    required=True,
)
PROPERTIES = Pairs(
    field="properties",
    flag="--property",
    spellings=("--properties",),
    help="Property of the target, such as the iSCSI portal.",
)
BOOT_INDEX = Option(
    field="boot_index",
    flag="--boot-index",
    spellings=("--boot_index",),
    parse=argument_types.natural,
    help="Boot index of the target; the node boots from 0.",
)
EXTRA = Pairs(field="extra", flag="--extra", help="Arbitrary metadata.")
UUID = Option(field="uuid", flag="--uuid", help="UUID of the new target.")


class _VolumeTarget(ResourceCommand):
    manager_name = "volume_target"


class CreateBaremetalVolumeTarget(_VolumeTarget, Create):
    """Create a volume target."""

    options = (NODE, TYPE, VOLUME_ID, PROPERTIES, BOOT_INDEX, EXTRA, UUID)


class DeleteBaremetalVolumeTarget(_VolumeTarget, Delete):
    """Delete volume targets."""


class ListBaremetalVolumeTarget(_VolumeTarget, List):
    """List volume targets."""

    options: ClassVar[Sequence[Option]] = (
        Option(field="node", flag="--node", help="List only targets of this node (name or UUID)."),
        Option(
            field="volume_type",
            flag="--type",
            spellings=("--volume_type", "--volume-type"),
            metavar="<volume type>",
            help="List only targets of this type.",
        ),
        Option(
            field="volume_id",
            flag="--volume-id",
            spellings=("--volume_id",),
            help="List only targets of this volume.",
        ),
        Option(
            field="boot_index",
            flag="--boot-index",
            spellings=("--boot_index",),
            parse=argument_types.natural,
            help="List only targets with this boot index.",
        ),
    )


class SetBaremetalVolumeTarget(_VolumeTarget, Set):
    """Set fields of a volume target."""

    options = (NODE, TYPE, VOLUME_ID, PROPERTIES, BOOT_INDEX, EXTRA)


class ShowBaremetalVolumeTarget(_VolumeTarget, Show):
    """Show a volume target."""


class UnsetBaremetalVolumeTarget(_VolumeTarget, Unset):
    """Remove fields of a volume target."""

    options = (PROPERTIES, BOOT_INDEX, EXTRA)
