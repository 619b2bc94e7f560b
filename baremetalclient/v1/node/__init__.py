"""Nodes: the bare metal machines; a module for each topic.

API reference, section "Nodes".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient._resource.arguments import options_from
from baremetalclient.v1.node.explanation import NodeExplanation
from baremetalclient.v1.node.features import RESET_INTERFACES
from baremetalclient.v1.node.fleet import NodeFleet
from baremetalclient.v1.node.following import NodeFollowing
from baremetalclient.v1.node.history import NodeHistory
from baremetalclient.v1.node.indicators import NodeIndicators
from baremetalclient.v1.node.inventory import NodeInventory
from baremetalclient.v1.node.management import NodeManagement
from baremetalclient.v1.node.parts import NodeParts
from baremetalclient.v1.node.provision import NodeProvision
from baremetalclient.v1.node.schema import RESOURCE_TYPE, Node
from baremetalclient.v1.node.states import NodeStates
from baremetalclient.v1.node.traits import NodeTraits
from baremetalclient.v1.node.vifs import NodeVifs
from baremetalclient.v1.node.vmedia import NodeVirtualMedia
from baremetalclient.v1.node.waiting import NodeWaiting

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.arguments import NodeCalls, NodeChanges
    from baremetalclient.v1.objects import Patch
else:
    from baremetalclient._resource.crud import CreateManager as NodeCalls

__all__ = ["RESOURCE_TYPE", "Node", "NodeManager"]


class NodeManager(
    NodeStates[Node],
    NodeProvision[Node],
    NodeWaiting[Node],
    NodeFollowing[Node],
    NodeFleet[Node],
    NodeTraits[Node],
    NodeVifs[Node],
    NodeVirtualMedia[Node],
    NodeParts[Node],
    NodeManagement[Node],
    NodeIndicators[Node],
    NodeInventory[Node],
    NodeHistory[Node],
    NodeExplanation[Node],
    NodeCalls[Node],
):
    """Calls for nodes."""

    resource_class = Node

    def get_by_instance_uuid(
        self, instance_uuid: str, fields: Sequence[str] | None = None, **call: Unpack[CallOptions]
    ) -> Node:
        """Return the node of an instance.

        :param instance_uuid: the UUID of the instance.
        :param fields: the fields to return, None for all.
        :raises NotFound: if it does not exist.
        """
        return self._get_by("instance_uuid", instance_uuid, fields, **call)

    def update(
        self,
        node_id: str | Node,
        patch: Patch | None = None,
        http_method: str = "PATCH",
        *,
        reset_interfaces: bool | None = None,
        **changes: Unpack[NodeChanges],
    ) -> Node:
        """Change a node.

        :param node_id: its UUID or name.
        :param patch: a JSON patch.
        :param changes: instead of a patch: new values of whole fields, None to remove one; and the
            options of every call.
        :param http_method: the HTTP method.
        :param reset_interfaces: whether to reset the interfaces that the patch does not set to the
            defaults of the new driver; since version 1.45.
        :returns: the changed node.
        """
        given: dict[str, Any] = {**changes}
        call = options_from(given)
        return self._update(
            node_id,
            self._patch_of(patch, given),
            {"reset_interfaces": reset_interfaces},
            [] if reset_interfaces is None else [RESET_INTERFACES],
            http_method,
            **call,
        )
