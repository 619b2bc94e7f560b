"""Type checkers accept correct uses of the client, and report each misuse."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[2]
CORRECT = FOLDER / "correct.py"
MISUSES = FOLDER / "misuses.py"


def lines_reported_by_mypy():
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary"]
    done = subprocess.run(
        [*command, str(CORRECT), str(MISUSES)], cwd=ROOT, capture_output=True, text=True
    )
    assert not done.stderr
    found = re.findall(r"^(\S+?):(\d+): error: ", done.stdout, re.MULTILINE)
    return {(Path(name).name, int(line)) for name, line in found}, done.stdout


def lines_reported_by_pyright():
    if importlib.util.find_spec("pyright") is None:
        pytest.skip("tools/dev types installs pyright")
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--outputjson"]
    done = subprocess.run(
        [*command, str(CORRECT), str(MISUSES)], cwd=ROOT, capture_output=True, text=True
    )
    reports = json.loads(done.stdout)["generalDiagnostics"]
    return {
        (Path(report["file"]).name, report["range"]["start"]["line"] + 1) for report in reports
    }, done.stdout


@pytest.mark.slow("mypy and pyright; tools/dev types runs it")
@pytest.mark.parametrize("check", [lines_reported_by_mypy, lines_reported_by_pyright])
def test_the_marked_lines_are_reported_and_no_others(check):
    reported, output = check()
    marked = {
        (MISUSES.name, number)
        for number, line in enumerate(MISUSES.read_text("utf-8").splitlines(), 1)
        if line.endswith("# error")
    }
    assert len(marked) > 50
    assert reported - marked == set(), output
    assert marked - reported == set()
