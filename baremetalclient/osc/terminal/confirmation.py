"""Asking the user before something is lost."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from baremetalclient import exc

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from baremetalclient.osc.parser import ArgumentParser
    from baremetalclient.osc.terminal.printer import Printer

_MOST_SHOWN = 20


def add_yes(parser: ArgumentParser, noun: str = "node") -> None:
    """Add ``--yes``.

    :param noun: what the command acts on.
    """
    parser.add_argument(
        "--yes",
        action="store_true",
        help=f"Don't ask for confirmation. It is required without a terminal for all {noun}s, and "
        f"to interrupt or erase {noun}s that are not named one by one.",
    )


def confirm(
    command: Printer,
    parsed_args: argparse.Namespace,
    verb: str,
    names: Sequence[str],
    noun: str = "node",
) -> bool:
    """Ask whether to go on, unless ``--yes`` is given.

    :param verb: the command, such as ``node delete``.
    :param names: what it acts on, for a line each.
    :param noun: what it acts on.
    :returns: whether to go on.
    :raises UsageError: if there is no terminal.
    """
    if parsed_args.yes:
        return True
    for name in names[:_MOST_SHOWN]:
        command.print_error(f"  {name}")
    if len(names) > _MOST_SHOWN:
        command.print_error(f"  and {len(names) - _MOST_SHOWN} more")
    if not (sys.stdin and sys.stdin.isatty() and command.app.stderr.isatty()):
        raise exc.UsageError(
            f"Nothing was done: {verb!r} for {len(names)} {noun}{'s' * (len(names) > 1)} has to be "
            "confirmed. Without a terminal, give --yes."
        )
    these = f"these {len(names)} {noun}s" if len(names) > 1 else f"this {noun}"
    command.app.stderr.write(f"{verb} for {these}? [y/N] ")
    command.app.stderr.flush()
    if sys.stdin.readline().strip().lower() in ("y", "yes"):
        return True
    command.print_error("Nothing was done.")
    return False
