"""Virtual interfaces (VIFs) of nodes, which connect instances to networks.

API reference, section "VIFs"; since version 1.28.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._http import urls
from baremetalclient._resource import arguments, manager
from baremetalclient._resource.resource import Resource, ResourceT
from baremetalclient._resource.schema import ResourceType, field
from baremetalclient.v1.node.features import VIF_TO_PORT, VIFS

if TYPE_CHECKING:
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.node import Node


class Vif(Resource):
    """A VIF that is attached to a node."""

    __slots__ = ()
    resource_type = ResourceType(
        name="VIF",
        plural="VIFs",
        path="vifs",
        list_key="vifs",
        since=VIFS.since,
        identifier="id",
        listed=("id",),
        detail=None,
    )

    id: str = field("Identifier of the VIF.", "ID", sortable=False, creatable=True)


VIF_TYPE = Vif.resource_type


class NodeVifs(manager.Manager[ResourceT]):
    """Calls for the VIFs of nodes."""

    def vif_list(self, node_ident: str | Node, **call: Unpack[CallOptions]) -> list[Vif]:
        """Return the VIFs that are attached to a node.

        :param node_ident: the UUID or name of the node.
        """
        response = self._call("GET", node_ident, "vifs", features=[VIFS], **call)
        found = response.items("vifs", dict)
        for item in found:
            if flaw := VIF_TYPE.flaw_in(item, None):
                raise response.invalid(f"a list of VIFs: one {flaw}")
        return [Vif(self, item) for item in found]

    def vif_attach(
        self,
        node_ident: str | Node,
        vif_id: str,
        **details: Any,
    ) -> None:
        """Attach a VIF to a node.

        :param node_ident: the UUID or name of the node.
        :param vif_id: the identifier of the VIF, such as the UUID of a port in Neutron.
        :param details: ``port_uuid`` or ``portgroup_uuid`` to attach it to (since version 1.67),
            other information for the network interface of the node, and the options of every
            call.
        :raises InvalidAttribute: if the details contradict each other.
        :raises Conflict: if it is attached already.
        """
        call = arguments.options_from(details)
        if "id" in details:
            raise exc.InvalidAttribute("Give the identifier of the VIF as vif_id, not as id.")
        if "port_uuid" in details and "portgroup_uuid" in details:
            raise exc.InvalidAttribute("port_uuid and portgroup_uuid cannot be used together.")
        placed = "port_uuid" in details or "portgroup_uuid" in details
        self._call(
            "POST",
            node_ident,
            "vifs",
            body={"id": arguments.text(vif_id, "vif_id"), **details},
            features=[VIFS, VIF_TO_PORT] if placed else [VIFS],
            **call,
        )

    def vif_detach(self, node_ident: str | Node, vif_id: str, **call: Unpack[CallOptions]) -> None:
        """Detach a VIF from a node.

        :param node_ident: the UUID or name of the node.
        :param vif_id: the identifier of the VIF.
        """
        vif = urls.segment(vif_id, "VIF")
        self._call("DELETE", node_ident, "vifs", vif, features=[VIFS], **call)
