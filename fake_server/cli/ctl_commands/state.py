"""The whole state: snapshots, labs, reports."""

from __future__ import annotations

import json
import sys
from datetime import datetime
from typing import TYPE_CHECKING, Any

from fake_server.cli.ctl_commands.base import add_command, get, given, group, send
from fake_server.clients.controls import ControlError

if TYPE_CHECKING:
    import argparse

    from fake_server.cli.ctl_commands.base import Commands, Show
    from fake_server.clients.controls import ControlClient


def add_snapshots(commands: Commands) -> None:
    """Add the command for snapshots."""
    actions = group(
        commands, "snapshots", "list, take, restore or remove snapshots", get("snapshots")
    )
    add_command(actions, "list", "list the snapshots", get("snapshots"))
    take = add_command(actions, "take", "take a snapshot of the whole state", _take_snapshot)
    take.add_argument("id", nargs="?", help="name of the snapshot (default: a number)")
    restore = add_command(
        actions, "restore", "restore a snapshot", send("POST", "snapshots/{}/restore")
    )
    remove = add_command(actions, "remove", "remove a snapshot", send("DELETE", "snapshots/{}"))
    for command in (restore, remove):
        command.add_argument("id", help="name of the snapshot")


def add_seed(commands: Commands) -> None:
    """Add the command for labs."""
    actions = group(commands, "seed", "add or show labs", _show_seed)
    add = add_command(actions, "add", "add the lab in a file", _add_lab)
    add.add_argument("file", metavar="FILE", help="YAML or JSON file, - for standard input")
    add.add_argument("--replace", action="store_true", help="first remove nodes of the same names")
    add_command(actions, "show", "print the state of the server as a seed in YAML", _show_seed)


def add_whole(commands: Commands) -> None:
    """Add the commands about all that the server has."""
    text = "write the timeline of nodes and requests to an HTML file"
    report = add_command(commands, "report", text, _write_report)
    report.add_argument("file", metavar="FILE", help="HTML file, - for standard output")
    text = "show faults that met nothing, and requests for unknown paths; the exit status is 1 then"
    add_command(commands, "unmet", text, _show_unmet)
    add_command(
        commands,
        "reset",
        "restore the initial state, and remove faults, delays and recorded requests",
        send("POST", "reset"),
    )


def _take_snapshot(server: ControlClient, options: argparse.Namespace, show: Show) -> None:
    show(server.send("POST", "snapshots", given(options, "id")))


def _add_lab(server: ControlClient, options: argparse.Namespace, show: Show) -> None:
    import yaml

    from fake_server.common import yaml_loader

    if options.file == "-":
        text = sys.stdin.read()
    else:
        with open(options.file, encoding="utf-8") as file:
            text = file.read()
    try:
        seed = yaml_loader.decode(options.file, text)
        body = json.loads(json.dumps(seed, default=_moment))
    except (yaml.YAMLError, TypeError, ValueError) as exc:
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
