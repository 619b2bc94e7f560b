"""Polls of many nodes with one list instead of a request for each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient.v1.node.features import CHILDREN

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.node import Node, NodeManager

_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
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
        self._wanted = tuple(dict.fromkeys(("uuid", "name", *fields)))
        self._filters = dict(filters or {})

    def poll(self, pending: Collection[str], **call: Unpack[CallOptions]) -> dict[str, Node | None]:
        """Return the nodes by what they were called, None for those that are gone.

        Fewer than four nodes are requested one by one; more in one pass over the list.

        :param pending: UUIDs or names.
        :param call: the options of every call.
        """
        if len(pending) < FEW:
            return {ident: self._one(ident, call) for ident in pending}
        # UUIDs can be written in capitals.
        wanted = {ident.lower() if _UUID.fullmatch(ident) else ident: ident for ident in pending}
        found: dict[str, Node | None] = dict.fromkeys(pending)
        filters = dict(self._filters)
        if CHILDREN.since <= self._manager.http.version():
            filters["include_children"] = True
        for node in self._manager.iterate(**filters, fields=self._fields, **call):
            for ident in (node.uuid, getattr(node, "name", None)):
                if ident in wanted:
                    found[wanted[ident]] = node
        if self._filters:
            # They may have been changed by others, so that the filters no longer match.
            for ident in [ident for ident, node in found.items() if node is None]:
                found[ident] = self._one(ident, call)
        return found

    @property
    def _fields(self) -> list[str]:
        """The fields that the version in use has."""
        version, resource_type = self._manager.http.version(), self._manager.resource_type
        return [name for name in self._wanted if resource_type.by_name[name].since <= version]

    def _one(self, ident: str, call: CallOptions) -> Node | None:
        try:
            return self._manager.get(ident, fields=self._fields, **call)
        except exc.NotFound:
            return None
