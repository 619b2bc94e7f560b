"""What commands for many resources print: their states, results and failures."""

from __future__ import annotations

from collections import Counter, deque
from typing import TYPE_CHECKING, Any

from baremetalclient._bulk.kinds import NODE
from baremetalclient._bulk.listener import Listener, Target
from baremetalclient._bulk.result import Result
from baremetalclient.osc.terminal.live_view import live_view
from baremetalclient.osc.terminal.printer import PartlyDone
from baremetalclient.osc.terminal.progress import (
    ProgressReporter,
    failure_messages,
    is_explained,
    print_hint,
    state_cells,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from baremetalclient import exc
    from baremetalclient._resource.resource import Item
    from baremetalclient.osc.terminal.printer import Printer


class PrintingListener(Listener):
    """Prints a line for each change, or draws the live view and prints failures below it.

    :param noun: what the resources are.
    :param state_field: the field with their state, empty if there is none.
    :param live: whether the live view is drawn where it is possible.
    :param targets: the resources that an action is for, in the order in which stdout names them.
    :param action: the action in the message of a failure, such as ``inject an NMI into``.
    :param changes_state: whether the action requests another state.
    :param to_stdout: whether stdout has the messages of what is done, instead of stderr.
    :param grouped: whether errors that are alike are printed together at the end.
    """

    def __init__(
        self,
        command: Printer,
        noun: str,
        state_field: str,
        *,
        live: bool = False,
        targets: Sequence[Target] = (),
        action: str = "",
        changes_state: bool = False,
        to_stdout: bool = False,
        grouped: bool = False,
    ) -> None:
        self._command = command
        self._noun = noun
        self._action = action
        self._changes_state = changes_state
        self._to_stdout = to_stdout
        self._grouped = grouped
        self._to_come = deque(targets)
        self._done: dict[Target, Sequence[str]] = {}
        self._refused: list[tuple[Target, exc.ClientException]] = []
        self._failed: list[Result] = []
        self._tell = ProgressReporter(command, noun)
        self._view = live_view(command, ("name", state_field or "state", "remarks"), on=live)
        self._note = ""
        for target in reversed(targets):
            self._put(target, "not started", "")

    def accepted(self, target: Target, value: Any) -> None:
        if self._view is not None:
            self._put(target, "requested", "")
            self._view.draw_sometimes(self._note)
        elif not self._to_stdout:
            for message in value:
                self._command.report(message)
        else:
            self._print_in_order(target, value)

    def refused(self, target: Target, error: exc.ClientException) -> None:
        self._refused.append((target, error))
        if isinstance(error, PartlyDone):
            self._print_in_order(target, error.done)
        elif self._to_stdout:
            self._print_in_order(target, ())
        if self._view is not None:
            self._put(target, "refused", str(error))
            self._view.draw_sometimes(self._note)
        elif not self._grouped:
            self._print_refused(target, error)

    def seen(self, target: Target, item: Item | None, state_field: str, seconds: float) -> None:
        if self._view is not None:
            self._put(target, *state_cells(item, state_field))
            self._note = f" ({seconds:.0f} s)"
        elif item is not None and state_field in item:
            # A node that was never managed has no power state.
            state, goal = item[state_field] or "unknown", item.get(f"target_{state_field}")
            self._tell.note(target.label, str(state), goal, seconds)

    def failed(self, result: Result) -> None:
        self._failed.append(result)

    def polled(self) -> None:
        if self._view is not None:
            self._draw()
        else:
            self._tell.polled()
            self._print_noted()

    def finish(
        self, results: Sequence[Result], *, interrupted: bool = False, summary: bool = False
    ) -> None:
        """Print what was not done, and how much was.

        :param results: the results, in the order in which they are printed.
        :param interrupted: whether the command was interrupted.
        :param summary: whether to print the numbers of the results.
        """
        if self._view is not None:
            self._draw()
        if self._grouped:
            refused = [
                Result(one.label, one.uuid, "failed", error=str(error))
                for one, error in sorted(self._refused, key=lambda pair: pair[0].label)
            ]
            self._print_failures(refused, self._action)
        elif self._view is not None:
            for target, error in self._refused:
                self._print_refused(target, error)
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

    def erase(self) -> None:
        """Erase the live view, where what comes says more."""
        if self._view is not None:
            self._view.erase()

    def _hint(self, results: Sequence[Result]) -> None:
        """Name, once, the command that tells more than the errors."""
        changes = self._changes_state
        failed = [
            one.label
            for one, error in self._refused
            if self._noun == NODE.name and is_explained(error, changes_state=changes)
        ]
        # After an action and a wait, scripts find Ironic's reason in the last lines.
        if not self._action or self._command.app.stderr.isatty():
            ended = [one for kind in ("failed", "timeout") for one in results if one.result == kind]
            failed += [one.label for one in ended if one.state is not None]
        if failed:
            print_hint(self._command, self._noun, failed[0])

    def _print_refused(self, target: Target, error: exc.ClientException) -> None:
        self._command.report_error(f"Failed to {self._action} {self._noun} {target.label}", error)

    def _print_failures(self, results: Iterable[Result], action: str = "") -> None:
        few_names = self._command.app.stderr.isatty()
        for message in failure_messages(self._noun, results, action, few_names=few_names):
            self._command.print_error(message)

    def _print_noted(self) -> None:
        self._print_failures(self._failed)
        self._failed.clear()

    def _print_in_order(self, target: Target, messages: Sequence[str]) -> None:
        # Scripts expect the order in which they name resources.
        self._done[target] = messages
        while self._to_come and self._to_come[0] in self._done:
            for message in self._done.pop(self._to_come.popleft()):
                self._command.print_message(message)

    def _put(self, target: Target, state: str, remark: str) -> None:
        if self._view is not None:
            self._view.put(target.ident, (target.label, state, remark))

    def _draw(self) -> None:
        if self._view is not None and self._view.is_stale:
            self._view.draw(self._note)
