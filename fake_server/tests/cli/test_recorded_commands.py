"""What ``baremetal-fake-server`` prints, where, and with which exit code.

A deliberate change is written down with ``--record -n 0``.
"""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fake_server import cli
from fake_server.clock import Clock
from fake_server.server import FakeServer
from fake_server.tests import recorded

RECORD = Path(__file__).with_name("commands.json.gz")
PREFIX = "BAREMETAL_FAKE_SERVER_"
OWN = re.compile(
    f"{recorded.UUID}|{recorded.TIME}" r"|(?<=127\.0\.0\.1:)\d{4,5}|(?<=the token )\S+"
)
LAB = {"nodes": [{"name": "n"}]}
SET = ("delays", "set")
ADD = ("faults", "add")
# One after the other, on a server with a node.
CONTROLS = {
    "clock": (
        *(("clock",), ("clock", "show"), ("clock", "scaled", "60", "--now", "1700000000")),
        *(("clock", "scaled", "0"), ("clock", "scaled", "-1"), ("clock", "scaled", "x")),
        *(("clock", "scaled"), ("clock", "manual", "--now", "x"), ("clock", "manual", "--now=-1")),
        *(("clock", "manual", "--now", "0"), ("clock", "manual", "--now", "1700000000")),
        *(("clock", "advance", duration) for duration in ("90", "90s", "500ms", "10m", "1.5h")),
        *(("clock", "advance", duration) for duration in ("0", ".5", "1000000000", "1000000001")),
        *(("clock", "advance", duration) for duration in ("-5", "1d", "", "nan")),
        *(("clock", "manual", "--now", now) for now in ("221845392001", "221845392000")),
        *(("clock", "advance", "1"), ("clock", "manual", "--now", "221845391990")),
        *(("clock", "advance", "11"), ("clock", "advance", "10"), ("clock", "advance", "0")),
        *(("clock", "advance"), ("clock", "x"), ("clock", "real", "--now", "5")),
    ),
    "delays": (
        *(("delays",), (*SET, "deploying=600", "default=1"), (*SET, "--node", "n", "cleaning=5")),
        *((*SET, "--node", "n", "default=2"), (*SET, "--node", "x", "cleaning=5")),
        *((*SET, "x"), (*SET, "x=y"), (*SET, "dreaming=1"), SET, (*SET, "=1"), (*SET, "cleaning=")),
        *(("delays", "show"), ("delays", "clear"), ("delays", "show"), ("delays", "x")),
    ),
    "faults": (
        (
            *ADD,
            *("--method=GET", "--path=/v1/*", "--node=n", "--header=A=b", "--header=C=d=e"),
            *("--nth=2", "--status=503", "--message=Gone.", "--answer-header=A=b", "--times=1"),
            *("--answer-header=C=", "--delay=500ms", "--truncate=5", "--content-type=text/plain"),
            "--seconds=1m",
        ),
        (*ADD, "--every=2", "--status=400", "--drop=after"),
        (*ADD, "--probability=0.5", "--seed=7", "--drop=before"),
        (*ADD, "--flow=deploy", "--step=deploy.*", "--last-error=No."),
        (*ADD, "--locked"),
        ADD,
        *((*ADD, f"--status={status}") for status in (399, 400, 599, 600, "x")),
        *((*ADD, f"--drop={when}") for when in ("x", "before")),
        *(
            (*ADD, "--locked", f"--{name}={value}")
            for name, value in (
                *(("nth", 0), ("nth", "x"), ("every", 0), ("every", 1.5), ("probability", 2)),
                *(
                    ("probability", "x"),
                    ("seed", "x"),
                    ("times", 0),
                    ("times", "x"),
                    ("seconds", 0),
                ),
                *(("seconds", "x"), ("header", "x"), ("answer-header", "x"), ("header", "=x")),
                *(("answer-header", "a b=c"), ("truncate", -1), ("delay", "x"), ("mesage", "x")),
            )
        ),
        *(("faults",), ("faults", "list"), ("faults", "remove", "1", "2"), ("faults", "list")),
        *(("faults", "remove", "1"), ("faults", "remove", "x"), ("faults", "remove")),
        ("faults", "list"),
    ),
    "conductors": (
        *(("conductors",), ("conductors", "list"), ("conductors", "down", "localhost")),
        *(("conductors", "up", "localhost"), ("conductors", "down", "x/y"), ("conductors", "up")),
    ),
    "requests": (
        *(
            ("requests",),
            ("requests", "list", "--format", "har"),
            ("requests", "list", "--limit=0"),
        ),
        *(
            ("requests", "list", *words)
            for words in (
                *(("--status=odd",), ("--status=4xx",), ("--status=404",), ("--status=9xx",)),
                *(
                    ("--limit=x",),
                    ("--limit=-1",),
                    ("--limit=1",),
                    ("--format=x",),
                    ("--method=GET",),
                ),
                *(("--version=1.5",), ("--version=x",), ("--node=n",), ("--path=/v1/*",)),
            )
        ),
        ("requests", "clear"),
    ),
    "snapshots": (
        *(
            ("snapshots", "list"),
            ("snapshots", "take"),
            ("snapshots", "take", "lab"),
            ("snapshots",),
        ),
        *(("snapshots", "take", "lab"), ("snapshots", "take", "a/b"), ("snapshots", "take", "")),
        *(
            ("snapshots", action, name)
            for name in ("lab", "99", "a b")
            for action in ("restore", "remove", "remove")
        ),
        *(("snapshots", "restore"), ("snapshots", "list")),
    ),
    "seed": (
        *(("seed", "add", "-"), ("seed", "add", "-"), ("seed", "add", "/nowhere/lab.yaml")),
        *(("seed", "add"), ("seed",), ("seed", "show"), ("reset",), ("seed", "show")),
    ),
    "others": (
        *(
            ("health",),
            (),
            ("bogus",),
            ("clok",),
            ("clock", "advence"),
            ("--url",),
            ("health", "x"),
        ),
        *(("--help",), ("clock", "--nope")),
    ),
}


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    for name in list(os.environ):
        if name.startswith((PREFIX, "OS_")):
            monkeypatch.delenv(name)


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """Return a function that runs a command, and tells all of it."""

    def call(*words, stdin=""):
        monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
        try:
            code = cli.main(words)
        except SystemExit as exc:
            code = exc.code
        out, err = (
            OWN.sub("-", text.replace(str(tmp_path), "<tmp>")) for text in capsys.readouterr()
        )
        # How usage and help are laid out depends on the version of Python.
        if "usage: " in out:
            out = out.split()[:4]
        if "usage: " in err:
            err = err.splitlines()[-1]
            err = re.sub(
                r"(?<=choose from ).*?(?=\))", lambda found: found[0].replace("'", ""), err
            )
        shown = json.loads(out) if str(out).startswith("{") else out
        if "mode" in shown and shown["mode"] != "manual":
            del shown["now"]
        return [code, shown, err]

    return call


@pytest.fixture
def server():
    with FakeServer(seed=LAB, clock=Clock("manual", start=1_700_000_000)) as server:
        yield server


@pytest.mark.parametrize("name", CONTROLS)
def test_controls_are_as_recorded(request, server, run, name):
    found = []
    for words in CONTROLS[name]:
        told = run("ctl", "--url", server.url, *words, stdin="nodes: [{name: m}]")
        found.append([" ".join(words), *told])
    recorded.check(request, RECORD, name, found)


# Words, variables without their prefix, and a file of options or of accounts; none of them serves.
REFUSED = {
    "words": (
        *(
            (f"--{name}={value}",)
            for name, values in (
                *(("port", ("-1", "65536", "x", "1.5")), ("workers", ("0", "-1", "x"))),
                *(
                    ("body-limit", ("0", "x")),
                    ("max-microversion", ("1.0", "1.116", "2.5", "x", "1.")),
                ),
                *(
                    ("max-compute-microversion", ("2.0", "2.106", "1.5", "x")),
                    ("random-seed", ("x",)),
                ),
                *(("delay", ("x", "-1")), ("placement-sync", ("x",)), ("dialect", ("iron",))),
                *(("auth", ("x",)), ("agent", ("x",)), ("tls", ("x",)), ("account", ("x",))),
                *(("conductors", ("", "a:b:c:d", "a,a", ":b", "a:b:x")), ("db", ("bogus://", "x"))),
                *(
                    ("periodic", ("all", "all=x", "bogus=1", "=1", "a=1,b")),
                    ("config", ("/nowhere",)),
                ),
                *(("enabled-hardware-types", ("x", "")), ("enabled-deploy-interfaces", ("x", ""))),
                *(("default-network-provider", ("x",)), ("seed", ("/nowhere/lab.yaml",))),
                *(("accounts", ("/nowhere/users.yaml",)), ("tls-key", ("/nowhere",))),
                *(("tls-cert", ("/nowhere",)), ("max-microversoin", ("1.5",)), ("help-me", ("",))),
            )
            for value in values
        ),
        *(("--tls=auto", "--tls-cert=x"), ("--workers=2",), ("--random-seed=1", "--workers=2")),
        *(("--host=::", "--workers=2"), ("--host=::", "--control-token=t", "--workers=2")),
        *(("--host=::1", "--workers=2"), ("--host=localhost", "--workers=2")),
        *(("x",), ("--random-seed=1", "--db=sqlite:///<tmp>/db"), ("--periodic",)),
    ),
    "variables": (
        *(("PORT", "x"), ("PORT", "-1"), ("DELAY", "long"), ("DIALECT", "klingon"), ("SEDE", "x")),
        *(("OLD_COMPUTE", "maybe"), ("AGENT_WITHOUT_TLS", "maybe"), ("TLS", "maybe")),
        *(("PERIODIC", "x"), ("CONDUCTORS", "a:b:c:d"), ("MAX_MICROVERSION", "1.116")),
        *(("CONFIG", "/nowhere"), ("PORTS", "x"), ("BODY_LIMIT", "0"), ("ACOUNT", "x")),
    ),
    "files": (
        *(
            "body-limit: 0",
            "dialekt: spec",
            "config: x",
            "seed: {nodes: []}",
            "- port",
            "a: [",
            "\0",
        ),
        *(
            "5",
            "port: [1, 2]",
            "port: {a: 1}",
            "port:",
            "max-microversion: 1.116",
            "healthcheck: x",
        ),
        *("max_microversion: 1.0", "conductors: [a:b:c:d]", "periodic: [x]", "7: x"),
        *(
            "enabled-deploy-interfaces: [fake, x]",
            "agent-without-tls: maybe",
            "account: x\nport: x",
        ),
    ),
    "accounts": (
        *(
            "",
            "[]",
            "users:",
            "users: []",
            "users: x",
            "users: [5]",
            "users: [{}]",
            "users: [{name: 5}]",
        ),
        *(
            "users: [{name: ''}]",
            "users: [{name: a, x: 1, y: 2}]",
            "users: [{name: a, password: 5}]",
        ),
        *("users: [{name: a, password: ''}]", "users: [{name: a, projects: [b]}]", "a: [", "\xff"),
        *("users: [{name: a, projects: {b: c}}]", "users: [{name: a, projects: {b: [c]}}]"),
        *("users: [{name: a, system: b}]", "users: [{name: a, system: [b]}]"),
        *("users: [{name: a}, {name: a}]", "users: [{name: b}, {name: a}, {name: a}, {name: b}]"),
        *("users: [{name: a}, {name: 5}]",),
    ),
}


def refused(run, tmp_path, monkeypatch, kind, asked):
    path = tmp_path / "file.yaml"
    if kind == "words":
        return run("serve", *(word.replace("<tmp>", str(tmp_path)) for word in asked))
    if kind == "variables":
        with monkeypatch.context() as patched:
            patched.setenv(f"{PREFIX}{asked[0]}", asked[1])
            return run("serve", "--port=0", "--workers=2")
    path.write_bytes(asked.encode("latin-1"))
    option = "--config" if kind == "files" else "--accounts"
    return run("serve", f"{option}={path}")


@pytest.mark.parametrize("kind", REFUSED)
def test_servers_are_refused_as_recorded(request, run, tmp_path, monkeypatch, kind):
    found = [[asked, *refused(run, tmp_path, monkeypatch, kind, asked)] for asked in REFUSED[kind]]
    recorded.check(request, RECORD, f"refused {kind}", found)


# One after the other, with a lab, users, and a database of their own.
EXECUTED = (
    *(("--", "true"), ("--", "false"), ("--", "/nowhere/at-all"), (), ("true",), ("--account=x",)),
    *(
        ("--auth=keystone", *more, "--", "true")
        for more in (
            *(
                (),
                ("--account=admin",),
                ("--account=system-reader",),
                ("--account=project-member",),
            ),
            *(("--account=nobody",), ("--accounts=<tmp>/users.yaml",)),
            ("--accounts=<tmp>/users.yaml", "--account=idle"),
            ("--accounts=<tmp>/users.yaml", "--account=both"),
            ("--accounts=<tmp>/users.yaml", "--account=whole"),
        )
    ),
    *(("--auth=http_basic", *more, "--", "true") for more in ((), ("--account=nobody",))),
    *(("--db=sqlite:///<tmp>/db", "--seed=<tmp>/lab.yaml", "--", "true"),) * 2,
    *(("--seed=<tmp>/bad.yaml", "--", "true"), ("--host=0.0.0.0", "--", "true")),
)
FILES = {
    "lab.yaml": "nodes: [{name: n}]",
    "bad.yaml": "nodes: [{name: n}, {name: n}]",
    "users.yaml": "users: [{name: first, projects: {a: [member], b: [reader]}}, {name: idle},"
    " {name: both, projects: {a: [member]}, system: [reader]}, {name: whole, system: [reader]}]",
}


def test_commands_are_executed_as_recorded(request, run, tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    found = [
        [words, *run("exec", *(word.replace("<tmp>", str(tmp_path)) for word in words))]
        for words in EXECUTED
    ]
    recorded.check(request, RECORD, "executed", found)


BROKEN = """
import sys
from types import SimpleNamespace
from fake_server.cli import workers

def serve():
    raise RuntimeError("broken")

store = SimpleNamespace(forget_connections=lambda: None)
server = SimpleNamespace(app=SimpleNamespace(store=store), serve=serve)
sys.exit(workers.serve(server, 1))
"""


def test_a_worker_that_does_not_start_is_told():
    command = [sys.executable, "-c", BROKEN]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "baremetal-fake-server: a worker failed to start: broken\n"
