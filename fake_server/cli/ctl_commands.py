"""The arguments of ``baremetal-fake-server ctl``, and what each of its commands does."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from fake_server.cli.durations import seconds
from fake_server.cli.parsers import Parser

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.cli.ctl_client import ControlClient

    Show = Callable[[Any], None]
    Act = Callable[[ControlClient, argparse.Namespace, Show], None]
    Commands = argparse._SubParsersAction[Parser]

#: Variables of the environment that name the server, its port and its token; ``exec`` sets the
#: first and the last.
URL_VARIABLE = "BAREMETAL_FAKE_SERVER_URL"
PORT_VARIABLE = "BAREMETAL_FAKE_SERVER_PORT"
TOKEN_VARIABLE = "BAREMETAL_FAKE_SERVER_TOKEN"  # noqa: S105 - a variable's name


def parser() -> Parser:
    """Return the parser; ``act`` of what it returns does what was asked for."""
    made = Parser(
        prog="baremetal-fake-server ctl",
        description="Control a running fake server: its time, its faults, its state.",
    )
    made.add_argument(
        "--url",
        help=f"of the server (default: {URL_VARIABLE}, or http://127.0.0.1 and the port that "
        f"{PORT_VARIABLE} names, which is 6385 by default)",
    )
    made.add_argument(
        "--token", help=f"what its controls ask for, if they do (default: {TOKEN_VARIABLE})"
    )
    made.add_argument(
        "--cacert",
        metavar="FILE",
        help="the CAs that the certificate of the server is verified by (default: OS_CACERT)",
    )
    commands = made.add_subparsers(required=True, metavar="COMMAND")
    _command(commands, "health", "tell whether the server can work", _get("health"))
    _add_clock(commands)
    _add_delays(commands)
    _add_faults(commands)
    _add_conductors(commands)
    _add_requests(commands)
    _add_snapshots(commands)
    _add_seed(commands)
    _command(
        commands,
        "reset",
        "restore the first state, and remove faults, delays and recorded requests",
        _send("POST", "reset"),
    )
    return made


def _add_clock(commands: Commands) -> None:
    actions = _group(commands, "clock", "the clock of the server", _get("clock"))
    _command(actions, "show", "show the time, and how it passes", _get("clock"))
    real = _command(actions, "real", "follow the system's time", _set_clock)
    scaled = _command(actions, "scaled", "let time pass so many times as fast", _set_clock)
    scaled.add_argument("factor", type=float)
    manual = _command(actions, "manual", "let time stand still", _set_clock)
    for mode, command in (("real", real), ("scaled", scaled), ("manual", manual)):
        command.set_defaults(mode=mode)
        if mode != "real":
            command.add_argument(
                "--now", type=float, metavar="SECONDS", help="since 1970 (default: as it is)"
            )
    advance = _command(actions, "advance", "move the clock forward", _advance)
    advance.add_argument(
        "seconds", type=seconds, metavar="DURATION", help="90, 90s, 500ms, 10m, 1.5h"
    )


def _set_clock(server: ControlClient, options: argparse.Namespace, show: Show) -> None:
    body = {"mode": options.mode, **_given(options, "factor", "now")}
    show(server.send("PUT", "clock", body))


def _advance(server: ControlClient, options: argparse.Namespace, show: Show) -> None:
    show(server.send("POST", "clock/advance", {"seconds": options.seconds}))


def _add_delays(commands: Commands) -> None:
    actions = _group(commands, "delays", "how long the transitions of nodes take", _get("delays"))
    _command(actions, "show", "show the delays", _get("delays"))
    change = _command(actions, "set", "set delays; the others stay", _set_delays)
    change.add_argument("--node", metavar="NAME|UUID", help="of one node (default: of all)")
    change.add_argument(
        "delays", nargs="+", type=_delay, metavar="NAME=DURATION", help="deploying=10m, default=1"
    )
    _command(
        actions,
        "clear",
        "let them take as long as the server's options say",
        _send("DELETE", "delays"),
    )


def _set_delays(server: ControlClient, options: argparse.Namespace, show: Show) -> None:
    delays = server.send("GET", "delays")
    for name, delay in options.delays:
        if options.node is not None:
            delays["nodes"].setdefault(options.node, {})[name] = delay
        elif name == "default":
            delays["default"] = delay
        else:
            delays["transitions"][name] = delay
    show(server.send("PUT", "delays", delays))


def _delay(text: str) -> tuple[str, float]:
    name, equals, duration = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is no NAME=DURATION")
    return name, seconds(duration)


def _add_faults(commands: Commands) -> None:
    actions = _group(
        commands, "faults", "errors, delays and the like for requests and steps", _get("faults")
    )
    _command(actions, "list", "list the faults, and how often each acted", _get("faults"))
    add = _command(actions, "add", "add a fault", _add_fault)
    match = add.add_argument_group("which requests or steps")
    match.add_argument("--method")
    match.add_argument("--path", help="* stands for anything")
    match.add_argument("--node", metavar="NAME|UUID")
    match.add_argument("--header", type=_header, action="append", metavar="NAME=VALUE")
    match.add_argument("--flow", help="of a step: deploy, clean or service")
    match.add_argument("--step", help="interface.step, with *")
    match.add_argument("--nth", type=int, metavar="N", help="only the nth")
    match.add_argument("--every", type=int, metavar="N", help="only every nth")
    match.add_argument("--probability", type=float, metavar="P", help="from 0 to 1")
    match.add_argument("--seed", type=int, metavar="N", help="of the probability")
    do = add.add_argument_group("what goes wrong")
    do.add_argument("--status", type=int, help="answer with this error")
    do.add_argument("--message", help="of the error")
    do.add_argument("--answer-header", type=_header, action="append", metavar="NAME=VALUE")
    do.add_argument("--delay", type=seconds, metavar="DURATION", help="of the answer")
    do.add_argument("--drop", metavar="before|after", help="the connection")
    do.add_argument("--locked", action="store_true", default=None, help="the node is locked")
    do.add_argument("--truncate", type=int, metavar="BYTES", help="cut the answer")
    do.add_argument("--content-type", metavar="TYPE", help="of the answer")
    do.add_argument("--last-error", metavar="TEXT", help="that the step fails with")
    limits = add.add_argument_group("how often")
    limits.add_argument("--times", type=int, metavar="N", help="at most")
    limits.add_argument(
        "--seconds", type=seconds, metavar="DURATION", help="by the server's clock, at most"
    )
    remove = _command(actions, "remove", "remove faults", _remove_faults)
    remove.add_argument("id", type=int, nargs="*", help="which (default: all)")


def _add_fault(server: ControlClient, options: argparse.Namespace, show: Show) -> None:
    choice = ("nth", "every", "probability", "seed")
    match = _given(options, "method", "path", "node", "flow", "step", *choice)
    if options.header:
        match["headers"] = dict(options.header)
    named = ("status", "message", "delay", "drop", "locked", "truncate", "content_type")
    do = _given(options, *named, "last_error")
    if options.answer_header:
        do["headers"] = dict(options.answer_header)
    body = {"match": match, "do": do, **_given(options, "times", "seconds")}
    show(server.send("POST", "faults", body))


def _remove_faults(server: ControlClient, options: argparse.Namespace, _show: Show) -> None:
    for path in [f"faults/{ident}" for ident in options.id] or ["faults"]:
        server.send("DELETE", path)


def _header(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is no NAME=VALUE")
    return name, value


def _add_conductors(commands: Commands) -> None:
    actions = _group(commands, "conductors", "the conductors of the server", _get("conductors"))
    _command(actions, "list", "list them", _get("conductors"))
    for name, alive in (("down", False), ("up", True)):
        text = f"{'start' if alive else 'end'} one, as its nodes see it"
        command = _command(actions, name, text, _set_conductor)
        command.set_defaults(alive=alive)
        command.add_argument("host")


def _set_conductor(server: ControlClient, options: argparse.Namespace, show: Show) -> None:
    path = f"conductors/{quote(options.host, safe='')}"
    show(server.send("PATCH", path, {"alive": options.alive}))


def _add_requests(commands: Commands) -> None:
    actions = _group(commands, "requests", "the requests that the server received", _list_requests)
    listing = _command(actions, "list", "list the last requests", _list_requests)
    listing.add_argument("--method")
    listing.add_argument("--path", help="* stands for anything")
    listing.add_argument("--status", help="404, or 4xx")
    listing.add_argument("--node", metavar="NAME|UUID")
    listing.add_argument("--version", metavar="1.N", help="of the Bare Metal API")
    listing.add_argument("--limit", type=int, metavar="N", help="the last so many")
    listing.add_argument("--format", choices=("json", "har"), help="har: an HTTP archive")
    _command(actions, "clear", "remove them", _send("DELETE", "requests"))


def _list_requests(server: ControlClient, options: argparse.Namespace, show: Show) -> None:
    names = ("method", "path", "status", "node", "version", "limit", "format")
    show(server.send("GET", f"requests?{urlencode(_given(options, *names))}"))


def _add_snapshots(commands: Commands) -> None:
    actions = _group(commands, "snapshots", "snapshots of the whole state", _get("snapshots"))
    _command(actions, "list", "list them", _get("snapshots"))
    take = _command(actions, "take", "take a snapshot of the present state", _take_snapshot)
    take.add_argument("id", nargs="?", help="what it is called (default: a number)")
    restore = _command(actions, "restore", "restore one", _send("POST", "snapshots/{}/restore"))
    remove = _command(actions, "remove", "remove one", _send("DELETE", "snapshots/{}"))
    for command in (restore, remove):
        command.add_argument("id")


def _take_snapshot(server: ControlClient, options: argparse.Namespace, show: Show) -> None:
    show(server.send("POST", "snapshots", _given(options, "id")))


def _add_seed(commands: Commands) -> None:
    actions = _group(commands, "seed", "labs of nodes", _show_seed)
    add = _command(actions, "add", "add a lab", _add_lab)
    add.add_argument("file", metavar="FILE", help="in YAML or JSON; - for standard input")
    _command(actions, "show", "show what the server has, as a seed in YAML", _show_seed)


def _add_lab(server: ControlClient, options: argparse.Namespace, show: Show) -> None:
    import sys

    import yaml

    if options.file == "-":
        text = sys.stdin.read()
    else:
        with open(options.file, encoding="utf-8") as file:
            text = file.read()
    try:
        seed = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - safe
        body = json.loads(json.dumps(seed))
    except (yaml.YAMLError, TypeError) as exc:
        raise ValueError(f"{options.file}: {' '.join(str(exc).split())}") from exc
    show(server.send("POST", "seed", body))


def _show_seed(server: ControlClient, _options: argparse.Namespace, _show: Show) -> None:
    import sys

    from fake_server.seeds.serialization import as_yaml

    sys.stdout.write(as_yaml(server.send("GET", "seed")))


def _group(commands: Commands, name: str, text: str, act: Act) -> Commands:
    """Return what the actions of a command are added to; ``act`` is done without an action."""
    made = _command(commands, name, text, act)
    return made.add_subparsers(metavar="ACTION", help="default: show what there is")


def _command(commands: Commands, name: str, text: str, act: Act) -> Parser:
    made = commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
    made.set_defaults(act=act)
    return made


def _get(path: str) -> Act:
    return lambda server, _options, show: show(server.send("GET", path))


def _send(method: str, path: str) -> Act:
    """Return what sends a request without showing its answer; ``{}`` stands for the id."""
    return lambda server, options, _show: server.send(
        method, path.format(quote(getattr(options, "id", ""), safe=""))
    )


def _given(options: argparse.Namespace, *names: str) -> dict[str, Any]:
    found = {name: getattr(options, name, None) for name in names}
    return {name: value for name, value in found.items() if value is not None}
