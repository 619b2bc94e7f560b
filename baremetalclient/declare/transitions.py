"""How nodes get from one state to another, and when they are there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from baremetalclient.v1.provision_states import FIRST_NAMES, VERBS, find_state

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from baremetalclient.v1.provision_states import ProvisionVerb

StateField = Literal["provision_state", "power_state"]

ENROLL, MANAGEABLE, AVAILABLE, ACTIVE = "enroll", "manageable", "available", "active"


class Transition(NamedTuple):
    """A transition on the way to a state.

    :param verb: the target of the API.
    :param reached: the state that it leads to.
    """

    verb: ProvisionVerb
    reached: str


POLLED = (
    *("provision_state", "target_provision_state", "power_state", "target_power_state"),
    *("last_error", "maintenance", "maintenance_reason", "retired"),
)
"""The fields of nodes that are polled."""

POWER_AFTER: Mapping[str, str] = {ACTIVE: "power on", AVAILABLE: "power off"}
"""The power state that a transition leaves a node in, by the state that it leads to."""

FREE = frozenset({ENROLL, MANAGEABLE, AVAILABLE})
"""States in which Ironic lets the resource class and the interfaces of a node be changed."""

CONNECTABLE = frozenset({ENROLL, MANAGEABLE})
"""States in which Ironic lets the connections of ports be changed."""

DELETABLE = frozenset({ENROLL, MANAGEABLE, AVAILABLE, "adopt failed"})
"""States in which Ironic lets a node be deleted."""


def is_moving(node: Mapping[str, Any], field: StateField) -> bool:
    """Return whether a node is about to leave its provision state, or its power state."""
    if field == "power_state":
        return bool(node.get("target_power_state"))
    return find_state(node["provision_state"]).is_moving


def bound_for(node: Mapping[str, Any], field: StateField = "provision_state") -> str:
    """Return the provision state, or the power state, that a node is in or on its way to."""
    target = node.get(f"target_{field}")
    return str(target if target and is_moving(node, field) else node.get(field))


def route(state: str, wanted: str) -> list[Transition] | None:
    """Return the transitions from a state to another, None if there is no way.

    :param state: the present state, not one in transition.
    """
    # What is on its disks may be wanted still, and cleaning would erase it.
    if state == "adopt failed" and wanted != MANAGEABLE:
        return None
    ways: dict[str, list[Transition]] = {state: []}
    for place in (queue := [state]):
        if place == wanted:
            break
        for step in _transitions(place):
            if step.reached not in ways:
                ways[step.reached] = [*ways[place], step]
                queue.append(step.reached)
    return ways.get(wanted)


def _transitions(name: str) -> Iterator[Transition]:
    state = find_state(name)
    if state.kind not in ("stable", "failed"):
        return
    for command in state.verbs:
        verb = FIRST_NAMES.get(command, command)
        reached: str | None = VERBS[verb].to
        # A failed service step is given up; otherwise it depends on what is aborted.
        if (name, verb) == ("service failed", "abort"):
            reached = ACTIVE
        if reached and VERBS[verb].plannable:
            yield Transition(verb, reached)
