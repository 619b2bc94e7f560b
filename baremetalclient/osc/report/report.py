"""Reports: what a command has done with each resource, as JSON or as a page."""

from __future__ import annotations

import json
import os
from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, get_args

from baremetalclient import _clock
from baremetalclient._bulk.result import Ending, Rehearsal
from baremetalclient.osc.files import check_writable, write_whole
from baremetalclient.osc.options import add_format

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from baremetalclient._bulk.result import Result
    from baremetalclient._resource.resource import Item
    from baremetalclient.osc.parser import ArgumentParser
    from baremetalclient.osc.report.page import ReportPage
    from baremetalclient.osc.report.timeline import TimelineListener
    from baremetalclient.osc.terminal.printer import Printer
    from baremetalclient.osc.terminal.printing_listener import PrintingListener

_RESULTS = get_args(Ending)
_REHEARSED = get_args(Rehearsal)


def add_report(parser: ArgumentParser) -> None:
    """Add ``-f json`` and ``--report``."""
    add_format(
        parser,
        "report_format",
        "Print a report of the results as JSON to standard output, and everything else to "
        "standard error.",
    )
    parser.add_argument(
        "--report",
        dest="report_file",
        metavar="<file>",
        help="Write the report to a file: a page with a timeline if its name ends in '.html', JSON "
        "otherwise.",
    )


def page_of(file: str | None) -> ReportPage | None:
    """Return the page that a report is written as, None if it is JSON.

    :param file: the file that ``--report`` names, if it does.
    """
    if not file or not file.lower().endswith(".html"):
        return None
    from baremetalclient.osc.report.page import ReportPage

    return ReportPage()


class Report:
    """A report that is written when a command is through.

    :param noun: what the resources are, such as ``node``.
    :raises UsageError: if the file cannot be written.
    """

    def __init__(self, command: Printer, parsed_args: argparse.Namespace, noun: str) -> None:
        self._command = command
        self._noun = noun
        self._as_json = parsed_args.report_format == "json"
        self._file = parsed_args.report_file
        self._started = datetime.now(UTC)
        self._start = _clock.monotonic()
        # Later, connections may leave no file descriptor for what it is made of.
        self._page = page_of(self._file)
        if self._file:
            check_writable(self._file)
            # Connections may take all file descriptors but this one, which the file takes over.
            self._reserved = os.open(os.devnull, os.O_RDONLY)

    @property
    def is_wanted(self) -> bool:
        """Whether a report was requested."""
        return bool(self._as_json or self._file)

    def listener(
        self, console: PrintingListener, state_field: str, items: Iterable[Item | None] = ()
    ) -> PrintingListener | TimelineListener:
        """Return what has to be told of what happens, so that the console and a page show it.

        :param state_field: the field with the state of the resources, empty if there is none.
        :param items: the fields of resources before anything is done, as far as they are known.
        """
        if self._page is None:
            return console
        return self._page.listener(console, state_field, items)

    def write(self, results: Sequence[Result], *, dry_run: bool = False) -> None:
        """Print the report, and write it to its file, as requested.

        :param results: the results, in the order of the nodes.
        :param dry_run: whether nothing was done.
        :raises CommandError: if the file cannot be written.
        """
        if not self.is_wanted:
            return
        text = json.dumps(self._document(results, dry_run), indent=2)
        if self._file:
            page = self._page and self._page.text(self._command.words, self._noun, results)
            os.close(self._reserved)
            write_whole(self._file, page or text + "\n")
        if self._as_json:
            print(text, file=self._command.app.stdout, flush=True)

    def _document(self, results: Sequence[Result], dry_run: bool) -> dict[str, Any]:
        counted: Counter[str] = Counter(one.result for one in results)
        return {
            "verb": self._command.words,
            "started": self._started.isoformat(timespec="seconds"),
            "seconds": round(_clock.monotonic() - self._start, 3),
            "counts": {name: counted[name] for name in (_REHEARSED if dry_run else _RESULTS)},
            "nodes": list(map(_record, results)),
        }


def _record(one: Result) -> dict[str, Any]:
    names = ("name", "uuid", "result", "state", "seconds", "error")
    return {name: getattr(one, name) for name in names} | {"seconds": round(one.seconds, 3)}
