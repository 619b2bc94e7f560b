"""Base of the commands that wait until conditions hold."""

from __future__ import annotations

import abc
import argparse
from typing import TYPE_CHECKING, Any, ClassVar

from baremetalclient import exc
from baremetalclient.osc.command import Command
from baremetalclient.osc.resource import ResourceCommand

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from baremetalclient._bulk.expression import AllOf
    from baremetalclient._bulk.fetcher import Fetcher
    from baremetalclient._bulk.kinds import Kind
    from baremetalclient._bulk.result import Result
    from baremetalclient._bulk.vocabulary import Vocabulary
    from baremetalclient.osc.parser import ArgumentParser


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
    def vocabulary(self) -> Vocabulary:
        """What conditions can name."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        from baremetalclient.osc.report.report import add_report
        from baremetalclient.osc.terminal.progress import add_timeout

        super().add_arguments(parser)
        parser.add_argument(
            "--for",
            dest="conditions",
            metavar="<condition>",
            type=self._checked,
            action="append",
            required=True,
            help="Condition: FIELD=VALUE, also with !=, <, > or, for regular expressions, ~= and "
            "!~=; 'FIELD contains VALUE'; FIELD alone, or 'deleted'; '!' or 'not' negates one. "
            "FIELD can be a path such as extra/a/b. Several are joined by ',' or 'and', which bind "
            "first, and 'or'; if the option is repeated, all have to hold.",
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
    def fetcher(self, parsed_args: argparse.Namespace, fields: Collection[str]) -> Fetcher:
        """Return what fetches the resources.

        :param fields: the fields that the conditions compare.
        """

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        from baremetalclient._bulk.result import Result
        from baremetalclient._bulk.wait import holds, wait_for_each
        from baremetalclient.osc.report.report import Report
        from baremetalclient.osc.terminal.interrupts import TIME_OVER, Interrupts
        from baremetalclient.osc.terminal.printing_listener import PrintingListener

        report = Report(self, parsed_args, self.kind.name)
        condition = self._parse(parsed_args.conditions)
        idents = list(dict.fromkeys(self.find(parsed_args)))
        results: dict[str, Result] = {}
        console = PrintingListener(self, self.kind.name, self.kind.state, live=len(idents) > 1)
        listener = report.listener(console, self.kind.state)
        with Interrupts(self.app) as interrupted:
            wait = wait_for_each(
                self.fetcher(parsed_args, condition.fields()),
                idents,
                holds(self.kind, condition),
                timeout=parsed_args.duration,
                stop=interrupted,
                listener=listener,
            )
            try:
                for ident, result in wait:
                    results[ident] = result
            except exc.ClientException as error:
                for ident in [ident for ident in idents if ident not in results]:
                    results[ident] = Result(ident, None, "failed", error=str(error))
                    listener.failed(results[ident])
        ordered = [results[ident] for ident in idents]
        console.finish(ordered)
        report.write(ordered)
        if interrupted():
            return interrupted.exit_code
        outcomes = {one.result for one in ordered}
        return 1 if "failed" in outcomes else TIME_OVER if "timeout" in outcomes else 0

    def _checked(self, text: str) -> str:
        try:
            self._parse([text])
        except exc.ValidationError as error:
            raise argparse.ArgumentTypeError(str(error)) from None
        return text

    def _parse(self, texts: Iterable[str]) -> AllOf:
        from dataclasses import replace

        from baremetalclient._bulk.expression import AllOf

        # Polls have no related resources.
        return AllOf(texts, replace(self.vocabulary, related={}))


class NamedWaitCommand(WaitCommand):
    """A command that waits for resources named on the command line or on stdin."""

    identifiers: ClassVar[str]
    """What they can be called, for help."""

    def add_sources(self, parser: ArgumentParser) -> None:
        name = self.kind.name
        parser.add_argument(
            "idents",
            metavar=f"<{name.replace(' ', '-')}>",
            nargs="+",
            help=f"{self.identifiers} of each {name}; '-' reads them from standard input.",
        )

    def find(self, parsed_args: argparse.Namespace) -> Sequence[str]:
        from baremetalclient.osc.targets import named

        return named(parsed_args)[0]


class ResourceWaitCommand(WaitCommand, ResourceCommand):
    """A command that waits for resources of the Bare Metal service."""

    state_field: ClassVar[str] = ""
    """The field with their state, empty if they have none."""
    _filters: Mapping[str, Any]

    @property
    def kind(self) -> Kind:
        from baremetalclient._bulk.kinds import kind_of

        return kind_of(self.resource_type.name)

    @property
    def vocabulary(self) -> Vocabulary:
        from baremetalclient.v1.expressions import vocabulary

        return vocabulary(self.resource_type)

    def add_sources(self, parser: ArgumentParser) -> None:
        from baremetalclient.osc.targets import add_sources

        add_sources(parser, self.manager_name, identifiers=self.identifiers)

    def find(self, parsed_args: argparse.Namespace) -> Sequence[str]:
        from baremetalclient.osc.targets import choose

        chosen = choose(self, parsed_args, self.manager_name)
        self._filters = chosen.filters
        return [target.ident for target in chosen.targets]

    def fetcher(self, parsed_args: argparse.Namespace, fields: Collection[str]) -> Fetcher:
        from baremetalclient._bulk.fetcher import fetcher_of

        known = self.resource_type.by_name
        names = [name for name in ("uuid", "name", "address") if name in known]
        return fetcher_of(self.manager, self.kind, names=names)
