"""Polls of many nodes with one list instead of a request for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient.v1.node import conditions

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from baremetalclient.v1.node import Node, NodeManager


class NodePoller:
    """Fetch the present state of nodes, with as few requests as possible.

    :param manager: the manager of nodes.
    :param fields: the fields to fetch besides ``uuid``, ``name`` and the provision state.
    :param filters: arguments of ``client.node.list`` that all these nodes match for as long as they
        are polled.
    """

    def __init__(
        self,
        manager: NodeManager,
        fields: Sequence[str],
        filters: Mapping[str, Any] | None = None,
    ) -> None:
        self._manager = manager
        self._poll = conditions.poller(manager, fields, filters)

    def poll(
        self, pending: Collection[str], deadline: float | None = None
    ) -> dict[str, Node | None]:
        """Return the nodes by what they were called, None for those that are gone.

        Fewer than four nodes are requested one by one; more in one pass over the list.

        :param pending: UUIDs or names.
        :param deadline: the seconds that each request may take, None for no limit.
        """
        found = self._poll(pending, deadline)
        make, manager = self._manager.resource_class, self._manager
        return {
            ident: None if item is None else make(manager, item) for ident, item in found.items()
        }
