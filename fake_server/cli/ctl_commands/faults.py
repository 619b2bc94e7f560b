"""Faults of requests and of steps."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fake_server.cli.ctl_commands.base import (
    add_command,
    add_options,
    get,
    given,
    group,
    show_with_warnings,
)
from fake_server.cli.durations import seconds
from fake_server.clients.controls import ControlError

if TYPE_CHECKING:
    import argparse

    from fake_server.cli.ctl_commands.base import Commands, Show
    from fake_server.clients.controls import ControlClient


#: The options of a fault by their names in the controls: what goes wrong, and all others.
_ACTIONS = {
    **{name: f"--{name}" for name in ("status", "message", "delay", "drop", "locked", "truncate")},
    **{"content_type": "--content-type", "headers": "--answer-header"},
    "last_error": "--last-error",
}
_CHOICES = ("method", "path", "node", "flow", "nth", "every", "probability", "times", "seconds")
_OPTIONS = {**_ACTIONS, **{name: f"--{name}" for name in _CHOICES}}
#: A name in an error of the controls.
_NAMED = re.compile(rf"\b({'|'.join(_OPTIONS)})\b(?= has to| needs| and \w+ cannot| cannot|[.]$)")


def add_faults(commands: Commands) -> None:
    """Add the command for faults."""
    actions = group(
        commands, "faults", "list, add or remove faults of requests and steps", get("faults")
    )
    add_command(actions, "list", "list the faults, and how often each was applied", get("faults"))
    add = add_command(actions, "add", "add a fault", _add_fault)
    # One line above an error, not twelve; the help has all options.
    add.usage = "%(prog)s [OPTION ...]"
    add.examples = (
        "baremetal-fake-server ctl faults add --node node-1 --locked --times 3",
        "baremetal-fake-server ctl faults add --method POST --path /v1/nodes --status 503 --nth 2",
        "baremetal-fake-server ctl faults add --node node-1 --flow deploy --step 'deploy.*'"
        " --last-error 'No space left on device'",
        "baremetal-fake-server ctl faults add --path '/volume/*' --drop after --probability 0.1",
    )
    add_options(add, ("--strict", "refuse a fault that names what no service, node or flow has"))
    add_options(
        add.add_argument_group("which requests or steps"),
        ("--method METHOD", "HTTP method of the request"),
        ("--path PATH", "path of the request; * stands for any characters"),
        ("--node NAME|UUID", "node of the request or step"),
        ("--header NAME=VALUE", "header of the request"),
        ("--flow FLOW", "flow of the step: deploy, clean or service"),
        ("--step STEP", "interface.step; * stands for any characters"),
        ("--nth N", "only the nth match", int),
        ("--every N", "only every nth match", int),
        ("--probability P", "probability of each match, from 0 to 1", float),
        ("--seed N", "random seed of --probability", int),
    )
    add_options(
        add.add_argument_group("what goes wrong"),
        ("--status STATUS", "status to respond with, from 400 to 599", int),
        ("--message MESSAGE", "message of the error"),
        ("--answer-header NAME=VALUE", "header to add to the response"),
        ("--delay DURATION", "delay of the response", seconds),
        ("--drop before|after", "close the connection before or after the request is handled"),
        ("--locked", "respond that the node is locked"),
        ("--truncate BYTES", "cut the body of the response to this size", int),
        ("--content-type TYPE", "content type of the response"),
        ("--last-error TEXT", "make the step fail with this message"),
    )
    add_options(
        add.add_argument_group("how often"),
        ("--times N", "maximum number of times", int),
        ("--seconds DURATION", "how long the fault lasts, by the server's clock", seconds),
    )
    remove = add_command(actions, "remove", "remove faults", _remove_faults)
    remove.add_argument("id", type=int, nargs="*", help="IDs of the faults (default: all)")


def _add_fault(server: ControlClient, options: argparse.Namespace, show: Show) -> None:
    choice = ("nth", "every", "probability", "seed")
    match = given(options, "method", "path", "node", "flow", "step", *choice)
    if options.header:
        match["headers"] = dict(options.header)
    named = ("status", "message", "delay", "drop", "locked", "truncate", "content_type")
    do = given(options, *named, "last_error")
    if options.answer_header:
        do["headers"] = dict(options.answer_header)
    fails, of_others = "last_error" in do, {"method", "path", "headers"} & match.keys()
    if fails and of_others:
        raise ValueError("--last-error makes steps fail, which have no method, path or headers.")
    if not fails and {"flow", "step"} & match.keys():
        raise ValueError("--flow and --step need --last-error, with which the step fails.")
    if not do:
        raise ValueError(f"Say what goes wrong, by one of {', '.join(_ACTIONS.values())}.")
    body = {"match": match, "do": do, **given(options, "times", "seconds", "strict")}
    try:
        added = server.send("POST", "faults", body)
    except ControlError as exc:
        raise ControlError(_NAMED.sub(lambda found: _OPTIONS[found[0]], str(exc))) from None
    show_with_warnings(added, show)


def _remove_faults(server: ControlClient, options: argparse.Namespace, _show: Show) -> None:
    for path in [f"faults/{ident}" for ident in options.id] or ["faults"]:
        server.send("DELETE", path)
