"""Volume connectors: identifiers by which remote storage connects to a node.

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
    from baremetalclient.v1.arguments import VolumeConnectorFields, VolumeConnectorFilters
    from baremetalclient.v1.node import Node
    from baremetalclient.v1.objects import Link, Patch
    from baremetalclient.v1.types import SortDirection, VolumeConnectorType

RESOURCE_TYPE = ResourceType(
    name="volume connector",
    plural="volume connectors",
    path="volume/connectors",
    list_key="connectors",
    other_list_keys=("volume_connectors",),
    since=v1(32),
    fields=(
        Field("uuid", "UUID", "uuid", creatable=True),
        SettableField("node_uuid", "Node UUID", "uuid", sortable=False),
        SettableField("type", "Type"),
        SettableField("connector_id", "Connector ID"),
        SettableField("extra", "Extra", "object", sortable=False),
        Field("created_at", "Created At", "datetime"),
        Field("updated_at", "Updated At", "datetime"),
        Field("links", "Links", "links", sortable=False, detailed=False),
    ),
    listed=("uuid", "node_uuid", "type", "connector_id"),
    filters=(
        Filter("node"),
        Filter("type", field="type"),
        Filter("connector_id", field="connector_id"),
    ),
)


class VolumeConnector(Resource):
    """A volume connector."""

    __slots__ = ()
    resource_type = RESOURCE_TYPE

    uuid: str
    node_uuid: str
    type: VolumeConnectorType
    connector_id: str
    extra: dict[str, Any]
    created_at: str
    updated_at: str | None
    links: list[Link]


class VolumeConnectorManager(manager.Manager[VolumeConnector]):
    """Calls for volume connectors."""

    resource_class = VolumeConnector

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
        type: VolumeConnectorType | None = None,  # noqa: A002 - the API's word
        connector_id: str | None = None,
        **call: Unpack[CallOptions],
    ) -> list[VolumeConnector]:
        """Return volume connectors; see :class:`.Manager` for the arguments of all lists.

        :param node: only those of this node, by UUID or name.
        :param type: only those of this type, such as ``iqn``.
        :param connector_id: only those with this identifier.
        """
        filters = {"node": node, "type": type, "connector_id": connector_id}
        return self._list(filters, limit, marker, sort_key, sort_dir, detail, fields, **call)

    def iterate(self, **options: Unpack[VolumeConnectorFilters]) -> Iterator[VolumeConnector]:
        """Yield all matching volume connectors, holding one page of the server in memory at a time.

        :param options: the filters of :meth:`list`, the arguments of all lists but ``limit``, and
            the options of every call.
        """
        return self._iterate(**options)

    def get(
        self,
        volume_connector_id: str | VolumeConnector,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> VolumeConnector:
        """Return a volume connector.

        :param volume_connector_id: its UUID.
        :param fields: the fields to return, None for all.
        :raises NotFound: if it does not exist.
        """
        return self._get(volume_connector_id, fields, **call)

    def create(self, **attributes: Unpack[VolumeConnectorFields]) -> VolumeConnector:
        """Create a volume connector.

        :param attributes: ``node_uuid``, ``type`` and ``connector_id``, optionally ``extra``
            and ``uuid``; and the options of every call.
        :raises InvalidAttribute: if a volume connector does not have one of the fields.
        :raises Conflict: if the type and the identifier are taken.
        """
        return self._create(**attributes)

    def update(
        self, volume_connector_id: str | VolumeConnector, patch: Patch, **call: Unpack[CallOptions]
    ) -> VolumeConnector:
        """Change a volume connector; its node has to be powered off.

        :param volume_connector_id: its UUID.
        :param patch: a JSON patch.
        :returns: the changed connector.
        """
        return self._update(volume_connector_id, patch, **call)

    def delete(
        self, volume_connector_id: str | VolumeConnector, **call: Unpack[CallOptions]
    ) -> None:
        """Delete a volume connector; its node has to be powered off.

        :param volume_connector_id: its UUID.
        """
        self._delete(volume_connector_id, **call)
