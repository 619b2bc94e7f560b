"""Following nodes: waiting until conditions hold, and watching changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient._resource import manager
from baremetalclient._resource.resource import ResourceT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient._resource.results import Result
    from baremetalclient.v1.node import Node
    from baremetalclient.v1.objects import NodeEvent


class NodeFollowing(manager.Manager[ResourceT]):
    """Calls that follow nodes."""

    def wait_for(
        self,
        nodes: str | Node | Iterable[str | Node],
        condition: str | Callable[[Node], object],
        timeout: float = 0,
        **call: Unpack[CallOptions],
    ) -> list[Result]:
        """Wait until a condition holds for nodes, and return a result for each, in their order.

        Four or more nodes are polled with one list. The wait goes on while the server is
        unreachable. A deadline is for each poll.

        :param nodes: UUIDs or names, or nodes as they were returned.
        :param condition: the condition, such as ``provision_state=active and power_state=power on``
            (see :meth:`.Condition.parse`), or a function that is called with a node and tells
            whether it holds.
        :param timeout: the maximum seconds to wait for all nodes, 0 for no limit.
        :raises ValidationError: if the condition is wrong; nothing is sent.
        :raises StateTransitionFailed: if a node is in a failure state that the condition does not
            name, or it is gone and the condition does not have ``deleted``.
        :raises StateTransitionTimeout: if the time is over.
        """
        from baremetalclient.v1.node import conditions

        return conditions.wait_for(self, nodes, condition, timeout, call)

    def watch(
        self,
        nodes: str | Node | Iterable[str | Node] | None = None,
        *,
        select: str | Sequence[str] | None = None,
        timeout: float = 0,
        **call: Unpack[CallOptions],
    ) -> Iterator[NodeEvent]:
        """Yield the nodes, and then each change of their states and errors.

        The watch goes on while the server is unreachable. A deadline is for each poll.

        :param nodes: UUIDs or names, or nodes as they were returned; None for all nodes.
        :param select: watch the nodes that match one of these expressions, see
            :meth:`.Selection.parse`, and those that match it later. They are still watched when
            what changes is what is watched.
        :param timeout: the maximum seconds, 0 for no limit.
        :returns: an event for each node, ``present``, with its fields; then ``changed`` with the
            fields that changed, ``added`` and ``removed``.
        :raises ValidationError: if an expression is wrong, or there are nodes and expressions.
        :raises NotFound: if a node does not exist at the beginning.
        """
        from baremetalclient.v1.node import watching

        return watching.watch(self, nodes, select, timeout, call)
