"""Bounds of commands for many resources: requests at a time, and failures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient.osc import argument_types

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.parser import ArgumentParser


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
