"""The progress of an action for many nodes as a table on a terminal."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING, Any

from baremetalclient.osc.fleet import Console
from baremetalclient.osc.live_table import LiveTable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from baremetalclient import exc
    from baremetalclient._resource.results import Result
    from baremetalclient.osc.nodes import NodesCommand
    from baremetalclient.v1.node import Node
    from baremetalclient.v1.node.acting import Target

_NOT_STARTED = "not started"
_REQUESTED = "requested"
_REFUSED = "refused"
_INTERVAL = 0.2
"""The minimum seconds between two drawings."""


class LiveConsole(Console):
    """Draws one table on stderr instead of a line for each change; errors follow at the end.

    :param command: the command.
    :param parsed_args: its arguments.
    :param targets: the nodes.
    """

    def __init__(
        self, command: NodesCommand, parsed_args: argparse.Namespace, targets: Sequence[Target]
    ) -> None:
        super().__init__(command, parsed_args, targets)
        field = command.state_field
        self._table = LiveTable(command.app.stderr, ("name", field, "remarks"))
        self._rows = dict.fromkeys(reversed(targets), (_NOT_STARTED, ""))
        self._refused: list[tuple[Target, exc.ClientException]] = []
        self._drawn = 0.0

    def accepted(self, target: Target, value: Any) -> None:
        """Show that a request was accepted."""
        self._put(target, _REQUESTED, "")

    def refused(self, target: Target, error: exc.ClientException) -> None:
        """Show that a request was refused."""
        self._refused.append((target, error))
        self._put(target, _REFUSED, str(error))

    def seen(self, target: Target, node: Node | None, seconds: float) -> None:
        """Show the state of a node."""
        if node is None:
            self._put(target, "deleted", "")
            return
        field = self._command.state_field
        aim = getattr(node, f"target_{field}", None)
        remark = getattr(node, "last_error", None) or (f"target {aim}" if aim else "")
        self._put(target, str(getattr(node, field)), remark)

    def polled(self) -> None:
        """Draw the table."""
        self._draw()

    def finish(self, results: Sequence[Result], *, interrupted: bool, summary: bool) -> None:
        """Draw the table for the last time, and print all errors below it."""
        self._draw()
        for target, error in self._refused:
            super().refused(target, error)
        super().finish(results, interrupted=interrupted, summary=summary)

    def _put(self, target: Target, state: str, remark: str) -> None:
        if self._rows[target] != (state, remark):
            del self._rows[target]
            self._rows[target] = (state, remark)
        if time.monotonic() >= self._drawn + _INTERVAL:
            self._draw()

    def _draw(self) -> None:
        counts = Counter(state for state, _ in self._rows.values())
        # What has changed last comes first, so that it is seen on a low terminal.
        self._table.draw(
            [(target.label, *row) for target, row in reversed(self._rows.items())],
            ", ".join(f"{number} {state}" for state, number in counts.most_common()),
        )
        self._drawn = time.monotonic()
