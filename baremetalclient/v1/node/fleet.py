"""Calls for many nodes: selecting them, and acting on all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._resource import manager
from baremetalclient._resource.resource import ResourceT

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions


class NodeFleet(manager.Manager[ResourceT]):
    """Calls for many nodes."""

    def select(
        self,
        *expressions: str,
        fields: Sequence[str] = (),
        **call: Unpack[CallOptions],
    ) -> list[ResourceT]:
        """Return the nodes that match at least one expression, sorted by name.

        The server is asked for as much as its filters can do, in one pass over the list; the rest
        is compared here. Nodes without a name are sorted by UUID.

        :param expressions: what to select, see :meth:`.Selection.parse`; all nodes without any.
        :param fields: other fields to fetch besides ``uuid``, ``name`` and those compared.
        :raises ValidationError: if an expression is wrong; nothing is sent.
        """
        from baremetalclient.v1.node.selection import Selection

        selection = Selection.parse(expressions)
        wanted = dict.fromkeys(("uuid", "name", *selection.fields, *fields))
        filters, detail = selection.filters, selection.detailed
        chosen = None if detail else list(wanted)
        try:
            found: list[Any] = self._list(filters, limit=0, detail=detail, fields=chosen, **call)
        except exc.NotFound as error:
            # The server knows no such chassis; other filters just find nothing.
            if filters.get("chassis", "/") not in str(error):
                raise
            return []
        return sorted(filter(selection.matches, found), key=lambda node: node.name or node.uuid)
