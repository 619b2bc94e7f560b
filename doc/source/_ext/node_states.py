"""The picture ``node-states`` and the directive ``state-table``, from the state machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList
from drawing import Arrow, Box, Drawing

from fake_server.baremetal import states

if TYPE_CHECKING:
    from sphinx.application import Sphinx

#: States that are drawn as one, by the first of them.
_GROUPS = {
    states.CLEANING: (states.CLEANWAIT, states.CLEANHOLD),
    states.DEPLOYING: (states.DEPLOYWAIT, states.DEPLOYHOLD),
    states.INSPECTING: (states.INSPECTWAIT,),
    states.RESCUING: (states.RESCUEWAIT,),
    states.SERVICING: (states.SERVICEWAIT, states.SERVICEHOLD),
}
_GROUP_OF = {state: first for first, others in _GROUPS.items() for state in others}
#: Verbs as commands have them, by what the state machine calls them.
_VERBS = {"delete": "undeploy"}
_LEFT, _MIDDLE, _RIGHT = 110.0, 370.0, 630.0
_PLACES = {
    states.ENROLL: (_MIDDLE, 30),
    states.VERIFYING: (_MIDDLE, 115),
    states.MANAGEABLE: (_MIDDLE, 200),
    states.INSPECTING: (_RIGHT, 200),
    states.CLEANING: (_MIDDLE, 320),
    states.ADOPTING: (_LEFT, 320),
    states.AVAILABLE: (_MIDDLE, 440),
    states.DELETING: (_RIGHT, 440),
    states.DEPLOYING: (_MIDDLE, 560),
    states.SERVICING: (_LEFT, 700),
    states.ACTIVE: (_MIDDLE, 700),
    states.RESCUING: (_RIGHT, 700),
    states.UNRESCUING: (_MIDDLE, 800),
    states.RESCUE: (_RIGHT, 800),
}
#: The points between two boxes where a straight line would cross others, and the label's place.
_WAYS: dict[tuple[str, str], tuple[tuple[tuple[float, float], ...], tuple[float, float]]] = {
    (states.AVAILABLE, states.MANAGEABLE): (
        ((300, 440), (240, 440), (240, 212), (300, 212)),
        (240, 390),
    ),
    (states.MANAGEABLE, states.ADOPTING): (((300, 188), (110, 188), (110, 304)), (180, 188)),
    (states.ADOPTING, states.ACTIVE): (
        ((110, 336), (110, 620), (312, 620), (312, 684)),
        (110, 500),
    ),
    (states.ACTIVE, states.DELETING): (
        ((440, 692), (520, 692), (520, 440), (560, 440)),
        (520, 520),
    ),
    (states.DELETING, states.CLEANING): (((630, 424), (630, 320), (440, 320)), (630, 370)),
    (states.RESCUE, states.DELETING): (
        ((700, 800), (735, 800), (735, 440), (700, 440)),
        (735, 620),
    ),
    (states.RESCUE, states.RESCUING): (((650, 784), (650, 724)), (665, 754)),
    (states.RESCUING, states.RESCUE): (((610, 724), (610, 784)), (610, 754)),
}


class StateTable(Directive):
    """Show all transitions, or those after failures: ``all`` or ``failures``."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        make = {"all": _all_rows, "failures": _failure_rows}[self.arguments[0]]
        lines = [".. list-table::", "   :header-rows: 1", ""]
        for row in make():
            lines += [
                f"   {'*' if not column else ' '} - {cell}" for column, cell in enumerate(row)
            ]
        content = nodes.container()
        self.state.nested_parse(StringList([*lines, ""], "states"), 0, content)
        return content.children


def draw() -> Drawing:
    """Return the picture; fail if the table has a state or a transition without a place."""
    boxes = {
        state: Box(
            *place,
            (state, *_GROUPS.get(state, ())),
            rounded=state in states.UNSTABLE,
        )
        for state, place in _PLACES.items()
    }
    arrows = [_way(boxes, *edge, ", ".join(verbs)) for edge, verbs in _edges().items()]
    return Drawing(780, 830, list(boxes.values()), arrows)


def _edges() -> dict[tuple[str, str], list[str]]:
    """Return what is drawn: pairs of states, with the verbs from the one to the other."""
    found: dict[tuple[str, str], list[str]] = {}
    for state, events in states.TRANSITIONS.items():
        if state in states.FAILED or state == states.ERROR:
            continue
        for event, after in events.items():
            edge = _GROUP_OF.get(state, state), _GROUP_OF.get(after, after)
            waiting = state in _GROUP_OF and event == "delete"
            if event in ("fail", "abort") or edge[0] == edge[1] or waiting:
                continue
            verbs = found.setdefault(edge, [])
            if state not in states.UNSTABLE:
                verbs.append(_VERBS.get(event, event))
    return found


def _way(boxes: dict[str, Box], before: str, after: str, verbs: str) -> Arrow:
    dashed = not verbs
    if (before, after) in _WAYS:
        points, label_at = _WAYS[before, after]
        return Arrow(points, verbs, dashed, label_at)
    start, end = boxes[before], boxes[after]
    both = (after, before) in _edges()
    if start.x == end.x:
        down = 1 if end.y > start.y else -1
        x = start.x + (35 * down if both else 0)
        top, bottom = start.y + down * start.height / 2, end.y - down * end.height / 2
        return Arrow(((x, top), (x, bottom)), verbs, dashed)
    if start.y != end.y:
        raise ValueError(f"The picture has no place for the way from {before!r} to {after!r}.")
    right = 1 if end.x > start.x else -1
    y = start.y + (12 * right if both else 0)
    return Arrow(
        ((start.x + right * start.width / 2, y), (end.x - right * end.width / 2, y)), verbs, dashed
    )


def _all_rows() -> list[tuple[str, ...]]:
    rows = [("State", "Verb", "What the node does by itself")]
    for state, events in states.TRANSITIONS.items():
        possible = {*states.VERBS.values(), "rebuild"}
        own = state in states.UNSTABLE and not state.endswith(("wait", "call-back"))
        verbs, alone = [], []
        for event, after in events.items():
            if event in possible and not own:
                verbs.append(f"``{_VERBS.get(event, event)}``: {after}")
            else:
                alone.append(after)
        rows.append((state, "; ".join(verbs), ", ".join(dict.fromkeys(alone))))
    return rows


def _failure_rows() -> list[tuple[str, ...]]:
    rows = [("State", "After a failure", "After ``abort``")]
    for state, events in states.TRANSITIONS.items():
        if "fail" in events or "abort" in events:
            rows.append((state, events.get("fail", ""), events.get("abort", "")))
    return rows


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("state-table", StateTable)
    return {"parallel_read_safe": True}
