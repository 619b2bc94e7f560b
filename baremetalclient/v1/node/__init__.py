"""Nodes: the bare metal machines; a module for each topic.

API reference, section "Nodes".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient._resource.arguments import options_from
from baremetalclient.v1.calls.node import NodeCalls
from baremetalclient.v1.node.bulk import NodeBulk
from baremetalclient.v1.node.children import NodeChildren
from baremetalclient.v1.node.features import RESET_INTERFACES
from baremetalclient.v1.node.inventory import NodeInventory
from baremetalclient.v1.node.management import NodeManagement
from baremetalclient.v1.node.states import NodeStates
from baremetalclient.v1.node.traits_and_vifs import NodeTraitsAndVifs
from baremetalclient.v1.node_fields import Node

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.arguments import NodeChanges
    from baremetalclient.v1.objects import Explanation, Patch

__all__ = ["Node", "NodeManager"]


class NodeManager(
    NodeStates[Node],
    NodeBulk[Node],
    NodeTraitsAndVifs[Node],
    NodeChildren[Node],
    NodeManagement[Node],
    NodeInventory[Node],
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

    def explain(
        self, node: str | Node, *, all_findings: bool = False, **call: Unpack[CallOptions]
    ) -> Explanation:
        """Explain the state of a node: what is in the way, and what to do about it.

        All that belongs to the node is fetched, with up to ten requests. What the version of the
        API lacks, or the user may not see, is left out, and a finding says so.

        :param node: the UUID or name of the node.
        :param all_findings: whether to include those that most users can do without, such as that
            the node has no console.
        :returns: ``name``, ``uuid`` and ``provision_state`` of the node, ``since`` when it is in
            this state, in ``seconds``, too, ``last_heartbeat`` and ``step``; ``findings``, the
            worst first; ``verbs``, the provision verbs that it accepts now; ``next``, the first
            command of a finding that can be run as it is, None if there is none; and ``advice``,
            this command, or what to do instead.
        :raises NotFound: if the node does not exist.
        """
        from baremetalclient.v1.explain import explanation_of
        from baremetalclient.v1.explain.facts import gather

        return explanation_of(gather(self, node, call), all_findings=all_findings)
