"""Indicators of nodes: the lights on a machine.

API reference, section "Node Management"; since version 1.63.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from baremetalclient._http import urls
from baremetalclient._resource import arguments, manager
from baremetalclient._resource.resource import ResourceT
from baremetalclient.v1.node.features import INDICATORS

if TYPE_CHECKING:
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.node import Node
    from baremetalclient.v1.objects import CurrentIndicatorState, Indicator
    from baremetalclient.v1.types import IndicatorState


class NodeIndicators(manager.Manager[ResourceT]):
    """Calls for the indicators of nodes."""

    def list_indicators(
        self, node_ident: str | Node, **call: Unpack[CallOptions]
    ) -> list[Indicator]:
        """Return the indicators of a node.

        :param node_ident: the UUID or name of the node.
        :returns: an object for each indicator: ``name`` such as ``led-0@chassis``, ``component``,
            ``readonly``, ``states`` (those that it can have) and ``links``.
        :raises BadRequest: if the management interface of the node has no indicators.
        """
        path = ("management", "indicators")
        response = self._call("GET", node_ident, *path, features=[INDICATORS], **call)
        return response.items("indicators", dict)

    def get_indicator_state(
        self, node_ident: str | Node, indicator: str, **call: Unpack[CallOptions]
    ) -> CurrentIndicatorState:
        """Return the state of an indicator, under ``state``.

        :param node_ident: the UUID or name of the node.
        :param indicator: the name of the indicator with its component.
        """
        path = ("management", "indicators", urls.segment(indicator, "indicator"))
        response = self._call("GET", node_ident, *path, features=[INDICATORS], **call)
        return cast("CurrentIndicatorState", response.object())

    def set_indicator_state(
        self,
        node_ident: str | Node,
        indicator: str,
        state: IndicatorState,
        **call: Unpack[CallOptions],
    ) -> None:
        """Switch an indicator.

        :param node_ident: the UUID or name of the node.
        :param indicator: the name of the indicator with its component.
        :param state: ``on``, ``off`` or ``blinking``.
        """
        body = {"state": arguments.text(state, "state").lower()}
        path = ("management", "indicators", urls.segment(indicator, "indicator"))
        self._call("PUT", node_ident, *path, body=body, features=[INDICATORS], **call)
