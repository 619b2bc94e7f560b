"""``stale-list``: a list of nodes lacks one that is there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.common.wsgi import Request, Response
    from fake_server.settings import Settings
    from fake_server.sweep.calls import Asked
    from fake_server.sweep.kinds.kind import Situation

_LISTS = ("/v1/nodes", "/v1/nodes/detail")


class StaleList:
    """A list comes from a replica, or from a moment before: a node isn't in it yet."""

    name = "stale-list"
    text = "one list of nodes lacks the node that is asked for next, else the newest"

    def applies(self, asked: Asked, settings: Settings) -> bool:
        """Return whether the request is for a list of nodes."""
        return asked.call.method == "GET" and asked.call.route in _LISTS

    def act(self, situation: Situation, proceed: Callable[[Request], Response]) -> Response:
        """Answer with the list without the node."""
        response = proceed(situation.request)
        try:
            body = json.loads(response.body)
            nodes = body["nodes"]
        except (ValueError, KeyError, TypeError):
            return response
        absent = _absent(nodes, situation.next_node)
        if absent is not None:
            body["nodes"] = [node for node in nodes if node is not absent]
            response.body = json.dumps(body).encode()
        return response


def _absent(nodes: list[Any], wanted: str | None) -> Any:
    named = (node for node in nodes if wanted in (node.get("name"), node.get("uuid")))
    return next(named, nodes[-1] if nodes else None)
