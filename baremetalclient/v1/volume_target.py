"""Volume targets: the remote volumes that a node uses.

API reference, section "Volume"; since version 1.32.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient._resource.fields import Filter, field, settable
from baremetalclient._resource.resource import Resource
from baremetalclient._resource.schema import ResourceType
from baremetalclient.microversion import v1
from baremetalclient.v1.calls.volume_target import VolumeTargetCalls

if TYPE_CHECKING:
    from baremetalclient.v1.objects import Link
    from baremetalclient.v1.types import VolumeType


class VolumeTarget(Resource):
    """A volume target."""

    __slots__ = ()
    resource_type = ResourceType(
        name="volume target",
        path="volume/targets",
        list_key="targets",
        other_list_keys=("volume_targets",),
        since=v1(32),
        listed=("uuid", "node_uuid", "volume_type", "boot_index", "volume_id"),
        list_arguments=("node", "limit", "marker", "sort_key", "sort_dir", "detail", "fields"),
        filters=(
            Filter("node", "List only targets of this node (name or UUID).", "str | Node | None"),
            Filter("volume_type", "List only targets of this type.", field="volume_type"),
            Filter("volume_id", "List only targets of this volume.", field="volume_id"),
            Filter("boot_index", "List only targets with this boot index.", field="boot_index"),
        ),
    )

    uuid: str = field("UUID of the volume target.", creatable=True)
    node_uuid: str = settable(
        "Node that the target belongs to (name or UUID).", sortable=False, required=True
    )
    volume_type: VolumeType = settable(
        "Type of the target, such as 'iscsi' or 'fibre_channel'.",
        "Driver Volume Type",
        required=True,
    )
    properties: dict[str, Any] = settable("Property of the target, such as the iSCSI portal.")
    boot_index: int = settable("Boot index of the target; the node boots from 0.", required=True)
    extra: dict[str, Any] = settable("Arbitrary metadata.")
    volume_id: str = settable("ID of the volume.", required=True)
    created_at: str = field("Time of its creation.")
    updated_at: str | None = field("Time of its last change.")
    links: list[Link] = field("Links to the volume target.", detailed=False)


class VolumeTargetManager(VolumeTargetCalls[VolumeTarget]):
    """Calls for volume targets."""

    resource_class = VolumeTarget
