"""``--timeout`` of commands that wait or watch, beside the global option of this name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient.osc import argument_types

if TYPE_CHECKING:
    from baremetalclient.osc.parser import ArgumentParser

OWN_TIMEOUT = "--own-timeout"
"""How the standalone command spells it until the global options are parsed."""


def add_timeout(parser: ArgumentParser, help: str) -> None:  # noqa: A002 - argparse's name
    """Add ``--timeout``.

    :param parser: the parser of the command's arguments.
    :param help: what the duration is for.
    """
    parser.add_argument(
        "--timeout",
        dest="duration",
        metavar="<duration>",
        type=argument_types.duration,
        default=0,
        help=f"{help}: seconds, or a number with a unit, such as 90s, 30m or 2h. There is no limit "
        "by default, or with 0.",
    )
    parser.accept_spelling(OWN_TIMEOUT, "--timeout")
