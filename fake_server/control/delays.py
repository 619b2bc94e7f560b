"""The delays of transitions: for all, for each kind of transition, and for single nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal.conductor.due.registry import DELAYS
from fake_server.common.rest import known, number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.control.state import ControlState
    from fake_server.db.store import Record

#: The longest, in seconds; a test needs no more than thirty years.
LONGEST = 1e9
_PARTS = ("default", "transitions", "nodes")


class Delays:
    """The delays in force.

    :param ordinary: seconds of transitions that have no delay of their own.
    """

    def __init__(self, state: ControlState, ordinary: float) -> None:
        self._state = state
        self._ordinary = ordinary

    def show(self) -> dict[str, Any]:
        """Return the delays: ``default``, those of ``transitions``, and those of ``nodes``."""
        return {"default": self._ordinary, "transitions": {}, "nodes": {}, **self._state.delays}

    def set(
        self,
        *,
        default: float | None = None,
        transitions: Mapping[str, float] | None = None,
        nodes: Mapping[str, Mapping[str, float]] | None = None,
    ) -> None:
        """Set all delays; those that aren't given are as the server was started.

        A step or another transition that has begun takes as long as before.

        :param default: seconds of transitions that have no delay of their own.
        :param transitions: seconds by transition, one of :data:`DELAYS`.
        :param nodes: the same for nodes, by UUID or name; ``default`` is for the others of a node.
        :raises ValueError: for an invalid delay.
        """
        delays: dict[str, Any] = {}
        if default is not None:
            delays["default"] = _seconds("default", default)
        if transitions:
            delays["transitions"] = _checked("transitions", transitions, DELAYS)
        if nodes:
            if not isinstance(nodes, dict):
                raise ValueError("nodes has to be an object: delays by UUID or name.")
            delays["nodes"] = {
                node: _checked(f"nodes.{node}", values, ("default", *DELAYS))
                for node, values in nodes.items()
            }
        self._state.change(lambda _: None, delays=delays)

    def replace(self, values: Mapping[str, Any]) -> None:
        """Set all delays as :meth:`show` shows them.

        :raises ValueError: for an invalid delay.
        """
        self.set(**known(values, _PARTS))

    def of(self, node: Record, transition: str) -> float:
        """Return the seconds that a transition of a node takes."""
        delays = self._state.delays
        if not delays:
            return self._ordinary
        nodes = delays.get("nodes", {})
        own = nodes.get(node["uuid"]) or nodes.get(node["name"]) or {}
        common = delays.get("transitions", {})
        for values, name in ((own, transition), (own, "default"), (common, transition)):
            if name in values:
                return float(values[name])
        return float(delays.get("default", self._ordinary))


def _checked(place: str, values: Any, names: tuple[str, ...]) -> dict[str, float]:
    if not isinstance(values, dict):
        raise ValueError(f"{place} has to be an object: seconds by {', '.join(names)}.")
    return {
        name: _seconds(f"{place}.{name}", value) for name, value in known(values, names).items()
    }


def _seconds(place: str, value: Any) -> float:
    seconds = number(place, value)
    if not 0 <= seconds <= LONGEST:
        raise ValueError(f"{place} has to be from 0 to {LONGEST:.0f} seconds, not {seconds}.")
    return float(seconds)
