"""Actions for many resources at the command line: progress, failures, reports and exit codes."""

from __future__ import annotations

import time
from collections import Counter, deque
from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._bulk.action import Action, Listener, Target, resolved
from baremetalclient._bulk.result import Result
from baremetalclient.osc.action import PartlyDone, max_failures
from baremetalclient.osc.explain_hint import is_explained, print_hint
from baremetalclient.osc.interrupts import Interrupts
from baremetalclient.osc.live_view import live_view
from baremetalclient.osc.progress import ProgressReporter, failure_messages, state_cells
from baremetalclient.osc.reports import wants_report

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from baremetalclient._bulk.fetcher import Item
    from baremetalclient.osc.action import ActionCommand
    from baremetalclient.osc.live_view import LiveView
    from baremetalclient.osc.reports import Report
    from baremetalclient.osc.sources import Chosen

_INTERVAL = 0.2
"""The minimum seconds between two drawings of the table."""


def act_on_all(
    command: ActionCommand, chosen: Chosen, parsed_args: argparse.Namespace, report: Report
) -> int:
    """Do the action of a command with resources.

    :param command: the command.
    :param chosen: the resources.
    :param parsed_args: the arguments of the command.
    :param report: what is written at the end.
    :returns: the exit code: 0 if all is done, 1 if not, 128 and its number after a signal.
    """
    # Where there is no file descriptor or memory left, it can't be imported any more.
    from baremetalclient._http import library_errors  # noqa: F401

    targets, goal = chosen.targets, command.goal(parsed_args)
    if wants_report(parsed_args):
        targets = resolved(command.fetcher(()), targets)
    view = None
    if goal is not None and len(targets) > 1:
        view = live_view(command, ("name", command.state_field, "remarks"))
    console = (
        Console(command, parsed_args, targets)
        if view is None
        else LiveConsole(command, parsed_args, targets, view)
    )
    fields = [*(goal.fields if goal else ()), *filter(None, [command.state_field])]
    results: dict[Target, Result] = {}
    try:
        with Interrupts(command.app) as interrupted:
            action = Action(
                getattr(command.client, command.manager_name),
                targets,
                lambda target: command.act(target.ident, target.label, parsed_args),
                goal=goal,
                fetcher=command.fetcher(fields, chosen),
                parallel=parsed_args.parallel,
                max_failures=max_failures(parsed_args),
                timeout=command.limit(parsed_args),
                stop=interrupted,
                listener=console,
                state_field=command.state_field,
            )
            for target, result in action.results():
                results[target] = result
            ordered = [results[target] for target in targets]
            console.finish(ordered, interrupted=interrupted(), summary=not chosen.typed)
            if wants_report(parsed_args):
                ordered = _with_states(command, targets, ordered)
    except BaseException as error:
        why = f"not known, because the command failed: {type(error).__name__}: {error}"
        lost = (Result(target.label, target.uuid, "failed", error=why) for target in targets)
        ordered = [results.get(target, one) for target, one in zip(targets, lost, strict=True)]
        raise
    finally:
        if wants_report(parsed_args):
            report.write(ordered)
    return interrupted.exit_code or int(not all(ordered))


def _with_states(
    command: ActionCommand, targets: Sequence[Target], results: Sequence[Result]
) -> list[Result]:
    """Return results with the present state of resources for which no wait has found it.

    They are returned as they are if the server fails now, since the report has to be written.
    """
    from dataclasses import replace

    field = command.state_field
    unknown = [
        target.ident
        for target, one in zip(targets, results, strict=True)
        if field and one.state is None and target.uuid is not None
    ]
    try:
        found = command.fetcher((field,))(unknown) if unknown else {}
    except exc.ClientException as error:
        command.report_error(f"The report has no states of the {command.noun}s", error)
        return list(results)
    return [
        one if (item := found.get(target.ident)) is None else replace(one, state=item[field])
        for target, one in zip(targets, results, strict=True)
    ]


class Console(Listener):
    """Reports progress on stderr, and results on stdout if the command prints them.

    :param command: the command.
    :param parsed_args: its arguments.
    :param targets: the resources, in the order in which stdout names them.
    """

    def __init__(
        self, command: ActionCommand, parsed_args: argparse.Namespace, targets: Sequence[Target]
    ) -> None:
        self._to_come = deque(targets)
        self._done: dict[Target, Sequence[str]] = {}
        self._command = command
        self._action = command.action.format(self=command, args=parsed_args)
        self._to_stdout = command.prints_results and not parsed_args.report_format
        self._failed: list[Result] = []
        self._to_explain: list[str] = []
        self._tell = ProgressReporter(command)

    def accepted(self, target: Target, value: Any) -> None:
        self._print_done(target, value)

    def refused(self, target: Target, error: exc.ClientException) -> None:
        self._print_done(target, error.done if isinstance(error, PartlyDone) else ())
        command = self._command
        command.report_error(f"Failed to {self._action} {command.noun} {target.label}", error)
        explained = is_explained(error, changes_state=command.changes_state)
        if explained and command.manager_name == "node":
            self._to_explain.append(target.label)

    def seen(self, target: Target, item: Item | None, seconds: float) -> None:
        if item is None:
            return
        field = self._command.state_field
        self._tell(target.label, str(item.get(field)), item.get(f"target_{field}"), seconds)

    def failed(self, result: Result) -> None:
        self._failed.append(result)

    def polled(self) -> None:
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
            self._command.report(f"{self._command.noun.capitalize()}s: {text}")
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
        for message in failure_messages(self._command.noun, results):
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
        command: ActionCommand,
        parsed_args: argparse.Namespace,
        targets: Sequence[Target],
        view: LiveView,
    ) -> None:
        super().__init__(command, parsed_args, targets)
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
        self._put(target, *state_cells(item, self._command.state_field))

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
