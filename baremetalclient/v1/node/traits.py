"""Traits of nodes.

API reference, section "Node Traits"; since version 1.37.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient._http import urls
from baremetalclient._resource import manager
from baremetalclient._resource.resource import ResourceT
from baremetalclient.v1.node.features import TRAITS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.node import Node


class NodeTraits(manager.Manager[ResourceT]):
    """Calls for the traits of nodes."""

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
        self._call("DELETE", node_ident, "traits", _segment(trait), features=[TRAITS], **call)

    def remove_all_traits(self, node_ident: str | Node, **call: Unpack[CallOptions]) -> None:
        """Remove all traits from a node.

        :param node_ident: the UUID or name of the node.
        """
        self._call("DELETE", node_ident, "traits", features=[TRAITS], **call)


def _segment(trait: str) -> str:
    return urls.segment(trait, "trait")
