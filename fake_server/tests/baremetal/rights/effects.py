"""What becomes of a node that is asked for something in a state: on Ironic, and on the fake server.

Only the standard library is used, as it runs in Ironic's environment, too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fake_server.tests.baremetal.rights import conditions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Send = Callable[[str, str, Any], tuple[int, Any]]

_OF_A_MOMENT = ("updated_at", "links", "conductor", "power_state_updated_at")
_LONGEST = 160
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_GIVEN = str([conditions.CONDITIONS, conditions.CHANGES])
# Other requests change what belongs to the node, not the node.
_AT_NODES = ("nodes", "allocations", "heartbeat", "continue_inspection")


def requests() -> Iterator[tuple[str, tuple[str, str, Any]]]:
    """Yield what is asked, with names: all that changes something, in the latest version."""
    for name, _, request in conditions.requests(""):
        method, path, _ = request
        if method != "GET" and path.startswith(tuple(f"/v1/{kind}" for kind in _AT_NODES)):
            yield name, request


def effects(send: Send, prepare: Callable[[], None]) -> dict[str, str]:
    """Return what differs at the node after each request that is accepted, by its name.

    :param prepare: makes the node as it is in a condition.
    """
    prepare()
    before = _shown(send)
    told = {}
    for name, request in requests():
        status, _ = send(*request)
        if status < 400:
            found = _changes(before, _shown(send))
            told[name] = "; ".join(found) or "nothing"
            prepare()
    return told


def _shown(send: Send) -> dict[str, Any]:
    """Return what there is at the node."""
    status, node = send("GET", f"/v1/nodes/{conditions.NODE}", None)
    if status == 404:
        return {"gone": True}
    _, told = send("GET", f"/v1/nodes/{conditions.NODE}/history?detail=true", None)
    node["history"] = [f"{each['event_type']}: {each['event']}" for each in told["history"]]
    return {name: value for name, value in node.items() if name not in _OF_A_MOMENT}


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    for name in sorted(before.keys() | after.keys()) if "gone" not in after else ("gone",):
        was, now = before.get(name), after.get(name)
        if was == now:
            continue
        if name == "history":
            yield from (f"history: {_brief(event)}" for event in now[len(was) :])
        elif name == "driver_internal_info":
            yield from (f"+{key}" for key in sorted(now) if key not in was)
            yield from (f"-{key}" for key in sorted(was) if key not in now)
        elif name.endswith("_at"):
            yield f"{name}={'now' if now else None}"
        else:
            yield f"{name}={_brief(str(now))}"


def _brief(text: str) -> str:
    """Cut what is long: what tells it from others is at its beginning."""
    line = text.replace(conditions.NODE, "NODE").replace(";", ",").replace("\n", " ")
    line = _UUID.sub(lambda found: found[0] if found[0] in _GIVEN else "UUID", line)
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
