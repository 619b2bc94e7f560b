"""Base of the commands that do the same with each of many resources."""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, ClassVar

from baremetalclient import exc
from baremetalclient.osc import argument_types
from baremetalclient.osc.command import Command
from baremetalclient.osc.resource import ResourceCommand

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from baremetalclient._bulk.action import Target
    from baremetalclient._bulk.fetcher import Fetcher, Found, Item
    from baremetalclient._bulk.goal import Goal
    from baremetalclient._bulk.result import Result
    from baremetalclient.osc.parser import ArgumentParser
    from baremetalclient.osc.report.report import Report
    from baremetalclient.osc.targets import Chosen
    from baremetalclient.osc.terminal.dry_run import Rehearsed


def add_bounds(parser: ArgumentParser, parallel: int = 10) -> None:
    """Add how many requests run at a time, and when to stop after failures.

    :param parallel: the default for the number of requests.
    """
    parser.add_argument(
        "--parallel",
        metavar="<number>",
        type=argument_types.positive_int,
        default=parallel,
        help=f"Maximum number of requests at a time (default: {parallel}).",
    )
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--on-error",
        choices=("continue", "stop"),
        default="continue",
        help="After a failure, go on with the others or start nothing more (default: continue).",
    )
    group.add_argument(
        "--max-failures",
        metavar="<number>",
        type=argument_types.positive_int,
        help="Start nothing more after this number of failures.",
    )


def max_failures(parsed_args: argparse.Namespace) -> int | None:
    """Return the number of failures after which nothing more is started, None for no limit."""
    most: int | None = 1 if parsed_args.on_error == "stop" else parsed_args.max_failures
    return most


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

    def interruption(self, parsed_args: argparse.Namespace) -> str:
        """Return how machines are interrupted, or what is lost, in words; empty if they aren't.

        What has such a mark asks first, unless the resources were typed out.
        """
        from baremetalclient.v1.node.actions import ACTIONS

        return ACTIONS[self.verb].interrupts if self.verb else ""

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
        from dataclasses import replace

        from baremetalclient.osc.report.report import Report
        from baremetalclient.osc.targets import choose

        report, dry_run = Report(self, parsed_args, self.noun), parsed_args.dry_run
        self.check(parsed_args)
        fields = self.looked_at(dry_run=dry_run)
        chosen = choose(self, parsed_args, self.manager_name, fields)
        self.check_targets(chosen.targets, parsed_args)
        items: Found = {}
        if dry_run or (fields and not chosen.typed):
            idents = [target.ident for target in chosen.targets]
            items = self.fetcher(fields)(idents) if chosen.items is None else chosen.items
        if dry_run:
            from baremetalclient.osc.terminal.dry_run import print_rehearsed

            found = [self._rehearsed(one, items, typed=chosen.typed) for one in chosen.targets]
            print_rehearsed(self, self.noun, found, as_table=not parsed_args.report_format)
            report.write(found, dry_run=True)
            return 0
        through = {} if chosen.typed else self._through(chosen, items)
        targets = [target for target in chosen.targets if target not in through]
        asks = self.interruption(parsed_args) or getattr(parsed_args, "everything", False)
        if asks and targets and not chosen.typed:
            from baremetalclient.osc.terminal.confirmation import confirm

            names = [target.label for target in targets]
            if not confirm(self, parsed_args, self.words, names, self.noun):
                return 1
        chosen = replace(chosen, targets=targets, items=items)
        return self._act_on(chosen, through, parsed_args, report)

    def _rehearsed(self, target: Target, items: Found, *, typed: bool) -> Rehearsed:
        from baremetalclient.osc.terminal.dry_run import REFUSED, WOULD, Rehearsed

        item = items.get(target.ident)
        if item is None:
            error = f"There is no {self.noun} {target.label!r}."
            return Rehearsed(target.label, target.uuid, REFUSED, error=error)
        name, uuid, state = item.get("name"), item.get("uuid"), item.get(self.state_field)
        if not typed and (already := self.already(item)):
            return Rehearsed(name or target.label, uuid, WOULD, state, already=already)
        refusal = self.refusal(item)
        return Rehearsed(name or target.label, uuid, REFUSED if refusal else WOULD, state, refusal)

    def _through(self, chosen: Chosen, items: Found) -> dict[Target, Result]:
        """Return the results of resources with which nothing has to be done."""
        from baremetalclient._bulk.result import Result

        found: dict[Target, Result] = {}
        for target in chosen.targets:
            item = items.get(target.ident)
            state = self.already(item) if item else None
            if item and state:
                found[target] = Result(item.get("name"), item["uuid"], "done", state)
        if found:
            from baremetalclient.osc.terminal.progress import some_names

            one, *_ = results = list(found.values())
            names = some_names([each.label for each in results])
            self.report(f"Already {one.state!r}, nothing is sent: {names}")
        return found

    def _act_on(
        self,
        chosen: Chosen,
        through: dict[Target, Result],
        parsed_args: argparse.Namespace,
        report: Report,
    ) -> int:
        from baremetalclient._bulk.action import Action, resolved
        from baremetalclient._bulk.result import Result

        # Where there is no file descriptor or memory left, it can't be imported any more.
        from baremetalclient._http import library_errors  # noqa: F401
        from baremetalclient.osc.terminal.console import Console
        from baremetalclient.osc.terminal.interrupts import TIME_OVER, Interrupts

        targets, goal = chosen.targets, self.goal(parsed_args)
        if report.is_wanted:
            targets = resolved(self.fetcher(()), targets)
        console = Console(
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
        results: dict[Target, Result] = {}
        try:
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
                    listener=report.listener(
                        console, self.state_field, (chosen.items or {}).values()
                    ),
                    state_field=self.state_field,
                )
                results.update(action.results())
                ordered = [results[target] for target in targets]
                if through:
                    ordered = sorted([*through.values(), *ordered], key=lambda one: one.label)
                console.finish(ordered, interrupted=interrupted(), summary=not chosen.typed)
                if report.is_wanted:
                    ordered = self._with_states(ordered)
        except BaseException as error:
            why = f"not known, because the command failed: {type(error).__name__}: {error}"
            lost = (Result(target.label, target.uuid, "failed", error=why) for target in targets)
            ordered = [results.get(target, one) for target, one in zip(targets, lost, strict=True)]
            ordered += through.values()
            raise
        finally:
            report.write(ordered)
        if interrupted() or all(ordered):
            return interrupted.exit_code
        late = "failed" not in {one.result for one in ordered}
        # Scripts of python-ironicclient name nodes, and know 1 only.
        return TIME_OVER if late and self.limit(parsed_args) and not chosen.typed else 1

    def _with_states(self, results: Sequence[Result]) -> list[Result]:
        """Return results with the present state of resources for which no wait has found it.

        They are returned as they are if the server fails now, since the report has to be written.
        """
        from dataclasses import replace

        field = self.state_field
        unknown = [one.uuid for one in results if field and one.state is None and one.uuid]
        try:
            found = self.fetcher((field,))(unknown) if unknown else {}
        except exc.ClientException as error:
            self.report_error(f"The report has no states of the {self.noun}s", error)
            return list(results)
        return [
            one if (item := found.get(one.uuid or "")) is None else replace(one, state=item[field])
            for one in results
        ]


class Delete(ActionCommand, ResourceCommand):
    """Delete resources that are named or selected; if one fails, the others are deleted anyway."""

    action = "delete"
    verb = "delete"
    # One after the other, since a conductor locks the node that they belong to.
    parallel = 1
    prints_results = True

    def act(self, ident: str, label: str, parsed_args: argparse.Namespace, /) -> list[str]:
        self.manager.delete(ident)
        return [f"Deleted {self.noun} {label}"]
