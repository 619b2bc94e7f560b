"""Base of the commands that wait until conditions hold."""

from __future__ import annotations

import abc
import argparse
import sys
from typing import TYPE_CHECKING, Any, ClassVar

from baremetalclient import exc
from baremetalclient.osc.command import Command
from baremetalclient.osc.durations import add_timeout
from baremetalclient.osc.node_sources import STANDARD_INPUT, words
from baremetalclient.osc.reports import add_report
from baremetalclient.osc.resource import ResourceCommand
from baremetalclient.osc.waiting import failure_messages, state_reporter, state_table

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from baremetalclient._resource.condition_waits import Kind, ListPoller
    from baremetalclient._resource.conditions import Condition
    from baremetalclient._resource.results import Result
    from baremetalclient.osc.parser import ArgumentParser

FAILED = 1


class WaitCommand(Command):
    """A command that waits until conditions hold for resources.

    It ends with 0 if they hold, with 1 if a resource is in a failure state or gone, and with 124 if
    the time is over.
    """

    @property
    @abc.abstractmethod
    def kind(self) -> Kind:
        """The type of the resources."""

    @property
    @abc.abstractmethod
    def known_fields(self) -> Collection[str]:
        """The names of their fields."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the conditions and the time, and how to report."""
        super().add_arguments(parser)
        parser.add_argument(
            "--for",
            dest="conditions",
            metavar="<condition>",
            type=self._checked,
            action="append",
            required=True,
            help="Condition: FIELD=VALUE, FIELD!=VALUE, 'FIELD contains VALUE' or 'deleted'; FIELD "
            "can be a path such as extra/a/b. Several are joined by 'and', which binds first, and "
            "'or'; if the option is repeated, all have to hold.",
        )
        add_timeout(parser, "Maximum time to wait for all of them")
        add_report(parser)
        self.add_sources(parser)

    @abc.abstractmethod
    def add_sources(self, parser: ArgumentParser) -> None:
        """Add the arguments that name the resources."""

    @abc.abstractmethod
    def find(self, parsed_args: argparse.Namespace) -> Sequence[str]:
        """Return the names of the resources in requests."""

    @abc.abstractmethod
    def poller(self, parsed_args: argparse.Namespace, fields: Collection[str]) -> ListPoller:
        """Return the poller of the resources.

        :param fields: the fields that the conditions compare.
        """

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        """Wait, and return the exit code."""
        from baremetalclient._resource.condition_waits import wait_for_each
        from baremetalclient._resource.results import Result
        from baremetalclient.osc.interrupts import TIME_OVER, Interrupts
        from baremetalclient.osc.reports import Report

        report = Report(self, parsed_args)
        condition = self._parse(parsed_args.conditions)
        idents = list(dict.fromkeys(self.find(parsed_args)))
        poll = self.poller(parsed_args, condition.fields)
        results: dict[str, Result] = {}
        failed: list[Result] = []
        table = state_table(self, self.kind, idents)

        def print_failures() -> None:
            # The table shows failures at once; in words they come below it.
            if table is None:
                self._print_failures(failed)
                failed.clear()

        with Interrupts(self.app) as interrupted:
            wait = wait_for_each(
                self.kind,
                idents,
                poll,
                condition,
                timeout=parsed_args.duration,
                stop=interrupted,
                progress=table or state_reporter(self, self.kind),
                polled=print_failures,
            )
            try:
                for ident, result in wait:
                    results[ident] = result
                    if result.result != "done":
                        failed.append(result)
            except exc.ClientException as error:
                for ident in [ident for ident in idents if ident not in results]:
                    results[ident] = Result(ident, None, "failed", error=str(error))
                    failed.append(results[ident])
        self._print_failures(failed)
        ordered = [results[ident] for ident in idents]
        self.print_hint(ordered)
        report.write(ordered)
        if interrupted():
            return interrupted.exit_code
        outcomes = {one.result for one in ordered}
        return FAILED if "failed" in outcomes else TIME_OVER if "timeout" in outcomes else 0

    def print_hint(self, results: Sequence[Result]) -> None:
        """Print how to find out more about failures, if possible."""

    def _print_failures(self, results: Iterable[Result]) -> None:
        for message in failure_messages(self.kind.name, results):
            self.print_error(message)

    def _checked(self, text: str) -> str:
        try:
            self._parse([text])
        except exc.ValidationError as error:
            raise argparse.ArgumentTypeError(str(error)) from None
        return text

    def _parse(self, texts: Iterable[str]) -> Condition:
        from baremetalclient._resource.conditions import Condition

        return Condition.parse(*texts, known=self.known_fields)


class NamedWaitCommand(WaitCommand):
    """A command that waits for resources named on the command line or on stdin."""

    identifiers: ClassVar[str]
    """What they can be called, for help."""

    def add_sources(self, parser: ArgumentParser) -> None:
        """Add the resources."""
        name = self.kind.name
        parser.add_argument(
            "idents",
            metavar=f"<{name.replace(' ', '-')}>",
            nargs="+",
            help=f"{self.identifiers} of each {name}; '-' reads them from standard input.",
        )

    def find(self, parsed_args: argparse.Namespace) -> Sequence[str]:
        """Return the names, as they are or from standard input."""
        idents: list[str] = parsed_args.idents
        if STANDARD_INPUT not in idents:
            return idents
        if len(set(idents)) > 1:
            raise exc.UsageError("'-' reads all names from standard input; name no others.")
        return words(sys.stdin.read())


class ResourceWaitCommand(NamedWaitCommand, ResourceCommand):
    """A command that waits for resources of the Bare Metal service."""

    state_field: ClassVar[str] = ""
    """The field with their state, empty if they have none."""
    called_by: ClassVar[tuple[str, ...]] = ("uuid", "name")
    """The fields by which they are called."""

    @property
    def kind(self) -> Kind:
        """The type of the resources."""
        from baremetalclient._resource.condition_waits import Kind

        return Kind(self.resource_type.name, self.state_field)

    @property
    def known_fields(self) -> Collection[str]:
        """The names of their fields."""
        return [field.name for field in self.resource_type.shown_fields]

    def poller(self, parsed_args: argparse.Namespace, fields: Collection[str]) -> ListPoller:
        """Return the poller of the resources."""
        from baremetalclient._resource.condition_waits import Item, ListPoller

        manager: Any = self.manager

        def fetch_all(deadline: float | None) -> Iterable[Item]:
            return map(vars, self.fetch_all(manager, deadline))

        def fetch(ident: str, deadline: float | None) -> Item:
            found: Item = vars(self.fetch(manager, ident, deadline))
            return found

        return ListPoller(self.kind, self.called_by, fetch_all, fetch)

    def fetch_all(self, manager: Any, deadline: float | None) -> Iterable[Any]:
        """Return all resources, with all their fields."""
        found: Iterable[Any] = manager.iterate(deadline=deadline)
        return found

    def fetch(self, manager: Any, ident: str, deadline: float | None) -> Any:
        """Return a resource by its name or UUID."""
        return manager.get(ident, deadline=deadline)
