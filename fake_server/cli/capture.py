"""``baremetal-fake-server capture``: print the seed of an Ironic."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from fake_server.cli import connection
from fake_server.cli.messages import tell
from fake_server.cli.parsers import Parser
from fake_server.clients.capture import CaptureError, Source, capture
from fake_server.seeds.serialization import as_yaml

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence


def main(words: Sequence[str]) -> int:
    """Run the command, ``capture`` and its arguments; return the exit status."""
    options = _parser().parse_args(words[1:])
    try:
        found = connection.connect(options)
        captured = capture(
            Source(found.url, found.session),
            keep_drivers=options.keep_drivers,
            brief=options.brief,
        )
    except (CaptureError, connection.UnreachableError) as exc:
        tell(exc)
        return 1
    for note in [*captured.notes, *captured.needs]:
        tell(note)
    sys.stdout.write(as_yaml(captured.seed))
    return 0


def _parser() -> Parser:
    parser = Parser(
        prog="baremetal-fake-server capture",
        description=(
            "Print the state of an Ironic, real or fake, as a seed, read through its REST API. The "
            "API masks secrets as ******; they are left out. Standard error lists what is left out "
            "or changed."
        ),
    )
    parser.examples = (
        "baremetal-fake-server capture https://ironic.example.com:6385 > lab.yaml",
        "baremetal-fake-server capture --os-cloud production --brief > lab.yaml",
    )
    add_arguments(parser)
    return parser


def add_arguments(parser: argparse._ActionsContainer, *, url: str = "url") -> None:
    """Add the arguments for an Ironic that is captured, and for what of it.

    :param url: name of the argument for the URL.
    """
    connection.add_arguments(parser, url=url)
    parser.add_argument(
        "--keep-drivers",
        action="store_true",
        help="keep drivers and interfaces that are not part of Ironic, which the fake server lacks",
    )
    parser.add_argument(
        "--brief",
        action="store_true",
        help="leave out history, BIOS settings, firmware and inventories, which take four requests "
        "for each node",
    )
