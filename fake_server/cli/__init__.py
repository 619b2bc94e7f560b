"""``baremetal-fake-server``: choose the command; its module is loaded when it runs."""

from __future__ import annotations

import errno
import gc
import os
import signal
import sys
from importlib import import_module
from typing import TYPE_CHECKING

from fake_server.cli.messages import NO_ROOM, tell
from fake_server.cli.parsers import Parser, Version
from fake_server.cli.signals import Interrupted
from fake_server.extra import MissingExtraError, required

if TYPE_CHECKING:
    from collections.abc import Sequence

#: What a shell reports for a process that SIGPIPE ended.
_BROKEN_PIPE = 128 + 13
_MODULES = {
    "serve": "fake_server.cli.serve",
    "exec": "fake_server.cli.serve",
    "twin": "fake_server.cli.twin",
    "ctl": "fake_server.cli.ctl",
    "capture": "fake_server.cli.capture",
    "compare": "fake_server.cli.compare",
}
_COMMANDS = {
    "serve": "run a fake Ironic in the foreground",
    "exec": "run a command against a fake Ironic",
    "twin": "run a copy of an Ironic, or a command against it",
    "ctl": "control a running fake Ironic: its clock, its faults, its state",
    "capture": "print the state of an Ironic, real or fake, as a seed",
    "compare": "compare the responses of an Ironic with those of a fake one",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with its arguments, by default the process's; return the exit status."""
    try:
        try:
            return _run(list(sys.argv[1:] if argv is None else argv))
        finally:
            if sys.stdout:
                sys.stdout.flush()
    except KeyboardInterrupt as exc:
        # Another one ends what is left.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        tell("interrupted")
        return 128 + (exc.number if isinstance(exc, Interrupted) else signal.SIGINT)
    except OSError as exc:
        if exc.errno not in (errno.EPIPE, *NO_ROOM):
            raise
        # Python would try again at exit to write what is left.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(exc, BrokenPipeError):
            return _BROKEN_PIPE
        tell(f"Can't write to standard output: {exc.strerror}.")
        return 1


def _run(words: list[str]) -> int:
    if not words or (words[0].startswith("-") and words[0] not in ("-h", "--help", "--version")):
        words.insert(0, "serve")
    if words[0] not in _MODULES:
        _parser().parse_args(words)
    # The modules loaded here stay: collecting garbage among them would slow the start by a tenth.
    gc.disable()
    try:
        with required():
            command = import_module(_MODULES[words[0]])
    except MissingExtraError as exc:
        tell(exc)
        return 1
    gc.freeze()
    gc.enable()
    return int(command.main(words))


def _parser() -> Parser:
    name = "baremetal-fake-server"
    parser = Parser(
        prog=name,
        usage=f"{name} [COMMAND] [OPTION ...]",
        description="A fake Ironic, for testing software that talks to Ironic.",
        epilog=f"The default command is 'serve'. '{name} COMMAND --help' shows the options of a "
        "command.",
    )
    parser.add_argument("--version", action=Version)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command, text in _COMMANDS.items():
        commands.add_parser(command, help=text, add_help=False)
    return parser
