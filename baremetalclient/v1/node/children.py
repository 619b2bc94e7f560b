"""Resources that belong to a node: ports, port groups, volume resources and child nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient._resource import manager
from baremetalclient._resource.resource import ResourceT
from baremetalclient.v1.node import features

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.node.schema import Node
    from baremetalclient.v1.port import Port
    from baremetalclient.v1.portgroup import Portgroup
    from baremetalclient.v1.types import SortDirection
    from baremetalclient.v1.volume_connector import VolumeConnector
    from baremetalclient.v1.volume_target import VolumeTarget


class NodeChildren(manager.Manager[ResourceT]):
    """Calls for the resources that belong to a node."""

    def list_ports(
        self,
        node_id: str | Node,
        marker: str | None = None,
        limit: int | None = None,
        sort_key: str | None = None,
        sort_dir: SortDirection | None = None,
        detail: bool = False,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> list[Port]:
        """Return the ports of a node; see :class:`.ListManager` for the arguments of all lists.

        :param node_id: the UUID or name of the node.
        :raises NotFound: if the node does not exist.
        """
        from baremetalclient.v1.port import PortManager

        page = (limit, marker, sort_key, sort_dir, detail, fields)
        return self._list_children(PortManager, "node", node_id, *page, **call)

    def list_portgroups(
        self,
        node_id: str | Node,
        marker: str | None = None,
        limit: int | None = None,
        sort_key: str | None = None,
        sort_dir: SortDirection | None = None,
        detail: bool = False,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> list[Portgroup]:
        """Return the port groups of a node; since version 1.23.

        :param node_id: the UUID or name of the node.
        :raises NotFound: if the node does not exist.
        """
        from baremetalclient.v1.portgroup import PortgroupManager

        page = (limit, marker, sort_key, sort_dir, detail, fields)
        return self._list_children(PortgroupManager, "node", node_id, *page, **call)

    def list_volume_connectors(
        self,
        node_id: str | Node,
        marker: str | None = None,
        limit: int | None = None,
        sort_key: str | None = None,
        sort_dir: SortDirection | None = None,
        detail: bool = False,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> list[VolumeConnector]:
        """Return the volume connectors of a node; since version 1.32.

        :param node_id: the UUID or name of the node.
        :raises NotFound: if the node does not exist.
        """
        from baremetalclient.v1.volume_connector import VolumeConnectorManager

        page = (limit, marker, sort_key, sort_dir, detail, fields)
        return self._list_children(VolumeConnectorManager, "node", node_id, *page, **call)

    def list_volume_targets(
        self,
        node_id: str | Node,
        marker: str | None = None,
        limit: int | None = None,
        sort_key: str | None = None,
        sort_dir: SortDirection | None = None,
        detail: bool = False,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> list[VolumeTarget]:
        """Return the volume targets of a node; since version 1.32.

        :param node_id: the UUID or name of the node.
        :raises NotFound: if the node does not exist.
        """
        from baremetalclient.v1.volume_target import VolumeTargetManager

        page = (limit, marker, sort_key, sort_dir, detail, fields)
        return self._list_children(VolumeTargetManager, "node", node_id, *page, **call)

    def list_children_of_node(self, node_id: str | Node, **call: Unpack[CallOptions]) -> list[str]:
        """Return the UUIDs of the children of a node; since version 1.83.

        :param node_id: the UUID or name of the node.
        """
        response = self._call("GET", node_id, "children", features=[features.CHILDREN], **call)
        return response.items("children", str)
