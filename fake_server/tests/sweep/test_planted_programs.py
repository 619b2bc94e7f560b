"""Programs in shell and Go, each right once and with planted bugs: each is judged as it should."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from fake_server.cli import main

_PLANTED = Path(__file__).parent / "planted"
_NODE = "/v1/nodes/_"

SHELL = [
    ("second-node", "lost-answer", "left-behind", "POST/v1/nodes.1"),
    ("not-again", "lost-answer", "stuck", "POST/v1/nodes.1"),
    ("ignores-conflicts", "locked", "lied", f"PUT{_NODE}/traits/_@rack1.1"),
    ("first-state", "operation-fails", "lied", f"PUT{_NODE}/states/provision@rack1.2"),
]
GO = [
    ("polls-for-ever", "operation-fails", "hung", f"PUT{_NODE}/states/provision@rack1.2"),
    ("leaves-maintenance", "unavailable", "lied", f"PATCH{_NODE}@rack1.1"),
    ("takes-any-answer", "error", "left-behind", f"DELETE{_NODE}/maintenance@rack1.1"),
]
#: What the right programs are tried with: all that the planted bugs show at, and what kills them.
_KINDS = "lost-answer,cut-answer,locked,unavailable,too-many,error,operation-fails,killed"


@pytest.fixture(scope="module")
def go_program(tmp_path_factory):
    if shutil.which("go") is None:
        pytest.skip("needs go")
    made = tmp_path_factory.mktemp("go") / "enrol"
    environment = {**os.environ, "GO111MODULE": "off", "GOCACHE": str(made.parent / "cache")}
    source = str(_PLANTED / "enrol.go")
    subprocess.run(["go", "build", "-o", str(made), source], check=True, env=environment)
    return [str(made)]


@pytest.fixture
def shell_program():
    if shutil.which("curl") is None:
        pytest.skip("needs curl")
    return ["sh", str(_PLANTED / "enrol.sh")]


@pytest.fixture
def judge(tmp_path, monkeypatch):
    """Sweep a program; return its exit code and the verdicts of its findings by request."""
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")

    def run(command, kinds, *options):
        report = tmp_path / "report"
        words = ["exec", "--sweep", "--sweep-kinds", kinds, "--sweep-report", str(report)]
        code = main([*words, *options, "--", *command])
        cases = json.loads((report / "sweep.json").read_text())["cases"]
        return code, {(case["request"], case["verdict"]) for case in cases}

    return run


def check_right(judge, command):
    code, found = judge(
        [*command, "right"], _KINDS, "--sweep-limit", "40", "--sweep-allow", "said-so"
    )
    assert (code, len(found) > 1) == (0, True), found


def check_planted(judge, command, bug, kind, verdict, request_id):
    code, found = judge([*command, bug], kind, "--sweep-timeout", "5")
    assert (code, (request_id, verdict) in found) == (1, True), found


@pytest.mark.slow("runs a program 80 times")
def test_the_right_one_in_shell(judge, shell_program):
    check_right(judge, shell_program)


@pytest.mark.parametrize(("bug", "kind", "verdict", "request_id"), SHELL)
def test_a_bug_in_shell(judge, shell_program, bug, kind, verdict, request_id):
    check_planted(judge, shell_program, bug, kind, verdict, request_id)


@pytest.mark.slow("runs a program 80 times")
def test_the_right_one_in_go(judge, go_program):
    check_right(judge, go_program)


@pytest.mark.night("builds a program in Go")
@pytest.mark.parametrize(("bug", "kind", "verdict", "request_id"), GO)
def test_a_bug_in_go(judge, go_program, bug, kind, verdict, request_id):
    check_planted(judge, go_program, bug, kind, verdict, request_id)
