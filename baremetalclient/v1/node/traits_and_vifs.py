"""Traits of nodes, and virtual interfaces (VIFs), which connect instances to networks.

API reference, sections "Node Traits" and "VIFs".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._http import urls
from baremetalclient._resource import arguments, manager
from baremetalclient._resource.fields import field
from baremetalclient._resource.lost_answers import settled
from baremetalclient._resource.resource import Resource, ResourceT
from baremetalclient._resource.schema import ResourceType
from baremetalclient.v1.node.features import TRAITS, VIF_TO_PORT, VIFS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.node_fields import Node


class Vif(Resource):
    """A VIF that is attached to a node."""

    __slots__ = ()
    resource_type = ResourceType(
        name="VIF",
        path="vifs",
        since=VIFS.since,
        identifier="id",
        listed=("id",),
        detail=None,
    )

    id: str = field("Identifier of the VIF.", "ID", sortable=False, creatable=True)


class NodeTraitsAndVifs(manager.Manager[ResourceT]):
    """Calls for the traits and the VIFs of nodes."""

    def get_traits(self, node_ident: str | Node, **call: Unpack[CallOptions]) -> list[str]:
        """Return the traits of a node.

        :param node_ident: the UUID or name of the node.
        """
        response = self._call("GET", node_ident, "traits", features=[TRAITS], **call)
        return response.items("traits", str)

    def add_trait(self, node_ident: str | Node, trait: str, **call: Unpack[CallOptions]) -> None:
        """Add a trait to a node.

        :param node_ident: the UUID or name of the node.
        :param trait: a standard trait, or one that begins with ``CUSTOM_``.
        :raises BadRequest: if the trait is unknown, or the node has 50 traits already.
        """
        self._call("PUT", node_ident, "traits", _segment(trait), features=[TRAITS], **call)

    def set_traits(
        self, node_ident: str | Node, traits: Sequence[str], **call: Unpack[CallOptions]
    ) -> None:
        """Replace all traits of a node.

        :param node_ident: the UUID or name of the node.
        :param traits: the new traits, 50 at most.
        :raises BadRequest: if one of them is unknown or there are too many; nothing is changed.
        """
        wanted = urls.comma_separated(traits, "trait")
        self._call("PUT", node_ident, "traits", body={"traits": wanted}, features=[TRAITS], **call)

    def remove_trait(self, node_ident: str | Node, trait: str, **call: Unpack[CallOptions]) -> None:
        """Remove a trait from a node.

        :param node_ident: the UUID or name of the node.
        :param trait: the trait.
        :raises NotFound: if the node does not have it.
        """

        def remove() -> bool:
            self._call("DELETE", node_ident, "traits", _segment(trait), features=[TRAITS], **call)
            return True

        settled(remove, lambda: trait not in self.get_traits(node_ident, **call) or None)

    def remove_all_traits(self, node_ident: str | Node, **call: Unpack[CallOptions]) -> None:
        """Remove all traits from a node.

        :param node_ident: the UUID or name of the node.
        """
        self._call("DELETE", node_ident, "traits", features=[TRAITS], **call)

    def vif_list(self, node_ident: str | Node, **call: Unpack[CallOptions]) -> list[Vif]:
        """Return the VIFs that are attached to a node.

        :param node_ident: the UUID or name of the node.
        """
        response = self._call("GET", node_ident, "vifs", features=[VIFS], **call)
        found = response.items("vifs", dict)
        for item in found:
            if flaw := Vif.resource_type.flaw_in(item, None):
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


def _segment(trait: str) -> str:
    return urls.segment(trait, "trait")
