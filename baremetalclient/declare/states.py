"""How nodes get from one provision state to another, as a table."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from baremetalclient.v1.types import ProvisionVerb

StateField = Literal["provision_state", "power_state"]

ENROLL, MANAGEABLE, AVAILABLE, ACTIVE = "enroll", "manageable", "available", "active"


class Transition(NamedTuple):
    """A transition on the way to a state.

    :param verb: the target of the API.
    :param reached: the state that it leads to.
    """

    verb: ProvisionVerb
    reached: str


_MANAGE = Transition("manage", MANAGEABLE)
_PROVIDE = Transition("provide", AVAILABLE)
_DEPLOY = Transition("active", ACTIVE)
_UNDEPLOY = Transition("deleted", AVAILABLE)
_UNRESCUE = Transition("unrescue", ACTIVE)

_TO_MANAGEABLE = {MANAGEABLE: _MANAGE, AVAILABLE: _MANAGE, ACTIVE: _MANAGE}
_FROM_INSTANCE = {MANAGEABLE: _UNDEPLOY, AVAILABLE: _UNDEPLOY}

NEXT: Mapping[str, Mapping[str, Transition]] = MappingProxyType(
    {
        ENROLL: _TO_MANAGEABLE,
        MANAGEABLE: {AVAILABLE: _PROVIDE, ACTIVE: _PROVIDE},
        AVAILABLE: {MANAGEABLE: _MANAGE, ACTIVE: _DEPLOY},
        ACTIVE: _FROM_INSTANCE,
        "clean failed": _TO_MANAGEABLE,
        "inspect failed": _TO_MANAGEABLE,
        # What is on its disks may be wanted still, and cleaning would erase it.
        "adopt failed": {MANAGEABLE: _MANAGE},
        "deploy failed": {**_FROM_INSTANCE, ACTIVE: _DEPLOY},
        "error": {**_FROM_INSTANCE, ACTIVE: Transition("rebuild", ACTIVE)},
        "rescue": {**_FROM_INSTANCE, ACTIVE: _UNRESCUE},
        "rescue failed": {**_FROM_INSTANCE, ACTIVE: _UNRESCUE},
        "unrescue failed": {**_FROM_INSTANCE, ACTIVE: _UNRESCUE},
        "service failed": {**_FROM_INSTANCE, ACTIVE: Transition("abort", ACTIVE)},
    }
)
"""The next transition, by the present state and the wanted one."""

POWER_AFTER: Mapping[str, str] = MappingProxyType({ACTIVE: "power on", AVAILABLE: "power off"})
"""The power state that a transition leaves a node in, by the state that it leads to."""

REACHED_BY_UNDEPLOY = (AVAILABLE, MANAGEABLE)
"""The states that a tear-down can lead to: a retired node becomes manageable."""

IN_TRANSITION = frozenset(
    {
        *("verifying", "inspecting", "inspect wait", "adopting", "cleaning", "clean wait"),
        *("deploying", "wait call-back", "deleting", "rescuing", "rescue wait", "unrescuing"),
        *("servicing", "service wait"),
    }
)
"""States that a node leaves by itself."""

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
    return node["provision_state"] in IN_TRANSITION


def bound_for(node: Mapping[str, Any], field: StateField) -> str | None:
    """Return the provision state, or the power state, that a node is in or on its way to."""
    if field == "power_state":
        return node.get("target_power_state") or node.get("power_state")
    return settled(node)


def settled(node: Mapping[str, Any]) -> str:
    """Return the state that a node is in, or that it is on its way to."""
    state = str(node["provision_state"])
    return str(node.get("target_provision_state") or state) if state in IN_TRANSITION else state


def route(state: str, wanted: str) -> list[Transition] | None:
    """Return the transitions from a state to another, None if there is no way.

    :param state: the present state, not one in transition.
    :param wanted: the state to reach.
    """
    found: list[Transition] = []
    while state != wanted:
        step = NEXT.get(state, {}).get(wanted)
        if step is None:
            return None
        found.append(step)
        state = step.reached
    return found
