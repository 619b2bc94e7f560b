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
SERVER = "from fake_server.cli import main\nimport sys\nsys.exit(main())"
#: Whether standard output keeps nothing, as with ``python -u``.
BUFFERING = pytest.mark.parametrize("through", [False, True], ids=["buffered", "unbuffered"])


def run(program, words, stdout, *flags):
    return subprocess.run(
        [sys.executable, *flags, "-c", program, *words],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
    )


def run_here(main, words, file, through):
    """Return the exit code of a command in this process, and what it told on standard error."""
    errors = io.StringIO()
    # As the interpreter opens it.
    raw = io.FileIO(file, "w")
    stdout = io.TextIOWrapper(raw if through else io.BufferedWriter(raw), write_through=through)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "stdout", stdout)
        patched.setattr(sys, "stderr", errors)
        try:
            code = main(words)
        except SystemExit as end:
            code = end.code
    stdout.close()
    return code, errors.getvalue()


@pytest.mark.parametrize(
    ("program", "words"),
    [(CLIENT, ["--version"]), pytest.param(SERVER, ["--help"], marks=pytest.mark.slow("as many"))],
)
@pytest.mark.parametrize("flags", [(), ("-u",)], ids=["buffered", "unbuffered"])
def test_nothing_is_tried_again_at_the_end_of_a_process(program, words, flags):
    with open("/dev/full", "w") as full:
        done = run(program, words, full, *flags)
    assert done.returncode == 1
    assert re.fullmatch(FULL, done.stderr)
    reader, writer = os.pipe()
    os.close(reader)
    done = run(program, words, writer, *flags)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize(
    ("main", "words"),
    [
        *(
            (shell.main, words.split())
            for words in ("--version", "complete", "", "--help", "help --all", "help node")
        ),
        *((cli.main, words.split()) for words in ("--help", "ctl --help", "serve --port 0")),
    ],
)
@BUFFERING
def test_it_is_an_error(main, words, through):
    code, told = run_here(main, words, "/dev/full", through)
    assert (code, bool(re.fullmatch(FULL, told))) == (1, True), told
    reader, writer = os.pipe()
    os.close(reader)
    assert run_here(main, words, writer, through) == (141, "")


@BUFFERING
def test_the_help_of_each_command_fails_where_nothing_can_be_written(through):
    for command in some([*COMMANDS]):
        code, told = run_here(shell.main, [*command.split(), "--help"], "/dev/full", through)
        assert (code, bool(re.fullmatch(FULL, told))) == (1, True), command


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


@BUFFERING
def test_so_does_that_of_each_command_of_the_fake_server(through):
    assert len(SERVER_COMMANDS) > 30
    for command in SERVER_COMMANDS:
        code, told = run_here(cli.main, [*command, "--help"], "/dev/full", through)
        assert (code, bool(re.fullmatch(FULL, told))) == (1, True), command


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


@BUFFERING
@pytest.mark.parametrize("words", PRINTING, ids=" ".join)
def test_a_command_fails_where_nothing_can_be_written(tmp_path, monkeypatch, words, through):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lab.yaml").write_text("nodes: [{name: n, driver: fake-hardware, extra: {b: 1}}]")
    nodes = [{"name": name, "driver": "fake-hardware"} for name in ("n", "gone")]
    with FakeServer(seed={"nodes": nodes}) as server:
        monkeypatch.setenv("OS_ENDPOINT", server.url)
        monkeypatch.setenv("OS_AUTH_TYPE", "none")
        code, told = run_here(shell.main, words, "/dev/full", through)
    assert code == 1
    assert told.endswith("No space left on device.\n")
    # Besides, some tell on standard error what they do.
    assert told.count("\n") <= 2
    assert "Traceback" not in told
