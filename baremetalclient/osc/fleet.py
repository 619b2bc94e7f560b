"""Actions for many nodes at the command line: progress, failures, reports and exit codes."""

from __future__ import annotations

from collections import Counter, deque
from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._resource.results import Result
from baremetalclient.osc.explain_hint import is_explained, print_hint
from baremetalclient.osc.interrupts import Interrupts
from baremetalclient.osc.nodes import PartlyDone, max_failures
from baremetalclient.osc.reports import wants_report
from baremetalclient.osc.waiting import ProgressReporter, failure_messages
from baremetalclient.v1.node.acting import Action, Listener, Target, resolved
from baremetalclient.v1.node.polling import NodePoller

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from baremetalclient.osc.node_sources import Chosen
    from baremetalclient.osc.nodes import NodesCommand
    from baremetalclient.osc.reports import Report
    from baremetalclient.v1.node import Node


def act_on_all(
    command: NodesCommand, chosen: Chosen, parsed_args: argparse.Namespace, report: Report
) -> int:
    """Do the action of a command with nodes.

    :param command: the command.
    :param chosen: the nodes.
    :param parsed_args: the arguments of the command.
    :param report: what is written at the end.
    :returns: the exit code: 0 if all is done, 1 if not, 128 and its number after a signal.
    """
    # Where there is no file descriptor or memory left, it can't be imported any more.
    from baremetalclient._http import library_errors  # noqa: F401

    nodes, targets = command.client.node, chosen.targets
    if wants_report(parsed_args):
        targets = resolved(nodes, targets)
    console = _console(command, parsed_args, targets)
    results: dict[Target, Result] = {}
    try:
        with Interrupts(command.app) as interrupted:
            action = Action(
                nodes,
                targets,
                lambda target: command.act(target.ident, target.label, parsed_args),
                goal=command.goal(parsed_args),
                parallel=parsed_args.parallel,
                max_failures=max_failures(parsed_args),
                timeout=command.limit(parsed_args),
                stop=interrupted,
                filters=chosen.filters,
                listener=console,
                state_field=command.state_field,
            )
            for target, result in action.results():
                results[target] = result
            ordered = [results[target] for target in targets]
            console.finish(ordered, interrupted=interrupted(), summary=not chosen.typed)
            if wants_report(parsed_args):
                ordered = with_states(command, targets, ordered)
    except BaseException as error:
        why = f"not known, because the command failed: {type(error).__name__}: {error}"
        lost = (Result(target.label, target.uuid, "failed", error=why) for target in targets)
        ordered = [results.get(target, one) for target, one in zip(targets, lost, strict=True)]
        raise
    finally:
        if wants_report(parsed_args):
            report.write(ordered)
    return interrupted.exit_code or int(any(one.result != "done" for one in ordered))


def with_states(
    command: NodesCommand, targets: Sequence[Target], results: Sequence[Result]
) -> list[Result]:
    """Return results with the present state of nodes for which no wait has found it.

    They are returned as they are if the server fails now, since the report has to be written.
    """
    from dataclasses import replace

    field = command.state_field
    unknown = [
        target.ident
        for target, one in zip(targets, results, strict=True)
        if one.state is None and target.uuid is not None
    ]
    try:
        found = NodePoller(command.client.node, (field,)).poll(unknown) if unknown else {}
    except exc.ClientException as error:
        command.report_error("The report has no states of the nodes", error)
        return list(results)
    return [
        one
        if (node := found.get(target.ident)) is None
        else replace(one, state=getattr(node, field))
        for target, one in zip(targets, results, strict=True)
    ]


def _console(
    command: NodesCommand, parsed_args: argparse.Namespace, targets: Sequence[Target]
) -> Console:
    waits = command.goal(parsed_args) is not None
    if waits and len(targets) > 1 and command.app.options.verbose_level == 1:
        from baremetalclient.osc.live_table import is_possible

        if is_possible(command.app.stderr):
            from baremetalclient.osc.fleet_table import LiveConsole

            return LiveConsole(command, parsed_args, targets)
    return Console(command, parsed_args, targets)


class Console(Listener):
    """Reports progress on stderr, and results on stdout if the command prints them.

    :param command: the command.
    :param parsed_args: its arguments.
    :param targets: the nodes, in the order in which stdout names them.
    """

    def __init__(
        self, command: NodesCommand, parsed_args: argparse.Namespace, targets: Sequence[Target]
    ) -> None:
        self._to_come = deque(targets)
        self._done: dict[Target, Sequence[str]] = {}
        self._command = command
        self._action = command.action(parsed_args)
        self._to_stdout = command.prints_results and not parsed_args.report_format
        self._failed: list[Result] = []
        self._to_explain: list[str] = []
        self._reporters: dict[Target, ProgressReporter] = {}

    def accepted(self, target: Target, value: Any) -> None:
        """Print that the action is done."""
        self._print_done(target, value)

    def refused(self, target: Target, error: exc.ClientException) -> None:
        """Print why the action is refused."""
        self._print_done(target, error.done if isinstance(error, PartlyDone) else ())
        self._command.report_error(f"Failed to {self._action} node {target.label}", error)
        if is_explained(error, changes_state=self._command.changes_state):
            self._to_explain.append(target.label)

    def seen(self, target: Target, node: Node | None, seconds: float) -> None:
        """Print the state of a node if it has changed."""
        if node is None:
            return
        if target not in self._reporters:
            self._reporters[target] = ProgressReporter(self._command)
        field = self._command.state_field
        self._reporters[target](
            target.label, str(getattr(node, field)), getattr(node, f"target_{field}", None), seconds
        )

    def failed(self, result: Result) -> None:
        """Note a failure for the end of the poll."""
        self._failed.append(result)

    def polled(self) -> None:
        """Print the failures of a poll."""
        self._print_noted()

    def finish(self, results: Sequence[Result], *, interrupted: bool, summary: bool) -> None:
        """Print which nodes were not done, and how many were."""
        for messages in self._done.values():
            for message in messages:
                self._command.print_message(message)
        self._print_noted()
        self._print_failures(one for one in results if one.result in ("timeout", "skipped"))
        counted = Counter(one.result for one in results)
        if interrupted or (summary and counted):
            text = ", ".join(f"{number} {result}" for result, number in sorted(counted.items()))
            self._command.report(f"Nodes: {text}")
        self._hint(results)

    def _hint(self, results: Sequence[Result]) -> None:
        """Point to ``node explain``, once, if it explains more than the errors."""
        nodes = list(self._to_explain)
        # After a wait, scripts find Ironic's reason in the last lines.
        if self._command.app.stderr.isatty():
            ended = [one for one in results if one.result in ("failed", "timeout")]
            nodes += [one.name or one.uuid or "" for one in ended if one.state is not None]
        if nodes:
            print_hint(self._command, nodes[0])

    def _print_failures(self, results: Iterable[Result]) -> None:
        for message in failure_messages("node", results):
            self._command.print_error(message)

    def _print_noted(self) -> None:
        self._print_failures(self._failed)
        self._failed.clear()

    def _print_done(self, target: Target, messages: Sequence[str]) -> None:
        if not self._to_stdout:
            for message in messages:
                self._command.report(message)
            return
        # Scripts expect the order in which they name nodes.
        self._done[target] = messages
        while self._to_come and self._to_come[0] in self._done:
            for message in self._done.pop(self._to_come.popleft()):
                self._command.print_message(message)
