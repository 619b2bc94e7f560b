"""``exec --sweep``: what it prints, stores and returns."""

from __future__ import annotations

import json
import os
import resource
import shlex
import signal
import subprocess
import sys
import time

import pytest

from fake_server.cli import main
from fake_server.tests.sweep.asking import ASK, PYTHON
from tools.rows import some

#: Makes a node, unless there is one of this name; fails if that can't be said.
_PROGRAM = f"""{ASK}
try:
    if not ask("GET", "/v1/nodes")["nodes"]:
        ask("POST", "/v1/nodes", {{"name": "rack1", "driver": "fake-hardware"}})
except OSError as exc:
    sys.exit(f"failed: {{exc}}")
open("made", "a").write("x")
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "program.py").write_text(_PROGRAM)
    return tmp_path


def sweep(*options, command=(*PYTHON, "program.py")):
    return main(["exec", "--sweep", *options, "--", *command])


def test_findings_are_told_with_the_command_that_repeats_them(folder, capsys):
    code = sweep("--sweep-kinds", "lost-answer,killed,unavailable", "--sweep-jobs", "2")
    printed, told = capsys.readouterr()
    assert (code, "4 cases: 3 said-so, 1 survived" in printed) == (1, True), printed + told
    results = json.loads((folder / "sweep/sweep.json").read_text())
    assert results["version"] == 1
    assert results["command"] == [*PYTHON, "program.py"]
    assert [call["id"] for call in results["requests"]] == ["GET/v1/nodes.1", "POST/v1/nodes.1"]
    case = next(one for one in results["cases"] if one["kind"] == "lost-answer")
    assert (case["verdict"], case["exit"], case["rerun_exit"]) == ("said-so", 1, 0)
    assert "failed: no answer" in case["output_tail"]
    assert {path.name for path in (folder / "sweep").iterdir()} == {
        *("sweep.json", "sweep.xml", "index.html", "timelines.json"),
    }
    # The program ran in copies of the folder.
    assert not (folder / "made").exists()
    again = next(line for line in printed.splitlines() if "again: " in line).partition("again: ")[2]
    assert main(shlex.split(again)[1:]) == 1
    printed = capsys.readouterr().out
    assert "1 cases: 1 said-so" in printed
    # So does that of the repetition, which is the same.
    assert f"    again: {again}\n" in printed


@pytest.mark.parametrize(
    ("sweeps", "number"),
    some([(False, signal.SIGTERM), (True, signal.SIGTERM), (True, signal.SIGHUP)]),
)
def test_a_signal_ends_it_and_the_program(folder, tmp_path_factory, sweeps, number):
    """During a run without a fault, and during a case."""
    temporary = tmp_path_factory.mktemp("temporary")
    # Several run at a time, each in a file of its own.
    began = folder / "began"
    began.mkdir()
    waits = "os.path.exists(mark)" if sweeps else "True"
    (folder / "waiting.py").write_text(
        f"import os, time\nmark = {str(folder / 'third')!r}\n{_PROGRAM}\n"
        f"runs = open({str(folder / 'runs')!r}, 'a+')\nruns.write('x')\nruns.flush()\n"
        "runs.seek(0)\nif len(runs.read()) == 2: open(mark, 'w').close()\n"
        f"elif {waits}:\n"
        f"    open(os.path.join({str(began)!r}, str(os.getpid())), 'w').close()\n"
        "    time.sleep(600)\n"
    )
    command = [sys.executable, "-m", "fake_server.cli", "exec", "--sweep", "--sweep-kinds", "error"]
    process = subprocess.Popen(
        [*command, "--", *PYTHON, "waiting.py"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(temporary)},
    )
    while not list(began.iterdir()):
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.02)
    process.send_signal(number)
    printed, told = process.communicate(timeout=60)
    assert process.returncode == 128 + number, told
    assert "Traceback" not in told
    assert list(temporary.iterdir()) == []
    assert ("cases were not run" in printed) == sweeps
    for program in began.iterdir():
        with pytest.raises(ProcessLookupError):
            os.kill(int(program.name), 0)


def test_what_is_allowed_or_known_is_no_finding(folder, capsys):
    kinds = ("--sweep-kinds", "lost-answer")
    assert sweep(*kinds, "--sweep-allow", "said-so") == 0
    baseline = ("--sweep-baseline", "sweep/sweep.json", "--sweep-report", "new")
    assert sweep(*kinds, *baseline) == 0
    (folder / "other.py").write_text(_PROGRAM)
    assert sweep(*kinds, *baseline, command=(*PYTHON, "other.py")) == 2
    assert "is of another command" in capsys.readouterr().err


def test_it_goes_on_where_it_ended(folder, capsys):
    assert sweep("--sweep-kinds", "unavailable,error", "--sweep-limit", "2") == 1
    before = json.loads((folder / "sweep/sweep.json").read_text())["cases"]
    capsys.readouterr()
    assert sweep("--sweep-kinds", "unavailable,error", "--resume") == 1
    cases = json.loads((folder / "sweep/sweep.json").read_text())["cases"]
    assert len(cases) == 4
    assert all(case in cases for case in before)


@pytest.mark.parametrize(
    ("options", "command", "sentence"),
    [
        (("--sweep-case", "GET/v1.1:error"), None, "There is no case 'GET/v1.1:error'."),
        (("--sweep-routes", "POST /v1/ports"), None, "None of these kinds"),
        (("--resume",), ("true",), "holds no results of a sweep"),
        ((), ("true",), "never called the server. It was given:\n  OS_AUTH_TYPE=none"),
        ((), ("false",), "ended with exit code 1"),
        ((), ("there-is-no-such-command",), "No such file or directory"),
    ],
)
def test_what_can_not_be(folder, capsys, options, command, sentence):
    assert sweep(*options, **({} if command is None else {"command": command})) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.slow("sweeps twice in other processes")
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="NOT TESTED: there is no /dev/full")
def test_output_that_can_not_be_written_is_an_error(folder):
    words = [sys.executable, "-m", "fake_server.cli", "exec", "--sweep", "--sweep-kinds", "error"]
    command = [*words, "--sweep-allow", "said-so", "--", *PYTHON, "program.py"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.endswith("Can't write to standard output: No space left on device.\n")
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as pipe:
        done = subprocess.run(command, stdout=pipe, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 141
    assert (folder / "sweep/index.html").exists()


@pytest.mark.slow("each run is a process")
def test_a_report_that_cannot_be_written_is_an_error(folder, capsys):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, before[1]))
    try:
        code = sweep("--sweep-kinds", "error", "--sweep-limit", "1")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    printed, told = capsys.readouterr()
    assert (code, printed) == (2, "")
    assert told.endswith("Can't write sweep/index.html: File too large.\n")
    assert not any(path.name.startswith((".", "index")) for path in (folder / "sweep").iterdir())


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ("--sweep-kinds=lost-anser", "Unknown kind of fault 'lost-anser'. Did you mean lost-ans"),
        ("--sweep-allow=lyed", "Unknown verdict 'lyed'. Did you mean lied?"),
        ("--sweep-timeout=0", "'0' is not above 0"),
        ("--sweep-case=GET/v1", "'GET/v1' is not of the form REQUEST:KIND"),
        ("--sweep-routes=/v1", "'/v1' is not of the form METHOD /PATH"),
    ],
)
def test_what_no_option_takes(capsys, option, sentence):
    with pytest.raises(SystemExit) as exited:
        sweep(option)
    assert exited.value.code == 2
    assert f"argument {option.partition('=')[0]}: {sentence}" in capsys.readouterr().err
