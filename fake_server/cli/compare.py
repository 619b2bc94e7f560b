"""``baremetal-fake-server compare``: where the fake server's answers differ from an Ironic's."""

from __future__ import annotations

import json
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

from fake_server.cli import connection
from fake_server.cli.messages import tell
from fake_server.cli.parsers import Parser
from fake_server.cli.signals import interruptible
from fake_server.clients.capture import CaptureError
from fake_server.clients.comparison import archive
from fake_server.clients.comparison.sides import Comparison

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from fake_server.clients.comparison.sides import Compared

_LONGEST = 200


def main(words: Sequence[str]) -> int:
    """Run the command, ``compare`` and its arguments; return the exit status."""
    options = _parser().parse_args(words[1:])
    if options.har:
        return _compare_archive(options)
    try:
        found = connection.connect(options)
        # What it has written is removed, also after a signal.
        with (
            interruptible(),
            closing(Comparison(found.url, found.session, options.dialect)) as comparison,
        ):
            compared = list(comparison.read())
            if options.write:
                compared += comparison.write()
    except (CaptureError, connection.UnreachableError) as exc:
        tell(exc)
        return 2
    for note in comparison.notes:
        tell(note)
    return _told(options, compared)


def _compare_archive(options: argparse.Namespace) -> int:
    try:
        with open(options.har, encoding="utf-8") as file:
            entries = archive.read(file.read())
        compared = list(archive.compare(entries, options.seed, options.dialect))
    except (OSError, ValueError, archive.ArchiveError) as exc:
        tell(f"{options.har}: {exc}")
        return 2
    return _told(options, compared)


def _told(options: argparse.Namespace, compared: Sequence[Compared]) -> int:
    """Print what differs; return the exit status."""
    (_print_json if options.format == "json" else _print_text)(compared)
    return int(any(one.differences for one in compared))


def _print_text(compared: Sequence[Compared]) -> None:
    differing = [one for one in compared if one.differences]
    for one in differing:
        print(f"{one.method} {one.path} (1.{one.version})")
        for place, theirs, ours in one.differences:
            print(f"  {place}: {_short(theirs)}, the fake server: {_short(ours)}")
    print(f"{len(compared) - len(differing)} of {len(compared)} responses are the same.")


def _print_json(compared: Iterable[Compared]) -> None:
    shown = [
        {
            "method": one.method,
            "path": one.path,
            "version": f"1.{one.version}",
            "differences": [
                {"place": place, "ironic": theirs, "fake": ours}
                for place, theirs, ours in one.differences
            ],
        }
        for one in compared
    ]
    json.dump({"requests": shown}, sys.stdout, indent=2)
    print()


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _parser() -> Parser:
    parser = Parser(
        prog="baremetal-fake-server compare",
        description=(
            "Send the same requests to an Ironic and to a fake one with the same lab, and print "
            "where the responses differ. The exit code is 0 if all are the same, 1 if not, and 2 "
            "if they can't be compared. Nothing is changed, unless --write is given."
        ),
    )
    connection.add_arguments(parser)
    parser.add_argument(
        "--har",
        metavar="FILE",
        help="take the requests and responses of an HTTP Archive instead of an Ironic",
    )
    parser.add_argument(
        "--seed",
        metavar="FILE",
        help="with --har: YAML or JSON file with the lab that the Ironic had, as capture prints it",
    )
    parser.add_argument(
        "--write",
        action="store_true",
        help="also create a node named fake-server-compare-..., change it, and delete it; no "
        "machine is touched",
    )
    parser.add_argument(
        "-f",
        "--format",
        choices=("text", "json"),
        default="text",
        help="text prints the differences, json all requests (default: text)",
    )
    parser.add_argument(
        "--dialect",
        choices=("ironic", "spec"),
        default="ironic",
        help="dialect of the fake server (default: ironic)",
    )
    return parser
