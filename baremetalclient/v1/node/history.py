"""History of nodes.

API reference, section "Node History"; since version 1.78.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from baremetalclient._http import urls
from baremetalclient._resource import manager
from baremetalclient._resource.resource import ResourceT
from baremetalclient.v1.node import features

if TYPE_CHECKING:
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.node import Node
    from baremetalclient.v1.objects import HistoryEvent


class NodeHistory(manager.Manager[ResourceT]):
    """Calls for the history of nodes."""

    def get_history_list(
        self, node_ident: str | Node, detail: bool = False, **call: Unpack[CallOptions]
    ) -> list[HistoryEvent]:
        """Return the history of a node; since version 1.78.

        :param node_ident: the UUID or name of the node.
        :param detail: whether to return all fields.
        """
        response = self._call(
            "GET",
            node_ident,
            "history",
            parameters={"detail": detail or None},
            features=[features.HISTORY],
            **call,
        )
        return response.items("history", dict)

    def get_history_event(
        self, node_ident: str | Node, event: str, **call: Unpack[CallOptions]
    ) -> HistoryEvent:
        """Return one event of the history of a node; since version 1.78.

        :param node_ident: the UUID or name of the node.
        :param event: the UUID of the event.
        """
        segment = urls.segment(event, "history event")
        needed = [features.HISTORY]
        response = self._call("GET", node_ident, "history", segment, features=needed, **call)
        return cast("HistoryEvent", response.object())
