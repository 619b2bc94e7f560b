"""``--dry-run``: what a command would do with each resource, without doing it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from baremetalclient.osc.parser import ArgumentParser
    from baremetalclient.osc.terminal.printer import Printer

WOULD = "would"
REFUSED = "would be refused"


class Rehearsed(NamedTuple):
    """What would become of one resource; the fields of a report.

    :param name: its name, or what it was called if it was not found.
    :param uuid: its UUID, None if it is not known.
    :param result: `WOULD` or `REFUSED`.
    :param state: its present state, None if it is not known.
    :param error: why it would be refused, None if it would not.
    :param already: the state with which nothing has to be sent, None if something has to be.
    """

    name: str | None
    uuid: str | None
    result: str
    state: str | None = None
    error: str | None = None
    already: str | None = None
    seconds: float = 0.0

    @property
    def label(self) -> str:
        """What it is called in messages."""
        return self.name or self.uuid or "unknown"

    @property
    def remark(self) -> str:
        """The result in words."""
        return f"already {self.already!r}" if self.already else self.result


def add_dry_run(parser: ArgumentParser) -> None:
    """Add ``--dry-run``."""
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="Show what would be done, and what the state machine would refuse; nothing is "
        "changed.",
    )


def print_rehearsed(
    command: Printer, noun: str, found: Sequence[Rehearsed], *, as_table: bool
) -> None:
    """Print what would become of resources: a table on stdout, and the numbers on stderr.

    :param noun: what the resources are.
    :param found: the resources, in the order in which they are printed.
    :param as_table: whether to print the table.
    """
    from baremetalclient.osc.terminal.formatters import print_table

    command.retry_notices.finish()
    if as_table:
        columns = (noun, "state", command.words, "reason")
        rows = [(one.name, one.state or "", one.remark, one.error or "") for one in found]
        print_table(columns, rows, command.app.stdout)
    counted = Counter(one.remark for one in found)
    numbers = ", ".join(f"{number} {remark}" for remark, number in counted.items())
    command.report(f"Nothing was sent. Of {len(found)} {noun}s: {numbers or 'none'}.")
