"""``--dry-run``: what a command would do with each resource, without doing it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from baremetalclient._bulk.result import Result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from baremetalclient._bulk.result import Rehearsal
    from baremetalclient._bulk.step import PlannedStep
    from baremetalclient.osc.parser import ArgumentParser
    from baremetalclient.osc.terminal.printer import Printer


def add_dry_run(parser: ArgumentParser) -> None:
    """Add ``--dry-run``."""
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="Show what would be done, what would be interrupted, and what the state machine would "
        "refuse; nothing is changed.",
    )


def rehearsed(step: PlannedStep, state_field: str) -> Result:
    """Return a step as the result of a rehearsal.

    :param state_field: the field with the present state, empty if there is none.
    """
    state = step.fields.get(state_field, {}).get("old")
    outcome: Rehearsal = "would be refused" if step.action == "refused" else "would"
    return Result(step.id, step.uuid, outcome, state, error=step.reason)


def print_rehearsed(
    command: Printer, noun: str, steps: Sequence[PlannedStep], state_field: str, *, as_table: bool
) -> None:
    """Print what would become of resources: a table on stdout, and the numbers on stderr.

    :param noun: what the resources are.
    :param steps: the steps, in the order in which they are printed.
    :param state_field: the field with the present state, empty if there is none.
    :param as_table: whether to print the table.
    """
    from baremetalclient.osc.terminal.formatters import print_table

    command.retry_notices.finish()
    results = [rehearsed(step, state_field) for step in steps]
    remarks = [
        f"already {one.state!r}" if step.action == "none" else one.result
        for step, one in zip(steps, results, strict=True)
    ]
    if as_table:
        columns = (noun, "state", command.words, "reason")
        rows = [
            (one.name, one.state or "", remark, _reason(step))
            for step, one, remark in zip(steps, results, remarks, strict=True)
        ]
        print_table(columns, rows, command.app.stdout)
    counted = Counter(remarks)
    numbers = ", ".join(f"{number} {remark}" for remark, number in counted.items())
    command.report(f"Nothing was sent. Of {len(steps)} {noun}s: {numbers or 'none'}.")


def _reason(step: PlannedStep) -> str:
    return step.reason or (f"! {step.interrupts}" if step.interrupts else "")
