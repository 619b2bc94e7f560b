"""Volume connectors: how a node presents itself to remote storage.

API reference, section "Volume"; since version 1.32.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient._resource import manager
from baremetalclient._resource.schema import Field, Filter, Resource
from baremetalclient.microversion import Version

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions

RESOURCE = Resource(
    name="volume connector",
    plural="volume connectors",
    path="volume/connectors",
    list_key="connectors",
    other_list_keys=("volume_connectors",),
    since=Version(1, 32),
    fields=(
        Field("uuid", "UUID", "uuid", creatable=True),
        Field("node_uuid", "Node UUID", "uuid", sortable=False, creatable=True, updatable=True),
        Field("type", "Type", creatable=True, updatable=True),
        Field("connector_id", "Connector ID", creatable=True, updatable=True),
        Field("extra", "Extra", "object", sortable=False, creatable=True, updatable=True),
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


class VolumeConnector(manager.View):
    """A volume connector."""

    __slots__ = ()
    resource = RESOURCE


class VolumeConnectorManager(manager.Manager[VolumeConnector]):
    """Calls about volume connectors."""

    resource = RESOURCE
    view = VolumeConnector

    def list(
        self,
        node: str | None = None,
        limit: int | None = None,
        marker: str | None = None,
        sort_key: str | None = None,
        sort_dir: str | None = None,
        detail: bool = False,
        fields: Sequence[str] | None = None,
        *,
        type: str | None = None,  # noqa: A002 - the API's word
        connector_id: str | None = None,
        **call: Unpack[CallOptions],
    ) -> list[VolumeConnector]:
        """Return volume connectors.

        :param node: only those of this node, by UUID or name.
        :param limit: how many at most; 0 for all, None for one page of the server.
        :param marker: the UUID of the connector after which to begin.
        :param sort_key: the field to sort by.
        :param sort_dir: ``asc`` or ``desc``.
        :param detail: whether to return all fields.
        :param fields: the fields to return.
        :param type: only those of this type, such as ``iqn``.
        :param connector_id: only those with this identifier.
        :param call: the options of every call.
        :raises InvalidAttribute: if both details and certain fields are asked for.
        """
        return self._list(
            {"node": node, "type": type, "connector_id": connector_id},
            limit,
            marker,
            sort_key,
            sort_dir,
            detail=detail,
            fields=fields,
            **call,
        )

    def get(
        self,
        volume_connector_id: str,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> VolumeConnector:
        """Return a volume connector.

        :param volume_connector_id: its UUID.
        :param fields: the fields to return, None for all.
        :param call: the options of every call.
        :raises NotFound: if there is none.
        """
        return self._get(volume_connector_id, fields, **call)

    def create(self, **attributes: Any) -> VolumeConnector:
        """Create a volume connector.

        :param attributes: ``node_uuid``, ``type`` and ``connector_id``, maybe ``extra`` and
            ``uuid``; besides, the options of every call.
        :raises InvalidAttribute: if a volume connector has no such field.
        :raises Conflict: if the type and the identifier are taken.
        """
        return self._create(attributes)

    def update(
        self, volume_connector_id: str, patch: manager.Patch, **call: Unpack[CallOptions]
    ) -> VolumeConnector:
        """Change a volume connector; its node has to be powered off.

        :param volume_connector_id: its UUID.
        :param patch: a JSON patch.
        :param call: the options of every call.
        :returns: the connector as it is afterwards.
        """
        return self._update(volume_connector_id, patch, **call)

    def delete(self, volume_connector_id: str, **call: Unpack[CallOptions]) -> None:
        """Delete a volume connector; its node has to be powered off.

        :param volume_connector_id: its UUID.
        :param call: the options of every call.
        """
        self._delete(volume_connector_id, **call)
