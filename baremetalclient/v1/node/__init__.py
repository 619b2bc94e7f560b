"""Nodes: the bare metal machines; a module for each topic.

API reference, section "Nodes".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient._resource.resource import Resource
from baremetalclient.v1.node.features import RESET_INTERFACES
from baremetalclient.v1.node.history import NodeHistory
from baremetalclient.v1.node.inventory import NodeInventory
from baremetalclient.v1.node.management import NodeManagement
from baremetalclient.v1.node.parts import NodeParts
from baremetalclient.v1.node.provision import NodeProvision
from baremetalclient.v1.node.schema import RESOURCE_TYPE
from baremetalclient.v1.node.states import NodeStates
from baremetalclient.v1.node.traits import NodeTraits
from baremetalclient.v1.node.vifs import NodeVifs
from baremetalclient.v1.node.waiting import NodeWaiting

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient._resource.manager import Patch

__all__ = ["RESOURCE_TYPE", "Node", "NodeManager"]


class Node(Resource):
    """A node."""

    __slots__ = ()
    resource_type = RESOURCE_TYPE


class NodeManager(
    NodeStates[Node],
    NodeProvision[Node],
    NodeWaiting[Node],
    NodeTraits[Node],
    NodeVifs[Node],
    NodeParts[Node],
    NodeManagement[Node],
    NodeInventory[Node],
    NodeHistory[Node],
):
    """Calls for nodes."""

    resource_class = Node

    def list(
        self,
        associated: bool | str | None = None,
        maintenance: bool | str | None = None,
        marker: str | None = None,
        limit: int | None = None,
        detail: bool = False,
        sort_key: str | None = None,
        sort_dir: str | None = None,
        fields: Sequence[str] | None = None,
        provision_state: str | None = None,
        driver: str | None = None,
        resource_class: str | None = None,
        chassis: str | None = None,
        fault: str | None = None,
        *,
        conductor_group: str | None = None,
        conductor: str | None = None,
        owner: str | None = None,
        retired: bool | str | None = None,
        lessee: str | None = None,
        shards: Sequence[str] | None = None,
        sharded: bool | str | None = None,
        parent_node: str | None = None,
        include_children: bool | None = None,
        description_contains: str | None = None,
        instance_name: str | None = None,
        traits: Sequence[str] | None = None,
        traits_any: Sequence[str] | None = None,
        not_traits: Sequence[str] | None = None,
        not_traits_any: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> list[Node]:
        """Return nodes; see :class:`.Manager` for the arguments of all lists.

        :param associated: only those with, or without, an instance.
        :param maintenance: only those in, or not in, maintenance.
        :param provision_state: only those in this state.
        :param driver: only those with this driver.
        :param resource_class: only those of this class.
        :param chassis: only those in the chassis with this UUID.
        :param fault: only those with this fault.
        :param conductor_group: only those of this group.
        :param conductor: only those of the conductor on this host.
        :param owner: only those of this owner.
        :param retired: only those that are, or are not, retired.
        :param lessee: only those of this lessee.
        :param shards: only those in one of these shards.
        :param sharded: only those with, or without, a shard.
        :param parent_node: only children of the node with this UUID.
        :param include_children: whether to return child nodes as well.
        :param description_contains: only those with this text in their description.
        :param instance_name: only those with this name of their instance.
        :param traits: only those that have all of these traits.
        :param traits_any: only those that have at least one of these traits.
        :param not_traits: leave out those that have all of these traits.
        :param not_traits_any: leave out those that have any of these traits.
        """
        filters = {
            "associated": associated,
            "maintenance": maintenance,
            "provision_state": provision_state,
            "driver": driver,
            "resource_class": resource_class,
            "chassis": chassis,
            "fault": fault,
            "conductor_group": conductor_group,
            "conductor": conductor,
            "owner": owner,
            "retired": retired,
            "lessee": lessee,
            "shards": shards,
            "sharded": sharded,
            "parent_node": parent_node,
            "include_children": include_children or None,
            "description_contains": description_contains,
            "instance_name": instance_name,
            "traits": traits,
            "traits_any": traits_any,
            "not_traits": not_traits,
            "not_traits_any": not_traits_any,
        }
        return self._list(filters, limit, marker, sort_key, sort_dir, detail, fields, **call)

    def get(
        self, node_id: str, fields: Sequence[str] | None = None, **call: Unpack[CallOptions]
    ) -> Node:
        """Return a node.

        :param node_id: its UUID or name.
        :param fields: the fields to return, None for all.
        :raises NotFound: if it does not exist.
        """
        return self._get(node_id, fields, **call)

    def get_by_instance_uuid(
        self, instance_uuid: str, fields: Sequence[str] | None = None, **call: Unpack[CallOptions]
    ) -> Node:
        """Return the node of an instance.

        :param instance_uuid: the UUID of the instance.
        :param fields: the fields to return, None for all.
        :raises NotFound: if it does not exist.
        """
        return self._get_by("instance_uuid", instance_uuid, fields, **call)

    def create(self, **attributes: Any) -> Node:
        """Enrol a node.

        :param attributes: ``driver`` and any other fields that can be set; and the options of
            every call.
        :raises InvalidAttribute: if a node does not have one of the fields.
        :raises Conflict: if the UUID, the name or the instance is taken.
        """
        return self._create(attributes)

    def update(
        self,
        node_id: str,
        patch: Patch,
        http_method: str = "PATCH",
        *,
        reset_interfaces: bool | None = None,
        **call: Unpack[CallOptions],
    ) -> Node:
        """Change a node.

        :param node_id: its UUID or name.
        :param patch: a JSON patch.
        :param http_method: the HTTP method.
        :param reset_interfaces: whether to reset the interfaces that the patch does not set to the
            defaults of the new driver; since version 1.45.
        :returns: the changed node.
        """
        return self._update(
            node_id,
            patch,
            {"reset_interfaces": reset_interfaces},
            [] if reset_interfaces is None else [RESET_INTERFACES],
            http_method,
            **call,
        )

    def delete(self, node_id: str, **call: Unpack[CallOptions]) -> None:
        """Delete a node, with its ports, port groups, traits and volumes.

        :param node_id: its UUID or name.
        """
        self._delete(node_id, **call)
