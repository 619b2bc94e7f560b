"""Explanations of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from baremetalclient._resource import manager
from baremetalclient._resource.resource import ResourceT

if TYPE_CHECKING:
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.node import Node, NodeManager
    from baremetalclient.v1.objects import Explanation


class NodeExplanation(manager.Manager[ResourceT]):
    """Calls that explain nodes."""

    def explain(self, node: str | Node, **call: Unpack[CallOptions]) -> Explanation:
        """Explain the state of a node: what is in the way, and what to do about it.

        All that belongs to the node is fetched, with up to nine requests. What the version of the
        API lacks, or the user may not see, is left out, and a finding says so.

        :param node: the UUID or name of the node.
        :returns: ``name``, ``uuid`` and ``provision_state`` of the node; ``findings``, the worst
            first; ``verbs``, the provision verbs that it accepts now; and ``next``, the first
            command of a finding that can be run as it is, None if there is none.
        :raises NotFound: if the node does not exist.
        """
        from baremetalclient.v1.explain import explain

        return explain(cast("NodeManager", self), node, call)
