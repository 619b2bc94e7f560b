"""Polls of many nodes with one list instead of a request for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient.v1.node.features import CHILDREN

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.node import Node, NodeManager

FEW = 4
"""The number of nodes from which on a list is cheaper than a request for each."""


class NodePoller:
    """Fetch the present state of nodes, with as few requests as possible.

    :param manager: the manager of nodes.
    :param fields: the fields to fetch besides ``uuid`` and ``name``.
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
        self._fields = list(dict.fromkeys(("uuid", "name", *fields)))
        self._filters = dict(filters or {})

    def poll(self, pending: Collection[str], **call: Unpack[CallOptions]) -> dict[str, Node | None]:
        """Return the nodes by what they were called, None for those that are gone.

        Fewer than four nodes are requested one by one; more in one pass over the list.

        :param pending: UUIDs or names.
        :param call: the options of every call.
        """
        if len(pending) < FEW:
            return {ident: self._one(ident, call) for ident in pending}
        found: dict[str, Node | None] = dict.fromkeys(pending)
        filters = dict(self._filters)
        if self._manager.http.version() >= CHILDREN.since:
            filters["include_children"] = True
        for node in self._manager.iterate(**filters, fields=self._fields, **call):
            for ident in (node.uuid, node.name):
                if ident in found:
                    found[ident] = node
        if self._filters:
            # They may have been changed by others, so that the filters no longer match.
            for ident in [ident for ident, node in found.items() if node is None]:
                found[ident] = self._one(ident, call)
        return found

    def _one(self, ident: str, call: CallOptions) -> Node | None:
        try:
            return self._manager.get(ident, fields=self._fields, **call)
        except exc.NotFound:
            return None
