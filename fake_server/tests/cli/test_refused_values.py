"""Every option of the server refuses what can't be, wherever it comes from, and nothing starts."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path

import pytest

from fake_server.baremetal.drivers import registry
from fake_server.baremetal.hardware_types import KINDS
from fake_server.cli import main, run
from fake_server.cli.options import parser
from fake_server.server import FakeServer
from fake_server.settings import Settings
from fake_server.tests.cli import running

PREFIX = "BAREMETAL_FAKE_SERVER_"
HUGE = "9" * 400
#: Empty, blanks, a huge, a negative and no number, controls, and bytes that are no UTF-8.
ODD = ("", "  ", HUGE, "-1", "nan", "a\x1b[2Jb\u202e", "a\nb", "a\udce9")
#: Texts like any other where an option takes text: of what it takes, by its metavar or its name.
FINE = {
    "NAME": ("-1", "nan"),
    "NAME|ID": ("-1", "nan"),
    "URL": ("", HUGE, "-1", "nan"),
    "TOKEN": (HUGE, "-1", "nan"),
    "DIR": ("-1", "nan"),
    "STEPS": ("",),
    # They may be in the network, which isn't asked here.
    "HOST": ("-1", "nan"),
    "HOST[:GROUP[:TYPES]],…": ("-1", "nan"),
    "--image-stores": ("-1", "nan"),
    # These are looked up, and there are none.
    "--account": (),
    "--default-network-provider": (),
    "--db": (),
}
#: Lists with the same thing twice, by what an option takes.
TWICE = {
    "ARCH:URL,…": "x86_64:http://a,x86_64:http://b",
    "HOST[:GROUP[:TYPES]],…": "a,a",
    "KINDS": "killed,killed",
    "NAME=DURATION": "all=0,all=1",
    "NAME=like:TYPE": "a=like:ipmi,a=like:ipmi",
    "ORIGINS": "http://a,http://a",
    "PATTERNS": "POST /v1/*,POST /v1/*",
    "STEPS": "deploy.a,deploy.a",
    "VERDICTS": "lied,lied",
    "--image-stores": "fast,fast",
    "--enabled-hardware-types": "ipmi,ipmi",
    **{f"--enabled-{kind}-interfaces": ",".join(2 * registry.known(kind)[:1]) for kind in KINDS},
}


def options(command):
    """Yield the options of a command that take a value, and values that it doesn't take."""
    for action in parser(command)._actions:
        if action.option_strings and action.nargs != 0:
            name = action.option_strings[0]
            fine = FINE.get(name, FINE.get(action.metavar, ()))
            yield name, [one for one in ODD if one not in fine]


def lists(command):
    for action in parser(command)._actions:
        name = (action.option_strings or [""])[0]
        if twice := TWICE.get(name, TWICE.get(action.metavar)):
            yield name, [twice]


ASKED = [
    (command, name, values)
    for command in ("serve", "exec")
    for found in (options, lists)
    for name, values in found(command)
]
#: Nearly all options of one command are those of the other.
EACH = list(
    {(name, len(values)): (command, name, values) for command, name, values in ASKED}.values()
)


@pytest.fixture(autouse=True)
def nothing_starts(monkeypatch):
    def start(*_arguments, **_options):
        raise AssertionError("It has started.")

    for name in list(os.environ):
        if name.startswith(PREFIX):
            monkeypatch.delenv(name)
    for method in ("prepare", "start", "serve"):
        monkeypatch.setattr(FakeServer, method, start)
    monkeypatch.setattr(run.subprocess, "Popen", start)


def refused(capsys, *words):
    """Return the last line of what a command says that ends before it starts anything."""
    with pytest.raises(SystemExit) as exited:
        raise SystemExit(main(list(words)))
    out, err = capsys.readouterr()
    said = err.removesuffix("\n").split("\n")
    assert (exited.value.code, out) == (2, ""), err
    assert "usage: " in err or len(said) == 1, err
    assert all(line.isprintable() and len(line) < 1000 for line in said)
    return said[-1]


def words(command, *given):
    return [command, *given, *(["--", "true"] if command == "exec" else [])]


@pytest.mark.rows
@pytest.mark.parametrize(("command", "option", "values"), ASKED)
def test_words(capsys, command, option, values):
    for value in values:
        said = refused(capsys, *words(command, f"{option}={value}"))
        assert option in said, (value, said)


@pytest.mark.rows
@pytest.mark.parametrize(("command", "option", "values"), EACH)
def test_variables(capsys, monkeypatch, command, option, values):
    variable = PREFIX + option.removeprefix("--").upper().replace("-", "_")
    # A port that is fixed for a server isn't for the one that a command gets.
    ignored = command == "exec" and option == "--port"
    for value in filter(None, [] if ignored else values):
        monkeypatch.setenv(variable, value)
        said = refused(capsys, *words(command))
        assert variable in said, (value, said)


@pytest.mark.rows
@pytest.mark.parametrize(("command", "option", "values"), EACH)
def test_keys_of_the_file(capsys, tmp_path, command, option, values):
    key, file = option.removeprefix("--"), tmp_path / "options.yaml"
    for value in [] if key == "config" else [one for one in values if "\udce9" not in one]:
        file.write_text(json.dumps({key: value}))
        said = refused(capsys, *words(command, f"--config={file}"))
        assert f"{file}: {key}" in said, (value, said)


def test_all_lists_are_known():
    separated = {
        action.option_strings[0]
        for command in ("serve", "exec")
        for action in parser(command)._actions
        if "separated by commas" in (action.help or "") or ",…" in (action.metavar or "")
    }
    found = {name for command in ("serve", "exec") for name, _ in lists(command)}
    assert separated <= found


@pytest.mark.parametrize(
    "given",
    [
        {"image_stores": ("fast", "fast")},
        {"image_stores": ("",)},
        {"interfaces": {"deploy": ("fake", "fake")}},
        {"allowed_origins": ("*", "")},
        {"hardware_types": ("ipmi", "ipmi")},
    ],
)
def test_settings_of_python(given):
    with pytest.raises(ValueError, match="Each needs a name of its own, but they are: '"):
        Settings(**given).completed()


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (["--tls-key=/dev/null"], "--tls-key: It needs --tls-cert."),
        (["--tls=auto", "--tls-cert=/dev/null"], "--tls: It cannot be used together with"),
        (["--random-seed=1", "--db=sqlite:///made.db"], "--random-seed: A random seed needs a new"),
        (["--workers=2"], "--workers: More than one worker needs a database"),
        (["--enabled-hardware-types=x"], "--enabled-hardware-types: Unknown hardware types: 'x'."),
        (["--conductors=a::x"], "--conductors: The hardware type x of conductor a isn't enabled"),
    ],
)
def test_options_that_do_not_fit_together(capsys, monkeypatch, tmp_path, given, text):
    monkeypatch.chdir(tmp_path)
    assert refused(capsys, "serve", *given).startswith(f"baremetal-fake-server: {text}")
    assert list(tmp_path.iterdir()) == []


SAME_NAMES = "nodes: [{name: n, driver: fake-hardware}, {name: n, driver: fake-hardware}]"


@pytest.mark.parametrize(
    ("seed", "more", "text"),
    [
        ("nodes: 5", [], "Invalid seed: nodes: has to be a list"),
        (SAME_NAMES, [], "Invalid seed: nodes[1]: name 'n' is already in"),
        ("nodes: []", ["--tls-cert=/dev/null"], "Can't use the certificate /dev/null"),
        ("nodes: []", ["--port={}"], "Can't listen on 127.0.0.1, port "),
    ],
)
def test_what_cannot_be_served_makes_no_database(monkeypatch, tmp_path, seed, more, text):
    monkeypatch.chdir(tmp_path)
    Path("lab.yaml").write_text(seed)
    line = ["serve", "--port=0", "--db=sqlite:///made.db", "--seed=lab.yaml", *more]
    with socket.create_server(("127.0.0.1", 0)) as busy:
        done = running.run(*(word.format(busy.getsockname()[1]) for word in line))
    assert done.returncode == 1
    assert text in done.stderr
    assert os.listdir() == ["lab.yaml"]


@pytest.mark.parametrize("option", ["--sweep-seed=0", "--sweep-report=x", "--sweep-timeout=1"])
def test_each_option_of_a_sweep_asks_for_one(capsys, monkeypatch, option):
    monkeypatch.setattr("fake_server.cli.sweep.run", lambda *_: 2)
    assert main(["exec", option, "--", "true"]) == 2
    assert capsys.readouterr() == ("", "")
