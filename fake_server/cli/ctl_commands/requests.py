"""The recorded requests."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from fake_server.cli.ctl_commands.base import add_command, add_options, given, group, parsed, send

if TYPE_CHECKING:
    import argparse

    from fake_server.cli.ctl_commands.base import Commands, Show
    from fake_server.clients.controls import ControlClient


def add_requests(commands: Commands) -> None:
    """Add the command for recorded requests."""
    actions = group(commands, "requests", "list or clear the recorded requests", _list_requests)
    listing = add_command(actions, "list", "list the recorded requests", _list_requests)
    listing.usage = "%(prog)s [OPTION ...]"
    add_options(
        listing,
        ("--method METHOD", "only requests with this HTTP method"),
        ("--path PATH", "only requests for this path; * stands for any characters"),
        ("--status STATUS", "only requests with this status, such as 404 or 4xx"),
        ("--node NAME|UUID", "only requests for this node"),
        ("--version 1.N", "only requests with this version of the Bare Metal API"),
        ("--limit N", "only the last N requests", int),
    )
    listing.add_argument(
        "--format", choices=("json", "har"), help="har is an HTTP archive (default: json)"
    )
    add_command(actions, "clear", "remove the recorded requests", send("DELETE", "requests"))
    text = "check that a request was received; the exit status is 1 if not"
    asserted = add_command(actions, "assert", text, _assert_request)
    part = "a part of its body: keys of objects at any depth; lists are compared whole"
    add_options(
        asserted,
        ("method METHOD", "HTTP method"),
        ("path PATH", "its path; * stands for any characters"),
        ("--times N", "the exact number of times (default: at least once)", int),
        ("--json JSON", "its whole body", parsed),
        ("--json-contains JSON", part, parsed),
        ("--header NAME=VALUE", "header that it has"),
        ("--query NAME=VALUE", "argument of its query"),
        ("--api-version 1.N", "the requested version of the Bare Metal API"),
        ("--absent", "check that it was not received"),
    )


def _list_requests(server: ControlClient, options: argparse.Namespace, show: Show) -> None:
    names = ("method", "path", "status", "node", "version", "limit", "format")
    show(server.send("GET", f"requests?{urlencode(given(options, *names))}"))


def _assert_request(server: ControlClient, options: argparse.Namespace, show: Show) -> None:
    body = given(options, "method", "path", "times", "json", "json_contains", "absent")
    body |= {"version": options.api_version} if options.api_version else {}
    body |= {"headers": dict(options.header)} if options.header else {}
    for name, value in options.query or ():
        body.setdefault("query", {}).setdefault(name, []).append(value)
    show(server.send("POST", "requests/verify", body))
