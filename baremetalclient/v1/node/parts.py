"""Lists of what belongs to a node: ports, port groups, volume connectors and volume targets.

They are asked for by a filter instead of a path below the node: such a path takes no names, and
its pages forget which node they are about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient._http import urls
from baremetalclient._resource import manager

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.port import Port
    from baremetalclient.v1.portgroup import Portgroup
    from baremetalclient.v1.volume_connector import VolumeConnector
    from baremetalclient.v1.volume_target import VolumeTarget


class NodeParts(manager.Manager[manager.ViewT]):
    """Calls about what belongs to a node."""

    def list_ports(
        self,
        node_id: str,
        marker: str | None = None,
        limit: int | None = None,
        sort_key: str | None = None,
        sort_dir: str | None = None,
        detail: bool = False,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> list[Port]:
        """Return the ports of a node.

        :param node_id: the UUID or name of the node.
        :param marker: the UUID after which to begin.
        :param limit: how many at most; 0 for all, None for one page of the server.
        :param sort_key: the field to sort by.
        :param sort_dir: ``asc`` or ``desc``.
        :param detail: whether to return all fields.
        :param fields: the fields to return.
        :param call: the options of every call.
        :raises NotFound: if there is no such node.
        """
        from baremetalclient.v1.port import PortManager

        _check_node(node_id)
        return PortManager(self.http).list(
            node=node_id,
            marker=marker,
            limit=limit,
            sort_key=sort_key,
            sort_dir=sort_dir,
            detail=detail,
            fields=fields,
            **call,
        )

    def list_portgroups(
        self,
        node_id: str,
        marker: str | None = None,
        limit: int | None = None,
        sort_key: str | None = None,
        sort_dir: str | None = None,
        detail: bool = False,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> list[Portgroup]:
        """Return the port groups of a node; since version 1.23.

        :param node_id: the UUID or name of the node.
        :param marker: the UUID after which to begin.
        :param limit: how many at most; 0 for all, None for one page of the server.
        :param sort_key: the field to sort by.
        :param sort_dir: ``asc`` or ``desc``.
        :param detail: whether to return all fields.
        :param fields: the fields to return.
        :param call: the options of every call.
        :raises NotFound: if there is no such node.
        """
        from baremetalclient.v1.portgroup import PortgroupManager

        _check_node(node_id)
        return PortgroupManager(self.http).list(
            node=node_id,
            marker=marker,
            limit=limit,
            sort_key=sort_key,
            sort_dir=sort_dir,
            detail=detail,
            fields=fields,
            **call,
        )

    def list_volume_connectors(
        self,
        node_id: str,
        marker: str | None = None,
        limit: int | None = None,
        sort_key: str | None = None,
        sort_dir: str | None = None,
        detail: bool = False,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> list[VolumeConnector]:
        """Return the volume connectors of a node; since version 1.32.

        :param node_id: the UUID or name of the node.
        :param marker: the UUID after which to begin.
        :param limit: how many at most; 0 for all, None for one page of the server.
        :param sort_key: the field to sort by.
        :param sort_dir: ``asc`` or ``desc``.
        :param detail: whether to return all fields.
        :param fields: the fields to return.
        :param call: the options of every call.
        :raises NotFound: if there is no such node.
        """
        from baremetalclient.v1.volume_connector import VolumeConnectorManager

        _check_node(node_id)
        return VolumeConnectorManager(self.http).list(
            node=node_id,
            marker=marker,
            limit=limit,
            sort_key=sort_key,
            sort_dir=sort_dir,
            detail=detail,
            fields=fields,
            **call,
        )

    def list_volume_targets(
        self,
        node_id: str,
        marker: str | None = None,
        limit: int | None = None,
        sort_key: str | None = None,
        sort_dir: str | None = None,
        detail: bool = False,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> list[VolumeTarget]:
        """Return the volume targets of a node; since version 1.32.

        :param node_id: the UUID or name of the node.
        :param marker: the UUID after which to begin.
        :param limit: how many at most; 0 for all, None for one page of the server.
        :param sort_key: the field to sort by.
        :param sort_dir: ``asc`` or ``desc``.
        :param detail: whether to return all fields.
        :param fields: the fields to return.
        :param call: the options of every call.
        :raises NotFound: if there is no such node.
        """
        from baremetalclient.v1.volume_target import VolumeTargetManager

        _check_node(node_id)
        return VolumeTargetManager(self.http).list(
            node=node_id,
            marker=marker,
            limit=limit,
            sort_key=sort_key,
            sort_dir=sort_dir,
            detail=detail,
            fields=fields,
            **call,
        )


def _check_node(node_id: str) -> None:
    urls.segment(node_id, "node")
