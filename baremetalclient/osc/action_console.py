"""What an action for many resources prints: progress, results and failures."""

from __future__ import annotations

import time
from collections import Counter, deque
from typing import TYPE_CHECKING, Any

from baremetalclient._bulk.action import Listener
from baremetalclient.osc.command import PartlyDone
from baremetalclient.osc.explain_hint import is_explained, print_hint
from baremetalclient.osc.progress import ProgressReporter, failure_messages, state_cells

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from baremetalclient import exc
    from baremetalclient._bulk.action import Target
    from baremetalclient._bulk.fetcher import Item
    from baremetalclient._bulk.result import Result
    from baremetalclient.osc.command import Command
    from baremetalclient.osc.live_view import LiveView

_INTERVAL = 0.2
"""The minimum seconds between two drawings of the table."""


class Console(Listener):
    """Reports progress on stderr, and results on stdout if the command prints them.

    :param command: the command.
    :param noun: what the resources are.
    :param targets: the resources, in the order in which stdout names them.
    :param action: the action in the message of a failure, such as ``inject an NMI into``.
    :param state_field: the field for the state, empty if there is none.
    :param changes_state: whether the action requests another state.
    :param to_stdout: whether stdout has the messages of what is done, instead of stderr.
    """

    def __init__(
        self,
        command: Command,
        noun: str,
        targets: Sequence[Target],
        *,
        action: str,
        state_field: str,
        changes_state: bool,
        to_stdout: bool,
    ) -> None:
        self._to_come = deque(targets)
        self._done: dict[Target, Sequence[str]] = {}
        self._command = command
        self._noun = noun
        self._action = action
        self._state_field = state_field
        self._changes_state = changes_state
        self._to_stdout = to_stdout
        self._failed: list[Result] = []
        self._to_explain: list[str] = []
        self._tell = ProgressReporter(command, noun)

    def accepted(self, target: Target, value: Any) -> None:
        self._print_done(target, value)

    def refused(self, target: Target, error: exc.ClientException) -> None:
        self._print_done(target, error.done if isinstance(error, PartlyDone) else ())
        message = f"Failed to {self._action} {self._noun} {target.label}"
        self._command.report_error(message, error)
        explained = is_explained(error, changes_state=self._changes_state)
        if explained and self._noun == "node":
            self._to_explain.append(target.label)

    def seen(self, target: Target, item: Item | None, seconds: float) -> None:
        if item is None:
            return
        field = self._state_field
        self._tell.note(target.label, str(item.get(field)), item.get(f"target_{field}"), seconds)

    def failed(self, result: Result) -> None:
        self._failed.append(result)

    def polled(self) -> None:
        self._tell.polled()
        self._print_noted()

    def finish(self, results: Sequence[Result], *, interrupted: bool, summary: bool) -> None:
        """Print what was not done, and how much was."""
        for messages in self._done.values():
            for message in messages:
                self._command.print_message(message)
        self._print_noted()
        self._print_failures(one for one in results if one.result in ("timeout", "skipped"))
        counted = Counter(one.result for one in results)
        if interrupted or (summary and counted):
            text = ", ".join(f"{number} {result}" for result, number in sorted(counted.items()))
            self._command.report(f"{self._noun.capitalize()}s: {text}")
        self._hint(results)

    def _hint(self, results: Sequence[Result]) -> None:
        """Point to ``node explain``, once, if it explains more than the errors."""
        nodes = list(self._to_explain)
        # After a wait, scripts find Ironic's reason in the last lines.
        if self._command.app.stderr.isatty():
            ended = [one for one in results if one.result in ("failed", "timeout")]
            nodes += [one.label for one in ended if one.state is not None]
        if nodes:
            print_hint(self._command, nodes[0])

    def _print_failures(self, results: Iterable[Result]) -> None:
        for message in failure_messages(self._noun, results):
            self._command.print_error(message)

    def _print_noted(self) -> None:
        self._print_failures(self._failed)
        self._failed.clear()

    def _print_done(self, target: Target, messages: Sequence[str]) -> None:
        if not self._to_stdout:
            for message in messages:
                self._command.report(message)
            return
        # Scripts expect the order in which they name resources.
        self._done[target] = messages
        while self._to_come and self._to_come[0] in self._done:
            for message in self._done.pop(self._to_come.popleft()):
                self._command.print_message(message)


class LiveConsole(Console):
    """Draws one table on stderr instead of a line for each change; errors follow at the end.

    :param view: the table; the other arguments are those of :class:`Console`.
    """

    def __init__(
        self,
        command: Command,
        noun: str,
        targets: Sequence[Target],
        *,
        view: LiveView,
        **others: Any,
    ) -> None:
        super().__init__(command, noun, targets, **others)
        self._view = view
        for target in reversed(targets):
            view.put(target.ident, (target.label, "not started", ""))
        self._refused: list[tuple[Target, exc.ClientException]] = []
        self._drawn = 0.0

    def accepted(self, target: Target, value: Any) -> None:
        self._put(target, "requested", "")

    def refused(self, target: Target, error: exc.ClientException) -> None:
        self._refused.append((target, error))
        self._put(target, "refused", str(error))

    def seen(self, target: Target, item: Item | None, seconds: float) -> None:
        self._put(target, *state_cells(item, self._state_field))

    def polled(self) -> None:
        self._draw()

    def finish(self, results: Sequence[Result], *, interrupted: bool, summary: bool) -> None:
        self._draw()
        for target, error in self._refused:
            super().refused(target, error)
        super().finish(results, interrupted=interrupted, summary=summary)

    def _put(self, target: Target, state: str, remark: str) -> None:
        self._view.put(target.ident, (target.label, state, remark))
        if time.monotonic() >= self._drawn + _INTERVAL:
            self._draw()

    def _draw(self) -> None:
        self._view.draw()
        self._drawn = time.monotonic()
