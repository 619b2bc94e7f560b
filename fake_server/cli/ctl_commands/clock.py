"""The clock, and how long transitions of nodes take."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from fake_server.cli import values
from fake_server.cli.ctl_commands.base import (
    add_command,
    get,
    given,
    group,
    send,
    show_with_warnings,
)
from fake_server.cli.durations import seconds

if TYPE_CHECKING:
    from fake_server.cli.ctl_commands.base import Commands, Show
    from fake_server.clients.controls import ControlClient


def add_clock(commands: Commands) -> None:
    """Add the command for the clock."""
    actions = group(commands, "clock", "show or set the clock of the server", get("clock"))
    add_command(actions, "show", "show the time and the mode of the clock", get("clock"))
    real = add_command(actions, "real", "follow the system's clock", _set_clock)
    scaled = add_command(
        actions, "scaled", "let time pass faster, or slower, by a factor", _set_clock
    )
    scaled.add_argument("factor", type=float, help="seconds that pass in each real second")
    manual = add_command(actions, "manual", "stop the clock; only 'advance' moves it", _set_clock)
    auto = add_command(actions, "auto", "stop the clock until a client waits", _set_clock)
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
    advance = add_command(actions, "advance", "move the clock forward", _advance)
    advance.add_argument(
        "seconds", type=seconds, metavar="DURATION", help="such as 90, 90s, 500ms, 10m or 1.5h"
    )


def add_delays(commands: Commands) -> None:
    """Add the command for delays."""
    actions = group(
        commands, "delays", "show or set how long transitions of nodes take", get("delays")
    )
    add_command(actions, "show", "show the delays", get("delays"))
    change = add_command(actions, "set", "set delays and keep the others", _set_delays)
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
    add_command(
        actions,
        "clear",
        "return to the delays that the server was started with",
        send("DELETE", "delays"),
    )


def _set_clock(server: ControlClient, options: argparse.Namespace, show: Show) -> None:
    body = {"mode": options.mode, **given(options, "factor", "now")}
    show(server.send("PUT", "clock", body))


def _advance(server: ControlClient, options: argparse.Namespace, show: Show) -> None:
    show(server.send("POST", "clock/advance", {"seconds": options.seconds}))


def _set_delays(server: ControlClient, options: argparse.Namespace, show: Show) -> None:
    delays = server.send("GET", "delays")
    for name, delay in options.delays:
        if options.node is not None:
            delays["nodes"].setdefault(options.node, {})[name] = delay
        elif name == "default":
            delays["default"] = delay
        else:
            delays["transitions"][name] = delay
    show_with_warnings(server.send("PUT", "delays", delays), show)


def _delay(text: str) -> tuple[str, float | str]:
    name, equals, given = text.partition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form NAME=DELAY")
    return name, values.delay(given)
