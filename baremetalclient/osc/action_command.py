"""Base of the commands that do the same with each of many resources."""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, ClassVar

from baremetalclient import exc
from baremetalclient.osc.bounds import add_bounds, max_failures
from baremetalclient.osc.command import Command
from baremetalclient.osc.terminal.interrupts import TIME_OVER, Interrupts

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from baremetalclient._bulk.fetcher import Fetcher
    from baremetalclient._bulk.goal import Goal
    from baremetalclient._bulk.listener import Target
    from baremetalclient._bulk.result import Result
    from baremetalclient._bulk.step import PlannedStep, StepAction
    from baremetalclient._resource.resource import Item
    from baremetalclient.osc.parser import ArgumentParser
    from baremetalclient.osc.report.report import Report
    from baremetalclient.osc.targets import Chosen


class ActionCommand(Command):
    """A command that does the same with each of many resources."""

    manager_name: ClassVar[str]
    """The attribute of the client with their manager."""
    action: ClassVar[str]
    """The action in the message of a failure, such as ``inject an NMI into``; a format in which
    ``self`` is the command and ``args`` has its arguments."""
    identifiers: ClassVar[str] = "UUID"
    """What they can be called, for help."""
    typed_names: ClassVar[bool] = True
    """Whether several can be typed out, instead of one."""
    everything: ClassVar[bool] = True
    """Whether ``--all`` means all of them."""
    parallel: ClassVar[int] = 10
    """The default for the number of requests at a time."""
    verb: ClassVar[str] = ""
    """The name of the action in :data:`.ACTIONS`, empty if it is none of these."""
    prints_results: ClassVar[bool] = False
    """Whether the messages go to stdout, instead of being progress on stderr."""
    changes_state: ClassVar[bool] = False
    """Whether it requests another state."""
    state_field: ClassVar[str] = ""
    """The field for the state in reports, empty if there is none."""

    @property
    def noun(self) -> str:
        """What they are, such as ``node``."""
        from baremetalclient.osc.command_table import words_of

        return words_of(self.manager_name)

    def add_arguments(self, parser: ArgumentParser) -> None:
        from baremetalclient.osc.report.report import add_report
        from baremetalclient.osc.targets import add_sources
        from baremetalclient.osc.terminal.confirmation import add_yes
        from baremetalclient.osc.terminal.dry_run import add_dry_run

        add_sources(
            parser,
            self.manager_name,
            identifiers=self.identifiers,
            several=self.typed_names,
            everything=self.everything,
        )
        add_bounds(parser, self.parallel)
        add_report(parser)
        add_dry_run(parser)
        add_yes(parser, self.noun)
        super().add_arguments(parser)

    @abc.abstractmethod
    def act(self, ident: str, label: str, parsed_args: argparse.Namespace, /) -> Sequence[str]:
        """Do the action with a resource, and return the messages that it is done.

        It is called in several threads at a time.

        :param label: the name of the resource in messages.
        """

    def check(self, parsed_args: argparse.Namespace) -> None:
        """Raise an exception for arguments that contradict each other, before anything is sent."""

    def check_targets(self, targets: Sequence[Target], parsed_args: argparse.Namespace) -> None:
        """Raise an exception for resources that the action cannot be done with."""

    def looked_at(self, *, dry_run: bool) -> tuple[str, ...]:
        """Return the fields that decide what has to be done with a resource."""
        return (self.state_field,) if dry_run and self.state_field else ()

    def already(self, item: Item) -> str | None:
        """Return the state of a resource with which nothing has to be done, None otherwise."""
        return None

    def refusal(self, item: Item) -> str | None:
        """Return why the state machine would refuse the action, None if it would not."""
        return None

    def interruption(self, parsed_args: argparse.Namespace, item: Item | None = None) -> str:
        """Return how machines are interrupted, or what is lost, in words; empty if they aren't.

        What has such a mark asks first, unless the resources were typed out.

        :param item: the fields of a resource; without it, those of any are meant.
        """
        from baremetalclient.v1.node.actions import ACTIONS

        if not self.verb:
            return ""
        row = ACTIONS[self.verb]
        return row.interrupts if item is None else row.interruption(item)

    @property
    def target_state(self) -> str | None:
        """The state that the action leads to, None if it leads to no certain one."""
        return None

    def goal(self, parsed_args: argparse.Namespace) -> Goal | None:
        """Return what to wait for, None not to wait."""
        return None

    def limit(self, parsed_args: argparse.Namespace) -> float:
        """Return the maximum seconds for everything, 0 for no limit."""
        return 0

    def fetcher(self, fields: Sequence[str], chosen: Chosen | None = None) -> Fetcher:
        """Return what fetches the present state of the resources.

        :param fields: the fields to fetch besides those that identify them.
        :param chosen: which they are, if they match the filters of these at all times.
        """
        from baremetalclient._bulk.fetcher import fetcher_of
        from baremetalclient._bulk.kinds import kind_of

        manager = getattr(self.client, self.manager_name)
        return fetcher_of(manager, kind_of(self.noun), ("uuid", *fields))

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        from baremetalclient.osc.report.report import Report

        report = Report(self, parsed_args, self.noun)
        self.check(parsed_args)
        chosen = self._choose(parsed_args)
        if parsed_args.dry_run:
            return self._rehearse(chosen, parsed_args, report)
        through = {} if chosen.typed else self._through(chosen)
        chosen = chosen._replace(targets=[one for one in chosen.targets if one not in through])
        if not self._confirm(chosen, parsed_args):
            return 1
        return self._act_and_report(chosen, through, parsed_args, report)

    def _choose(self, parsed_args: argparse.Namespace) -> Chosen:
        """Return the resources, with the fields that decide what has to be done with them."""
        from baremetalclient.osc.targets import choose

        fields = self.looked_at(dry_run=parsed_args.dry_run)
        chosen = choose(self, parsed_args, self.manager_name, fields)
        self.check_targets(chosen.targets, parsed_args)
        if not (parsed_args.dry_run or (fields and not chosen.typed)):
            return chosen._replace(items=None)
        idents = [target.ident for target in chosen.targets]
        items = self.fetcher(fields)(idents) if chosen.items is None else chosen.items
        return chosen._replace(items=items)

    def _rehearse(self, chosen: Chosen, parsed_args: argparse.Namespace, report: Report) -> int:
        """Tell what would be done with each resource, and return the exit code."""
        from baremetalclient.osc.terminal.dry_run import print_rehearsed, rehearsed

        steps = [self._step(target, chosen, parsed_args) for target in chosen.targets]
        as_table = not parsed_args.report_format
        print_rehearsed(self, self.noun, steps, self.state_field, as_table=as_table)
        report.write([rehearsed(step, self.state_field) for step in steps], dry_run=True)
        return 0

    def _step(self, target: Target, chosen: Chosen, parsed_args: argparse.Namespace) -> PlannedStep:
        """Return what would be done with a resource."""
        from baremetalclient._bulk.step import PlannedStep

        item = (chosen.items or {}).get(target.ident)
        if item is None:
            reason = f"There is no {self.noun} {target.label!r}."
            return PlannedStep(
                self.noun, target.label, None, "refused", reason=reason, uuid=target.uuid
            )
        name, uuid = item.get("name") or target.label, item.get("uuid")
        node = name if self.noun == "node" else item.get("node_uuid")
        field = self.state_field
        fields = {field: {"old": item.get(field), "new": self.target_state}} if field else {}
        if not chosen.typed and self.already(item):
            return PlannedStep(self.noun, name, node, "none", fields, uuid=uuid)
        if refusal := self.refusal(item):
            return PlannedStep(self.noun, name, node, "refused", fields, refusal, uuid=uuid)
        interrupts = self.interruption(parsed_args, item) or None
        action: StepAction = "remove" if self.verb == "delete" else "change"
        return PlannedStep(self.noun, name, node, action, fields, interrupts=interrupts, uuid=uuid)

    def _through(self, chosen: Chosen) -> dict[Target, Result]:
        """Return the results of resources with which nothing has to be done."""
        from baremetalclient._bulk.result import Result

        found: dict[Target, Result] = {}
        for target in chosen.targets:
            item = (chosen.items or {}).get(target.ident)
            state = self.already(item) if item else None
            if item and state:
                found[target] = Result(item.get("name"), item["uuid"], "done", state)
        if found:
            from baremetalclient.osc.terminal.progress import some_names

            one, *_ = results = list(found.values())
            names = some_names([each.label for each in results])
            self.report(f"Already {one.state!r}, nothing is sent: {names}")
        return found

    def _confirm(self, chosen: Chosen, parsed_args: argparse.Namespace) -> bool:
        """Return whether to go on; resources that were typed out are not asked about."""
        asks = self.interruption(parsed_args) or getattr(parsed_args, "everything", False)
        if chosen.typed or not (asks and chosen.targets):
            return True
        from baremetalclient.osc.terminal.confirmation import confirm

        names = [target.label for target in chosen.targets]
        return confirm(self, parsed_args, self.words, names, self.noun)

    def _act_and_report(
        self,
        chosen: Chosen,
        through: dict[Target, Result],
        parsed_args: argparse.Namespace,
        report: Report,
    ) -> int:
        """Act on the resources, report whatever happens, and return the exit code.

        :param through: the results of those with which nothing has to be done.
        """
        from baremetalclient._bulk.action import resolved

        if report.is_wanted:
            chosen = chosen._replace(targets=resolved(self.fetcher(()), chosen.targets))
        results: dict[Target, Result] = {}
        try:
            interrupted = self._act(chosen, through, results, parsed_args, report)
        except BaseException as error:
            self._lose(chosen.targets, results, error)
            raise
        finally:
            report.write(_ordered(chosen.targets, results, through))
        if interrupted() or all(results.values()):
            return interrupted.exit_code
        late = "failed" not in {one.result for one in results.values()}
        # Scripts of python-ironicclient name nodes, and know 1 only.
        return TIME_OVER if late and self.limit(parsed_args) and not chosen.typed else 1

    def _act(
        self,
        chosen: Chosen,
        through: dict[Target, Result],
        results: dict[Target, Result],
        parsed_args: argparse.Namespace,
        report: Report,
    ) -> Interrupts:
        """Act on the resources, and add their results.

        :returns: whether that was interrupted.
        """
        from baremetalclient._bulk.action import Action

        # Where there is no file descriptor or memory left, it can't be imported any more.
        from baremetalclient._http import library_errors  # noqa: F401
        from baremetalclient.osc.terminal.printing_listener import PrintingListener

        targets, goal = chosen.targets, self.goal(parsed_args)
        console = PrintingListener(
            self,
            self.noun,
            self.state_field,
            live=goal is not None and len(targets) > 1,
            targets=targets,
            action=self.action.format(self=self, args=parsed_args),
            changes_state=self.changes_state,
            to_stdout=self.prints_results and not parsed_args.report_format,
            grouped=not chosen.typed,
        )
        fields = [*(goal.fields if goal else ()), *filter(None, [self.state_field])]
        with Interrupts(self.app) as interrupted:
            action = Action(
                getattr(self.client, self.manager_name),
                targets,
                lambda target: self.act(target.ident, target.label, parsed_args),
                goal=goal,
                fetcher=self.fetcher(fields, chosen),
                parallel=parsed_args.parallel,
                max_failures=max_failures(parsed_args),
                timeout=self.limit(parsed_args),
                stop=interrupted,
                listener=report.listener(console, self.state_field, (chosen.items or {}).values()),
                state_field=self.state_field,
            )
            results.update(action.results())
            console.finish(
                _ordered(targets, results, through),
                interrupted=interrupted(),
                summary=not chosen.typed,
            )
            if report.is_wanted:
                self._add_states(results, 0.3 if interrupted() else None)
        return interrupted

    def _lose(
        self, targets: Sequence[Target], results: dict[Target, Result], error: BaseException
    ) -> None:
        """Add results for the resources of which nothing is known after an error."""
        from baremetalclient._bulk.result import Result

        why = f"not known, because the command failed: {type(error).__name__}: {error}"
        for target in targets:
            lost = Result(target.label, target.uuid, "failed", error=why)
            results.setdefault(target, lost)

    def _add_states(self, results: dict[Target, Result], limit: float | None) -> None:
        """Add the present state of resources for which no wait has found it.

        There is none if the server fails now, since the report has to be written.

        :param limit: the seconds that it may take, None for no limit.
        """
        from dataclasses import replace

        field = self.state_field
        unknown = {
            target: one.uuid
            for target, one in results.items()
            if field and one.state is None and one.uuid
        }
        try:
            found = self.fetcher((field,))(list(unknown.values()), limit) if unknown else {}
        except exc.ClientException as error:
            self.report_error(f"The report has no states of the {self.noun}s", error)
            return
        for target, uuid in unknown.items():
            item = found.get(uuid)
            if item is not None:
                results[target] = replace(results[target], state=item[field])


def _ordered(
    targets: Sequence[Target], results: dict[Target, Result], through: dict[Target, Result]
) -> list[Result]:
    """Return results in the order of the targets; by names if there are those of others, too."""
    ordered = [results[target] for target in targets]
    if not through:
        return ordered
    return sorted([*through.values(), *ordered], key=lambda one: one.label)
