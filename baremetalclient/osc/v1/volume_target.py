"""Commands about volume targets."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from baremetalclient.osc import argument_types
from baremetalclient.osc.delete_command import Delete
from baremetalclient.osc.options import KeyValueOption, Option
from baremetalclient.osc.resource import Create, List, ResourceCommand, Set, Show, Unset
from baremetalclient.osc.wait_command import ResourceWaitCommand

if TYPE_CHECKING:
    from collections.abc import Sequence

TYPE = Option(
    "volume_type",
    flag="--type",
    spellings=("--volume_type", "--volume-type"),
    metavar="<volume type>",
    required=True,
)
VOLUME_ID = Option("volume_id", spellings=("--volume_id",), required=True)
BOOT_INDEX = Option(
    "boot_index", spellings=("--boot_index",), parse=argument_types.non_negative_int
)
REMOVABLE = (
    KeyValueOption("properties", flag="--property", spellings=("--properties",)),
    BOOT_INDEX,
    KeyValueOption("extra"),
)
FIELDS = (Option("node_uuid", flag="--node", required=True), TYPE, VOLUME_ID, *REMOVABLE)


class _VolumeTargetCommand(ResourceCommand):
    manager_name = "volume_target"


class CreateBaremetalVolumeTarget(_VolumeTargetCommand, Create):
    """Create a volume target."""

    examples = (
        "baremetal volume target create --node node-1 --type iscsi --volume-id 1 --boot-index 0",
    )
    options = (*FIELDS, Option("uuid"))


class DeleteBaremetalVolumeTarget(_VolumeTargetCommand, Delete):
    """Delete volume targets."""

    examples = ("baremetal volume target delete c3a8e5d1-7b62-4d0f-9a1e-6f5b4c3d2e10",)


class ListBaremetalVolumeTarget(_VolumeTargetCommand, List):
    """List volume targets."""

    selectable = True
    examples = ("baremetal volume target list --node node-1 --long",)
    options: ClassVar[Sequence[Option]] = (Option("node"), TYPE, VOLUME_ID, BOOT_INDEX)


class SetBaremetalVolumeTarget(_VolumeTargetCommand, Set):
    """Set fields of a volume target."""

    examples = ("baremetal volume target set c3a8e5d1-7b62-4d0f-9a1e-6f5b4c3d2e10 --boot-index 1",)
    options = FIELDS


class ShowBaremetalVolumeTarget(_VolumeTargetCommand, Show):
    """Show a volume target."""

    examples = ("baremetal volume target show c3a8e5d1-7b62-4d0f-9a1e-6f5b4c3d2e10",)


class UnsetBaremetalVolumeTarget(_VolumeTargetCommand, Unset):
    """Remove fields of a volume target."""

    examples = (
        "baremetal volume target unset c3a8e5d1-7b62-4d0f-9a1e-6f5b4c3d2e10 --property target_lun",
    )
    options = REMOVABLE


class WaitBaremetalVolumeTarget(_VolumeTargetCommand, ResourceWaitCommand):
    """Wait until conditions hold for volume targets, or fail if one is gone unexpectedly."""

    examples = (
        "baremetal volume target wait --select node.name=node-1 --for properties/target_lun=1",
    )
