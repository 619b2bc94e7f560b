"""Reports: what a command has done with each resource, as JSON."""

from __future__ import annotations

import json
import os
from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from baremetalclient import _clock
from baremetalclient.osc.dry_run import REFUSED, WOULD
from baremetalclient.osc.files import check_writable, write_whole
from baremetalclient.osc.options import add_format
from baremetalclient.osc.targets import verb_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from baremetalclient._bulk.result import Result
    from baremetalclient.osc.command import Command
    from baremetalclient.osc.dry_run import Rehearsed
    from baremetalclient.osc.parser import ArgumentParser

_RESULTS = ("done", "failed", "timeout", "skipped")
_REHEARSED = (WOULD, REFUSED)


def add_report(parser: ArgumentParser) -> None:
    """Add ``-f json`` and ``--report``."""
    add_format(
        parser,
        "report_format",
        "Print a report of the results as JSON to standard output, and everything else to "
        "standard error.",
    )
    parser.add_argument(
        "--report", dest="report_file", metavar="<file>", help="Write the report to a file."
    )


class Report:
    """A report that is written when a command is through.

    :raises UsageError: if the file cannot be written.
    """

    def __init__(self, command: Command, parsed_args: argparse.Namespace) -> None:
        self._command = command
        self._as_json = parsed_args.report_format == "json"
        self._file = parsed_args.report_file
        self._started = datetime.now(UTC)
        self._start = _clock.monotonic()
        if self._file:
            check_writable(self._file)
            # Connections may take all file descriptors but this one, which the file takes over.
            self._reserved = os.open(os.devnull, os.O_RDONLY)

    @property
    def is_wanted(self) -> bool:
        """Whether a report was requested."""
        return bool(self._as_json or self._file)

    def write(self, results: Sequence[Result | Rehearsed], *, dry_run: bool = False) -> None:
        """Print the report, and write it to its file, as requested.

        :param results: the results, in the order of the nodes.
        :param dry_run: whether nothing was done.
        :raises CommandError: if the file cannot be written.
        """
        if not self.is_wanted:
            return
        text = json.dumps(self._document(results, dry_run), indent=2)
        if self._file:
            os.close(self._reserved)
            write_whole(self._file, text + "\n")
        if self._as_json:
            print(text, file=self._command.app.stdout, flush=True)

    def _document(self, results: Sequence[Result | Rehearsed], dry_run: bool) -> dict[str, Any]:
        counted: Counter[str] = Counter(one.result for one in results)
        return {
            "verb": verb_of(self._command),
            "started": self._started.isoformat(timespec="seconds"),
            "seconds": round(_clock.monotonic() - self._start, 3),
            "counts": {name: counted[name] for name in (_REHEARSED if dry_run else _RESULTS)},
            "nodes": list(map(_record, results)),
        }


def _record(one: Result | Rehearsed) -> dict[str, Any]:
    names = ("name", "uuid", "result", "state", "seconds", "error")
    return {name: getattr(one, name) for name in names} | {"seconds": round(one.seconds, 3)}
