"""Volume connectors: identifiers by which remote storage connects to a node.

API reference, section "Volume"; since version 1.32.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient._resource.fields import Filter, field, settable
from baremetalclient._resource.resource import Resource
from baremetalclient._resource.schema import ResourceType
from baremetalclient.microversion import v1
from baremetalclient.v1.calls.volume_connector import VolumeConnectorCalls

if TYPE_CHECKING:
    from baremetalclient.v1.objects import Link
    from baremetalclient.v1.types import VolumeConnectorType


class VolumeConnector(Resource):
    """A volume connector."""

    __slots__ = ()
    resource_type = ResourceType(
        name="volume connector",
        path="volume/connectors",
        list_key="connectors",
        other_list_keys=("volume_connectors",),
        since=v1(32),
        listed=("uuid", "node_uuid", "type", "connector_id"),
        list_arguments=("node", "limit", "marker", "sort_key", "sort_dir", "detail", "fields"),
        filters=(
            Filter(
                "node", "List only connectors of this node (name or UUID).", "str | Node | None"
            ),
            Filter("type", "List only connectors of this type.", field="type"),
            Filter(
                "connector_id",
                "List only the connector with this identifier.",
                field="connector_id",
            ),
        ),
    )

    uuid: str = field("UUID of the volume connector.", creatable=True)
    node_uuid: str = settable(
        "Node that the connector belongs to (name or UUID).", sortable=False, required=True
    )
    type: VolumeConnectorType = settable("Type of the connector.", required=True)
    connector_id: str = settable(
        "Identifier of the connector, such as the iSCSI qualified name for the type 'iqn'.",
        required=True,
    )
    extra: dict[str, Any] = settable("Arbitrary metadata.")
    created_at: str = field("Time of its creation.")
    updated_at: str | None = field("Time of its last change.")
    links: list[Link] = field("Links to the volume connector.", detailed=False)


class VolumeConnectorManager(VolumeConnectorCalls[VolumeConnector]):
    """Calls for volume connectors."""

    resource_class = VolumeConnector
