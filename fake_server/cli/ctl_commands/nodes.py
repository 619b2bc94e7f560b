"""Nodes in any state, and conductors that stop and start."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from fake_server.cli.ctl_commands.base import add_command, get, group, pair, parsed

if TYPE_CHECKING:
    import argparse

    from fake_server.cli.ctl_commands.base import Commands, Show
    from fake_server.clients.controls import ControlClient


def add_conductors(commands: Commands) -> None:
    """Add the command for conductors."""
    actions = group(commands, "conductors", "list, stop or start conductors", get("conductors"))
    add_command(actions, "list", "list the conductors", get("conductors"))
    for name, alive in (("down", False), ("up", True)):
        text = f"{'start' if alive else 'stop'} a simulated conductor"
        command = add_command(actions, name, text, _set_conductor)
        command.set_defaults(alive=alive)
        command.add_argument("host", help="host name of the conductor")


def add_node(commands: Commands) -> None:
    """Add the command for a node."""
    text = "show a node, or put it into any state"
    node = add_command(commands, "node", text, _show_node)
    actions = node.add_subparsers(metavar="ACTION", required=True, help="what to do")
    show = add_command(actions, "show", "show all that the server holds about a node", _show_node)
    change = add_command(
        actions, "set", "change fields of a node, whatever state it is in", _set_node
    )
    for command in (show, change):
        command.add_argument("id", metavar="NAME|UUID", help="the node")
    change.add_argument(
        "fields",
        type=_field,
        nargs="+",
        metavar="FIELD=VALUE",
        help="new value, null for none; FIELD:=JSON for what is no text",
    )


def _set_conductor(server: ControlClient, options: argparse.Namespace, show: Show) -> None:
    path = f"conductors/{quote(options.host, safe='')}"
    show(server.send("PATCH", path, {"alive": options.alive}))


def _show_node(server: ControlClient, options: argparse.Namespace, show: Show) -> None:
    show(server.send("GET", f"nodes/{quote(options.id, safe='')}"))


def _set_node(server: ControlClient, options: argparse.Namespace, show: Show) -> None:
    show(server.send("PATCH", f"nodes/{quote(options.id, safe='')}", dict(options.fields)))


def _field(text: str) -> tuple[str, Any]:
    name, value = pair(text)
    if name.endswith(":"):
        return name[:-1], parsed(value)
    return name, None if value == "null" else value
