"""The timeline of a command: the states of resources that it has seen, and what it has done."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from baremetalclient import _clock
from baremetalclient._bulk.listener import Listener, Target

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from baremetalclient import exc
    from baremetalclient._bulk.result import Result
    from baremetalclient._resource.resource import Item
    from baremetalclient.osc.terminal.printing_listener import PrintingListener

_DONE, _LATE, _FAILED = range(3)
"""The kinds of ticks."""


@dataclass
class _Lane:
    number: int
    uuid: str | None = None
    failed: bool = False
    states: list[list[Any]] = field(default_factory=list)


class Timeline:
    """Notes what happens to resources, at the time when it is told."""

    def __init__(self) -> None:
        self._start = time.time()
        self._began = _clock.monotonic()
        self._lanes: dict[str, _Lane] = {}
        self._ticks: list[list[Any]] = []

    def see(self, name: str, state: str | None, error: str | None = None) -> None:
        """Note the state of a resource, if it has changed.

        :param state: its state, None if it is gone.
        :param error: its last error.
        """
        states = self._lane(name).states
        if not states or states[-1][2] != state:
            now = self._now()
            states.append([now, now, state, error])

    def note(self, name: str, text: str, error: str = "", *, failed: bool = False) -> None:
        """Note what was done to a resource.

        :param error: why it was not done, if it wasn't.
        :param failed: whether it has failed.
        """
        lane, now = self._lane(name), self._now()
        lane.failed |= failed
        kind = _FAILED if failed else _LATE if error else _DONE
        details = {"error": error} if error else {}
        self._ticks.append([now, now, lane.number, text, kind, details])

    def identify(self, name: str, uuid: str | None) -> None:
        """Note the UUID of a resource, if it is known; it gets a lane even if nothing happened."""
        lane = self._lane(name)
        lane.uuid = uuid or lane.uuid

    def failed_names(self) -> set[str]:
        """Return the names of the resources that are noted to have failed."""
        return {name for name, lane in self._lanes.items() if lane.failed}

    def document(self) -> dict[str, Any]:
        """Return the timeline, in the form that ``timeline.js`` describes."""
        return {
            "start": self._start,
            "end": self._start + self._now(),
            "lanes": [
                {
                    "name": name,
                    "uuid": lane.uuid,
                    "failed": lane.failed,
                    "states": lane.states,
                    "due": None,
                }
                for name, lane in self._lanes.items()
            ],
            "ticks": self._ticks,
        }

    def _lane(self, name: str) -> _Lane:
        return self._lanes.setdefault(name, _Lane(len(self._lanes)))

    def _now(self) -> float:
        return round(_clock.monotonic() - self._began, 3)


class TimelineListener(Listener):
    """Notes what an action or a wait does, and tells the console.

    :param state_field: the field with the state of the resources, empty if there is none.
    """

    def __init__(self, timeline: Timeline, console: PrintingListener, state_field: str) -> None:
        self._timeline = timeline
        self._console = console
        self._state_field = state_field

    def present(self, items: Iterable[Item | None]) -> None:
        """Note the states of resources before anything is done; None stands for one that isn't."""
        for item in filter(None, items):
            self._see(item.get("name") or item["uuid"], item, self._state_field)

    def accepted(self, target: Target, value: Any) -> None:
        self._timeline.note(target.label, "requested")
        self._console.accepted(target, value)

    def refused(self, target: Target, error: exc.ClientException) -> None:
        self._timeline.note(target.label, "refused", str(error), failed=True)
        self._console.refused(target, error)

    def seen(self, target: Target, item: Item | None, state_field: str, seconds: float) -> None:
        self._see((item or {}).get("name") or target.label, item, state_field)
        self._console.seen(target, item, state_field, seconds)

    def failed(self, result: Result) -> None:
        self._timeline.note(result.label, result.result, result.error or "", failed=True)
        self._console.failed(result)

    def polled(self) -> None:
        self._console.polled()

    def _see(self, name: str, item: Mapping[str, Any] | None, state_field: str) -> None:
        if item is None:
            self._timeline.see(name, None)
        elif state := item.get(state_field):
            self._timeline.see(name, state, item.get("last_error"))
