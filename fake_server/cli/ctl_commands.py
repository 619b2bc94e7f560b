"""The arguments of ``baremetal-fake-server ctl``, and what each of its commands does."""

from __future__ import annotations

import argparse
import json
import re
import sys
from datetime import datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from fake_server.cli import values
from fake_server.cli.defaults import TOKEN_VARIABLE, URL_VARIABLE
from fake_server.cli.durations import seconds
from fake_server.cli.messages import tell
from fake_server.cli.parsers import Parser
from fake_server.clients.controls import ControlError
from fake_server.common import json_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.clients.controls import ControlClient

    Show = Callable[[Any], None]
    Act = Callable[[ControlClient, argparse.Namespace, Show], None]
    Commands = argparse._SubParsersAction[Parser]

#: Where a server listens by default.
LOCAL = "http://127.0.0.1:6385"
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
    _command(commands, "health", "check that the server and its database work", _get("health"))
    _add_clock(commands)
    _add_delays(commands)
    _add_faults(commands)
    _add_conductors(commands)
    _add_nodes(commands)
    _add_requests(commands)
    _add_snapshots(commands)
    _add_seed(commands)
    text = "write the timeline of nodes and requests to an HTML file"
    report = _command(commands, "report", text, _write_report)
    report.add_argument("file", metavar="FILE", help="HTML file, - for standard output")
    text = "show faults that met nothing, and requests for unknown paths; the exit status is 1 then"
    _command(commands, "unmet", text, _show_unmet)
    _command(
        commands,
        "reset",
        "restore the initial state, and remove faults, delays and recorded requests",
        _send("POST", "reset"),
    )
    return made


def _add_clock(commands: Commands) -> None:
    actions = _group(commands, "clock", "show or set the clock of the server", _get("clock"))
    _command(actions, "show", "show the time and the mode of the clock", _get("clock"))
    real = _command(actions, "real", "follow the system's clock", _set_clock)
    scaled = _command(actions, "scaled", "let time pass faster, or slower, by a factor", _set_clock)
    scaled.add_argument("factor", type=float, help="seconds that pass in each real second")
    manual = _command(actions, "manual", "stop the clock; only 'advance' moves it", _set_clock)
    auto = _command(actions, "auto", "stop the clock until a client waits", _set_clock)
    modes = (("real", real), ("scaled", scaled), ("manual", manual), ("auto", auto))
    for mode, command in modes:
        command.set_defaults(mode=mode)
        if mode != "real":
            command.add_argument(
                "--now",
                type=float,
                metavar="SECONDS",
                help="time to set, in seconds since 1970 (default: the present time of the clock)",
            )
    advance = _command(actions, "advance", "move the clock forward", _advance)
    advance.add_argument(
        "seconds", type=seconds, metavar="DURATION", help="such as 90, 90s, 500ms, 10m or 1.5h"
    )


def _set_clock(server: ControlClient, options: argparse.Namespace, show: Show) -> None:
    body = {"mode": options.mode, **_given(options, "factor", "now")}
    show(server.send("PUT", "clock", body))


def _advance(server: ControlClient, options: argparse.Namespace, show: Show) -> None:
    show(server.send("POST", "clock/advance", {"seconds": options.seconds}))


def _add_delays(commands: Commands) -> None:
    actions = _group(
        commands, "delays", "show or set how long transitions of nodes take", _get("delays")
    )
    _command(actions, "show", "show the delays", _get("delays"))
    change = _command(actions, "set", "set delays and keep the others", _set_delays)
    change.add_argument(
        "--node", metavar="NAME|UUID", help="node that the delays apply to (default: all)"
    )
    change.add_argument(
        "delays",
        nargs="+",
        type=_delay,
        metavar="NAME=DELAY",
        help="such as deploying=10m, default=5±2 or 'deploying=90%% active, 10%% deploy failed'",
    )
    _command(
        actions,
        "clear",
        "return to the delays that the server was started with",
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


def _delay(text: str) -> tuple[str, float | str]:
    name, equals, given = text.partition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form NAME=DELAY")
    return name, values.delay(given)


def _add_faults(commands: Commands) -> None:
    actions = _group(
        commands, "faults", "list, add or remove faults of requests and steps", _get("faults")
    )
    _command(actions, "list", "list the faults, and how often each was applied", _get("faults"))
    add = _command(actions, "add", "add a fault", _add_fault)
    add.examples = (
        "baremetal-fake-server ctl faults add --node node-1 --locked --times 3",
        "baremetal-fake-server ctl faults add --method POST --path /v1/nodes --status 503 --nth 2",
        "baremetal-fake-server ctl faults add --node node-1 --flow deploy --step 'deploy.*'"
        " --last-error 'No space left on device'",
        "baremetal-fake-server ctl faults add --path '/volume/*' --drop after --probability 0.1",
    )
    add.add_argument(
        "--strict",
        action="store_true",
        default=None,
        help="refuse a fault that names what no service, node or flow has",
    )
    match = add.add_argument_group("which requests or steps")
    match.add_argument("--method", help="HTTP method of the request")
    match.add_argument("--path", help="path of the request; * stands for any characters")
    match.add_argument("--node", metavar="NAME|UUID", help="node of the request or step")
    match.add_argument(
        "--header",
        type=_header,
        action="append",
        metavar="NAME=VALUE",
        help="header of the request; can be repeated",
    )
    match.add_argument("--flow", help="flow of the step: deploy, clean or service")
    match.add_argument("--step", help="interface.step; * stands for any characters")
    match.add_argument("--nth", type=int, metavar="N", help="only the nth match")
    match.add_argument("--every", type=int, metavar="N", help="only every nth match")
    match.add_argument(
        "--probability", type=float, metavar="P", help="probability of each match, from 0 to 1"
    )
    match.add_argument("--seed", type=int, metavar="N", help="random seed of --probability")
    do = add.add_argument_group("what goes wrong")
    do.add_argument("--status", type=int, help="status to respond with, from 400 to 599")
    do.add_argument("--message", help="message of the error")
    do.add_argument(
        "--answer-header",
        type=_header,
        action="append",
        metavar="NAME=VALUE",
        help="header to add to the response; can be repeated",
    )
    do.add_argument("--delay", type=seconds, metavar="DURATION", help="delay of the response")
    do.add_argument(
        "--drop",
        metavar="before|after",
        help="close the connection before or after the request is handled",
    )
    do.add_argument(
        "--locked", action="store_true", default=None, help="respond that the node is locked"
    )
    do.add_argument(
        "--truncate", type=int, metavar="BYTES", help="cut the body of the response to this size"
    )
    do.add_argument("--content-type", metavar="TYPE", help="content type of the response")
    do.add_argument("--last-error", metavar="TEXT", help="make the step fail with this message")
    limits = add.add_argument_group("how often")
    limits.add_argument("--times", type=int, metavar="N", help="maximum number of times")
    limits.add_argument(
        "--seconds",
        type=seconds,
        metavar="DURATION",
        help="how long the fault lasts, by the server's clock",
    )
    remove = _command(actions, "remove", "remove faults", _remove_faults)
    remove.add_argument("id", type=int, nargs="*", help="IDs of the faults (default: all)")


def _add_fault(server: ControlClient, options: argparse.Namespace, show: Show) -> None:
    choice = ("nth", "every", "probability", "seed")
    match = _given(options, "method", "path", "node", "flow", "step", *choice)
    if options.header:
        match["headers"] = dict(options.header)
    named = ("status", "message", "delay", "drop", "locked", "truncate", "content_type")
    do = _given(options, *named, "last_error")
    if options.answer_header:
        do["headers"] = dict(options.answer_header)
    fails, of_others = "last_error" in do, {"method", "path", "headers"} & match.keys()
    if fails and of_others:
        raise ValueError("--last-error makes steps fail, which have no method, path or headers.")
    if not fails and {"flow", "step"} & match.keys():
        raise ValueError("--flow and --step need --last-error, with which the step fails.")
    if not do:
        raise ValueError(f"Say what goes wrong, by one of {', '.join(_ACTIONS.values())}.")
    body = {"match": match, "do": do, **_given(options, "times", "seconds", "strict")}
    try:
        added = server.send("POST", "faults", body)
    except ControlError as exc:
        raise ControlError(_NAMED.sub(lambda found: _OPTIONS[found[0]], str(exc))) from None
    for warning in added.pop("warnings", ()):
        tell(f"warning: {warning}")
    show(added)


def _remove_faults(server: ControlClient, options: argparse.Namespace, _show: Show) -> None:
    for path in [f"faults/{ident}" for ident in options.id] or ["faults"]:
        server.send("DELETE", path)


def _header(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form NAME=VALUE")
    return name, value


def _json(text: str) -> Any:
    try:
        return json_text.parse(text)
    except ValueError as exc:
        raise argparse.ArgumentTypeError(f"{text!r} is no JSON: {exc}") from None


def _add_conductors(commands: Commands) -> None:
    actions = _group(commands, "conductors", "list, stop or start conductors", _get("conductors"))
    _command(actions, "list", "list the conductors", _get("conductors"))
    for name, alive in (("down", False), ("up", True)):
        text = f"{'start' if alive else 'stop'} a simulated conductor"
        command = _command(actions, name, text, _set_conductor)
        command.set_defaults(alive=alive)
        command.add_argument("host", help="host name of the conductor")


def _set_conductor(server: ControlClient, options: argparse.Namespace, show: Show) -> None:
    path = f"conductors/{quote(options.host, safe='')}"
    show(server.send("PATCH", path, {"alive": options.alive}))


def _add_nodes(commands: Commands) -> None:
    text = "show a node, or put it into any state"
    node = _command(commands, "node", text, _show_node)
    actions = node.add_subparsers(metavar="ACTION", required=True, help="what to do")
    show = _command(actions, "show", "show all that the server holds about a node", _show_node)
    change = _command(actions, "set", "change fields of a node, whatever state it is in", _set_node)
    for command in (show, change):
        command.add_argument("id", metavar="NAME|UUID", help="the node")
    change.add_argument(
        "fields",
        type=_field,
        nargs="+",
        metavar="FIELD=VALUE",
        help="new value, null for none; FIELD:=JSON for what is no text",
    )


def _show_node(server: ControlClient, options: argparse.Namespace, show: Show) -> None:
    show(server.send("GET", f"nodes/{quote(options.id, safe='')}"))


def _set_node(server: ControlClient, options: argparse.Namespace, show: Show) -> None:
    show(server.send("PATCH", f"nodes/{quote(options.id, safe='')}", dict(options.fields)))


def _field(text: str) -> tuple[str, Any]:
    name, value = _header(text)
    if name.endswith(":"):
        return name[:-1], _json(value)
    return name, None if value == "null" else value


def _add_requests(commands: Commands) -> None:
    actions = _group(commands, "requests", "list or clear the recorded requests", _list_requests)
    listing = _command(actions, "list", "list the recorded requests", _list_requests)
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
    _command(actions, "clear", "remove the recorded requests", _send("DELETE", "requests"))
    text = "check that a request was received; the exit status is 1 if not"
    asserted = _command(actions, "assert", text, _assert_request)
    asserted.add_argument("method", metavar="METHOD", help="HTTP method")
    asserted.add_argument("path", metavar="PATH", help="its path; * stands for any characters")
    asserted.add_argument(
        "--times", type=int, metavar="N", help="the exact number of times (default: at least once)"
    )
    asserted.add_argument("--json", type=_json, metavar="JSON", help="its whole body")
    asserted.add_argument(
        "--json-contains",
        type=_json,
        metavar="JSON",
        help="a part of its body: keys of objects at any depth; lists are compared whole",
    )
    for name, what in (("header", "header that it has"), ("query", "argument of its query")):
        asserted.add_argument(
            f"--{name}",
            type=_header,
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
    show(server.send("GET", f"requests?{urlencode(_given(options, *names))}"))


def _assert_request(server: ControlClient, options: argparse.Namespace, show: Show) -> None:
    names = ("method", "path", "times", "json", "json_contains", "version", "absent")
    body = _given(options, *names)
    body |= {"headers": dict(options.header)} if options.header else {}
    for name, value in options.query or ():
        body.setdefault("query", {}).setdefault(name, []).append(value)
    show(server.send("POST", "requests/verify", body))


def _show_unmet(server: ControlClient, _options: argparse.Namespace, show: Show) -> None:
    found = server.send("GET", "unmet")
    show(found)
    if any(found.values()):
        raise ControlError("There are faults that met nothing, or requests for unknown paths.")


def _write_report(server: ControlClient, options: argparse.Namespace, _show: Show) -> None:
    content = server.read("GET", "report")
    if options.file == "-":
        sys.stdout.write(content.decode())
        return
    with open(options.file, "wb") as file:
        file.write(content)


def _add_snapshots(commands: Commands) -> None:
    actions = _group(
        commands, "snapshots", "list, take, restore or remove snapshots", _get("snapshots")
    )
    _command(actions, "list", "list the snapshots", _get("snapshots"))
    take = _command(actions, "take", "take a snapshot of the whole state", _take_snapshot)
    take.add_argument("id", nargs="?", help="name of the snapshot (default: a number)")
    restore = _command(
        actions, "restore", "restore a snapshot", _send("POST", "snapshots/{}/restore")
    )
    remove = _command(actions, "remove", "remove a snapshot", _send("DELETE", "snapshots/{}"))
    for command in (restore, remove):
        command.add_argument("id", help="name of the snapshot")


def _take_snapshot(server: ControlClient, options: argparse.Namespace, show: Show) -> None:
    show(server.send("POST", "snapshots", _given(options, "id")))


def _add_seed(commands: Commands) -> None:
    actions = _group(commands, "seed", "add or show labs", _show_seed)
    add = _command(actions, "add", "add the lab in a file", _add_lab)
    add.add_argument("file", metavar="FILE", help="YAML or JSON file, - for standard input")
    add.add_argument("--replace", action="store_true", help="first remove nodes of the same names")
    _command(actions, "show", "print the state of the server as a seed in YAML", _show_seed)


def _add_lab(server: ControlClient, options: argparse.Namespace, show: Show) -> None:
    import yaml

    from fake_server.common import yaml_loader

    if options.file == "-":
        text = sys.stdin.read()
    else:
        with open(options.file, encoding="utf-8") as file:
            text = file.read()
    try:
        seed = yaml_loader.load(text)
        body = json.loads(json.dumps(seed, default=_moment))
    except (yaml.YAMLError, TypeError) as exc:
        raise ValueError(f"{options.file}: {' '.join(str(exc).split())}") from exc
    show(server.send("POST", "seed?replace=true" if options.replace else "seed", body))


def _moment(value: Any) -> str:
    """Return a time of YAML as JSON has it."""
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{value!r} is nothing that JSON has")


def _show_seed(server: ControlClient, _options: argparse.Namespace, _show: Show) -> None:
    from fake_server.seeds.serialization import as_yaml

    sys.stdout.write(as_yaml(server.send("GET", "seed")))


def _group(commands: Commands, name: str, text: str, act: Act) -> Commands:
    """Add a command with actions; without an action, it runs ``act``."""
    made = _command(commands, name, text, act)
    return made.add_subparsers(metavar="ACTION", help="what to do (default: list or show)")


def _command(commands: Commands, name: str, text: str, act: Act) -> Parser:
    made = commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
    made.set_defaults(act=act)
    return made


def _get(path: str) -> Act:
    return lambda server, _options, show: show(server.send("GET", path))


def _send(method: str, path: str) -> Act:
    """Return a function that sends a request and prints nothing; ``{}`` stands for the id."""
    return lambda server, options, _show: server.send(
        method, path.format(quote(getattr(options, "id", ""), safe=""))
    )


def _given(options: argparse.Namespace, *names: str) -> dict[str, Any]:
    found = {name: getattr(options, name, None) for name in names}
    return {name: value for name, value in found.items() if value is not None}
