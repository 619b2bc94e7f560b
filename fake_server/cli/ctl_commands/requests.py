"""The recorded requests."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from fake_server.cli.ctl_commands.base import add_command, given, group, pair, parsed, send

if TYPE_CHECKING:
    import argparse

    from fake_server.cli.ctl_commands.base import Commands, Show
    from fake_server.clients.controls import ControlClient


def add_requests(commands: Commands) -> None:
    """Add the command for recorded requests."""
    actions = group(commands, "requests", "list or clear the recorded requests", _list_requests)
    listing = add_command(actions, "list", "list the recorded requests", _list_requests)
    listing.usage = "%(prog)s [OPTION ...]"
    listing.add_argument("--method", help="only requests with this HTTP method")
    listing.add_argument("--path", help="only requests for this path; * stands for any characters")
    listing.add_argument("--status", help="only requests with this status, such as 404 or 4xx")
    listing.add_argument("--node", metavar="NAME|UUID", help="only requests for this node")
    listing.add_argument(
        "--version", metavar="1.N", help="only requests with this version of the Bare Metal API"
    )
    listing.add_argument("--limit", type=int, metavar="N", help="only the last N requests")
    listing.add_argument(
        "--format", choices=("json", "har"), help="har is an HTTP archive (default: json)"
    )
    add_command(actions, "clear", "remove the recorded requests", send("DELETE", "requests"))
    text = "check that a request was received; the exit status is 1 if not"
    asserted = add_command(actions, "assert", text, _assert_request)
    asserted.add_argument("method", metavar="METHOD", help="HTTP method")
    asserted.add_argument("path", metavar="PATH", help="its path; * stands for any characters")
    asserted.add_argument(
        "--times", type=int, metavar="N", help="the exact number of times (default: at least once)"
    )
    asserted.add_argument("--json", type=parsed, metavar="JSON", help="its whole body")
    asserted.add_argument(
        "--json-contains",
        type=parsed,
        metavar="JSON",
        help="a part of its body: keys of objects at any depth; lists are compared whole",
    )
    for name, what in (("header", "header that it has"), ("query", "argument of its query")):
        asserted.add_argument(
            f"--{name}",
            type=pair,
            action="append",
            metavar="NAME=VALUE",
            help=f"{what}; can be repeated",
        )
    asserted.add_argument(
        "--api-version",
        dest="version",
        metavar="1.N",
        help="the requested version of the Bare Metal API",
    )
    asserted.add_argument(
        "--absent", action="store_true", default=None, help="check that it was not received"
    )


def _list_requests(server: ControlClient, options: argparse.Namespace, show: Show) -> None:
    names = ("method", "path", "status", "node", "version", "limit", "format")
    show(server.send("GET", f"requests?{urlencode(given(options, *names))}"))


def _assert_request(server: ControlClient, options: argparse.Namespace, show: Show) -> None:
    names = ("method", "path", "times", "json", "json_contains", "version", "absent")
    body = given(options, *names)
    body |= {"headers": dict(options.header)} if options.header else {}
    for name, value in options.query or ():
        body.setdefault("query", {}).setdefault(name, []).append(value)
    show(server.send("POST", "requests/verify", body))
