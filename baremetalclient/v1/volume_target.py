"""Volume targets: the remote volumes that a node uses.

API reference, section "Volume"; since version 1.32.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient._resource import manager
from baremetalclient._resource.resource import Resource
from baremetalclient._resource.schema import Field, Filter, ResourceType, SettableField
from baremetalclient.microversion import v1

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.arguments import VolumeTargetFields, VolumeTargetFilters
    from baremetalclient.v1.node import Node
    from baremetalclient.v1.objects import Link, Patch
    from baremetalclient.v1.types import SortDirection, VolumeType

RESOURCE_TYPE = ResourceType(
    name="volume target",
    plural="volume targets",
    path="volume/targets",
    list_key="targets",
    other_list_keys=("volume_targets",),
    since=v1(32),
    fields=(
        Field("uuid", "UUID", "uuid", creatable=True),
        SettableField("node_uuid", "Node UUID", "uuid", sortable=False),
        SettableField("volume_type", "Driver Volume Type"),
        SettableField("properties", "Properties", "object", sortable=False),
        SettableField("boot_index", "Boot Index", "integer"),
        SettableField("extra", "Extra", "object", sortable=False),
        SettableField("volume_id", "Volume ID"),
        Field("created_at", "Created At", "datetime"),
        Field("updated_at", "Updated At", "datetime"),
        Field("links", "Links", "links", sortable=False, detailed=False),
    ),
    listed=("uuid", "node_uuid", "volume_type", "boot_index", "volume_id"),
    filters=(
        Filter("node"),
        Filter("volume_type", field="volume_type"),
        Filter("volume_id", field="volume_id"),
        Filter("boot_index", field="boot_index"),
    ),
)


class VolumeTarget(Resource):
    """A volume target."""

    __slots__ = ()
    resource_type = RESOURCE_TYPE

    uuid: str
    node_uuid: str
    volume_type: VolumeType
    properties: dict[str, Any]
    boot_index: int
    extra: dict[str, Any]
    volume_id: str
    created_at: str
    updated_at: str | None
    links: list[Link]


class VolumeTargetManager(manager.Manager[VolumeTarget]):
    """Calls for volume targets."""

    resource_class = VolumeTarget

    def list(
        self,
        node: str | Node | None = None,
        limit: int | None = None,
        marker: str | None = None,
        sort_key: str | None = None,
        sort_dir: SortDirection | None = None,
        detail: bool = False,
        fields: Sequence[str] | None = None,
        *,
        volume_type: VolumeType | None = None,
        volume_id: str | None = None,
        boot_index: int | None = None,
        **call: Unpack[CallOptions],
    ) -> list[VolumeTarget]:
        """Return volume targets; see :class:`.Manager` for the arguments of all lists.

        :param node: only those of this node, by UUID or name.
        :param volume_type: only those of this type, such as ``iscsi``.
        :param volume_id: only those of this volume.
        :param boot_index: only those with this boot index, 0 for the boot volume.
        """
        filters = {
            "node": node,
            "volume_type": volume_type,
            "volume_id": volume_id,
            "boot_index": boot_index,
        }
        return self._list(filters, limit, marker, sort_key, sort_dir, detail, fields, **call)

    def iterate(self, **options: Unpack[VolumeTargetFilters]) -> Iterator[VolumeTarget]:
        """Yield all matching volume targets, holding one page of the server in memory at a time.

        :param options: the filters of :meth:`list`, the arguments of all lists but ``limit``, and
            the options of every call.
        """
        return self._iterate(**options)

    def get(
        self,
        volume_target_id: str | VolumeTarget,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> VolumeTarget:
        """Return a volume target.

        :param volume_target_id: its UUID.
        :param fields: the fields to return, None for all.
        :raises NotFound: if it does not exist.
        """
        return self._get(volume_target_id, fields, **call)

    def create(self, **attributes: Unpack[VolumeTargetFields]) -> VolumeTarget:
        """Create a volume target.

        :param attributes: ``node_uuid``, ``volume_type``, ``volume_id`` and ``boot_index``,
            optionally ``properties``, ``extra`` and ``uuid``; and the options of every call.
        :raises InvalidAttribute: if a volume target does not have one of the fields.
        :raises Conflict: if the node has a target with this boot index already.
        """
        return self._create(**attributes)

    def update(
        self, volume_target_id: str | VolumeTarget, patch: Patch, **call: Unpack[CallOptions]
    ) -> VolumeTarget:
        """Change a volume target; its node has to be powered off.

        :param volume_target_id: its UUID.
        :param patch: a JSON patch.
        :returns: the changed target.
        """
        return self._update(volume_target_id, patch, **call)

    def delete(self, volume_target_id: str | VolumeTarget, **call: Unpack[CallOptions]) -> None:
        """Delete a volume target; its node has to be powered off.

        :param volume_target_id: its UUID.
        """
        self._delete(volume_target_id, **call)
