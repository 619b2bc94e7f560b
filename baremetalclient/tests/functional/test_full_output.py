"""Where nothing can be written to standard output, a command says so and fails."""

from __future__ import annotations

import argparse
import io
import os
import re
import subprocess
import sys

import pytest

from baremetalclient import shell
from baremetalclient.osc.command_table import COMMANDS
from fake_server import cli
from fake_server.cli.ctl_commands.parser import parser as ctl_parser
from fake_server.server import FakeServer
from tools.rows import some

CLIENT = "from baremetalclient.shell import main\nimport sys\nsys.exit(main())"
FULL = r"(.*: )?Can't write .*: No space left on device\.\n"
BUFFERING = [
    pytest.param((), id="buffered"),
    pytest.param(
        ("-u",), id="unbuffered", marks=pytest.mark.slow("starts as many processes again")
    ),
]
SERVER = "from fake_server.cli import main\nimport sys\nsys.exit(main())"


def run(program, words, stdout, *flags):
    return subprocess.run(
        [sys.executable, *flags, "-c", program, *words],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
    )


@pytest.mark.parametrize(
    ("program", "words"),
    some(
        [
            (CLIENT, ["--version"]),
            (CLIENT, ["complete"]),
            (CLIENT, ["node", "list", "--help"]),
            (SERVER, ["--help"]),
            (SERVER, ["ctl", "--help"]),
            *((CLIENT, words) for words in ([], ["--help"], ["help", "--all"], ["help", "node"])),
            (SERVER, ["serve", "--port", "0"]),
        ]
    ),
)
@pytest.mark.parametrize("flags", BUFFERING)
def test_it_is_an_error(program, words, flags):
    with open("/dev/full", "w") as full:
        done = run(program, words, full, *flags)
    assert done.returncode == 1
    assert re.fullmatch(FULL, done.stderr)
    reader, writer = os.pipe()
    os.close(reader)
    done = run(program, words, writer, *flags)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize("through", [False, True], ids=["buffered", "unbuffered"])
def test_the_help_of_each_command_fails_where_nothing_can_be_written(through, monkeypatch):
    for command in COMMANDS:
        errors = io.StringIO()
        full = io.TextIOWrapper(io.FileIO("/dev/full", "w"), write_through=through)
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stdout", full)
            patched.setattr(sys, "stderr", errors)
            code = shell.main([*command.split(), "--help"])
        assert code == 1, command
        assert re.fullmatch(FULL, errors.getvalue()), command


def commands_of(parser, words=()):
    """Yield the words of a command of the fake server and of those below it."""
    yield list(words)
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, below in action.choices.items():
                yield from commands_of(below, (*words, name))


SERVER_COMMANDS = [
    *(["serve"], ["exec"], ["twin"], ["capture"], ["compare"]),
    *(["ctl", *words] for words in commands_of(ctl_parser())),
]


@pytest.mark.parametrize("through", [False, True], ids=["buffered", "unbuffered"])
def test_so_does_that_of_each_command_of_the_fake_server(through, monkeypatch):
    assert len(SERVER_COMMANDS) > 30
    for command in SERVER_COMMANDS:
        errors = io.StringIO()
        full = io.TextIOWrapper(io.FileIO("/dev/full", "w"), write_through=through)
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stdout", full)
            patched.setattr(sys, "stderr", errors)
            try:
                code = cli.main([*command, "--help"])
            except SystemExit as end:
                code = end.code
        assert code == 1, command
        assert re.fullmatch(FULL, errors.getvalue()), command


#: Commands for each way in which they print.
PRINTING = [
    *(["node", "list", "-f", one] for one in ("table", "json", "csv", "yaml", "value")),
    *(["node", "show", "n", "-f", one] for one in ("table", "json", "shell", "yaml", "value")),
    *(["export", "--all", "-f", one] for one in ("json", "yaml")),
    *(["lab", "graph", "--all"], ["diff", "lab.yaml"], ["diff", "lab.yaml", "-f", "json"]),
    *(["apply", "lab.yaml", "--dry-run"], ["node", "manage", "n", "--dry-run"]),
    *(["node", "explain", "n"], ["node", "explain", "n", "-f", "json"], ["node", "delete", "gone"]),
    *(
        ["node", "wait", "n", "--for", "uuid~=.*", "-f", "json"],
        ["node", "watch", "--timeout", "9"],
    ),
    *(["node", "list", "--timing"], ["node", "set", "n", "--extra", "a=1", "-f", "json"]),
]


@pytest.mark.parametrize("flags", BUFFERING)
@pytest.mark.parametrize("words", PRINTING, ids=" ".join)
def test_a_command_fails_where_nothing_can_be_written(tmp_path, monkeypatch, words, flags):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lab.yaml").write_text("nodes: [{name: n, driver: fake-hardware, extra: {b: 1}}]")
    nodes = [{"name": name, "driver": "fake-hardware"} for name in ("n", "gone")]
    with FakeServer(seed={"nodes": nodes}) as server, open("/dev/full", "w") as full:
        monkeypatch.setenv("OS_ENDPOINT", server.url)
        monkeypatch.setenv("OS_AUTH_TYPE", "none")
        done = run(CLIENT, words, full, *flags)
    assert done.returncode == 1
    assert done.stderr.endswith("No space left on device.\n")
    # Besides, some tell on standard error what they do.
    assert done.stderr.count("\n") <= 2
    assert "Traceback" not in done.stderr
