"""The arguments of ``baremetal-fake-server ctl``."""

from __future__ import annotations

from fake_server.cli.ctl_commands.base import add_command, get
from fake_server.cli.ctl_commands.clock import add_clock, add_delays
from fake_server.cli.ctl_commands.faults import add_faults
from fake_server.cli.ctl_commands.nodes import add_conductors, add_node
from fake_server.cli.ctl_commands.requests import add_requests
from fake_server.cli.ctl_commands.state import add_seed, add_snapshots, add_whole
from fake_server.cli.defaults import TOKEN_VARIABLE, URL_VARIABLE
from fake_server.cli.parsers import Parser

#: Where a server listens by default.
LOCAL = "http://127.0.0.1:6385"


def parser() -> Parser:
    """Return the parser; ``act`` of the parsed arguments runs the command."""
    made = Parser(
        prog="baremetal-fake-server ctl",
        description="Control a running fake server: its clock, its faults, its state.",
    )
    made.examples = (
        "baremetal-fake-server ctl clock advance 10m",
        "baremetal-fake-server ctl faults add --method POST --path /v1/nodes --status 503",
        "baremetal-fake-server ctl seed add lab.yaml",
    )
    made.add_argument(
        "--url",
        help=f"URL of the server (default: {URL_VARIABLE}, or {LOCAL})",
    )
    made.add_argument(
        "--token", help=f"token of the controls, if they need one (default: {TOKEN_VARIABLE})"
    )
    made.add_argument(
        "--cacert",
        metavar="FILE",
        help="file of CA certificates to verify the server's with (default: OS_CACERT)",
    )
    commands = made.add_subparsers(required=True, metavar="COMMAND")
    add_command(commands, "health", "check that the server and its database work", get("health"))
    add_clock(commands)
    add_delays(commands)
    add_faults(commands)
    add_conductors(commands)
    add_node(commands)
    add_requests(commands)
    add_snapshots(commands)
    add_seed(commands)
    add_whole(commands)
    return made
