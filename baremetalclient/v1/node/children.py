"""Resources that belong to a node: ports, port groups, volume resources and child nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient._resource import manager
from baremetalclient._resource.resource import ResourceT
from baremetalclient.v1.node import features

if TYPE_CHECKING:
    from typing import Any, Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.arguments import ListOptions
    from baremetalclient.v1.node_fields import Node
    from baremetalclient.v1.port import Port
    from baremetalclient.v1.portgroup import Portgroup
    from baremetalclient.v1.volume_connector import VolumeConnector
    from baremetalclient.v1.volume_target import VolumeTarget


class NodeChildren(manager.Manager[ResourceT]):
    """Calls for the resources that belong to a node."""

    def list_ports(
        self, node_id: str | Node, *page: Any, **options: Unpack[ListOptions]
    ) -> list[Port]:
        """Return the ports of a node; see :class:`.ListManager` for the arguments of all lists.

        :param node_id: the UUID or name of the node.
        :raises NotFound: if the node does not exist.
        """
        from baremetalclient.v1.port import PortManager

        return self._list_children(PortManager, "node", node_id, **options)

    def list_portgroups(
        self, node_id: str | Node, *page: Any, **options: Unpack[ListOptions]
    ) -> list[Portgroup]:
        """Return the port groups of a node; since version 1.23.

        :param node_id: the UUID or name of the node.
        :raises NotFound: if the node does not exist.
        """
        from baremetalclient.v1.portgroup import PortgroupManager

        return self._list_children(PortgroupManager, "node", node_id, **options)

    def list_volume_connectors(
        self, node_id: str | Node, *page: Any, **options: Unpack[ListOptions]
    ) -> list[VolumeConnector]:
        """Return the volume connectors of a node; since version 1.32.

        :param node_id: the UUID or name of the node.
        :raises NotFound: if the node does not exist.
        """
        from baremetalclient.v1.volume_connector import VolumeConnectorManager

        return self._list_children(VolumeConnectorManager, "node", node_id, **options)

    def list_volume_targets(
        self, node_id: str | Node, *page: Any, **options: Unpack[ListOptions]
    ) -> list[VolumeTarget]:
        """Return the volume targets of a node; since version 1.32.

        :param node_id: the UUID or name of the node.
        :raises NotFound: if the node does not exist.
        """
        from baremetalclient.v1.volume_target import VolumeTargetManager

        return self._list_children(VolumeTargetManager, "node", node_id, **options)

    def list_children_of_node(self, node_id: str | Node, **call: Unpack[CallOptions]) -> list[str]:
        """Return the UUIDs of the children of a node; since version 1.83.

        :param node_id: the UUID or name of the node.
        """
        response = self._call("GET", node_id, "children", features=[features.CHILDREN], **call)
        return response.items("children", str)
