"""No option of the command may go undocumented."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fake_server.control.handlers import OPERATIONS
from fake_server.tests.cli.running import run

REFERENCE = Path(__file__).parents[2] / "doc" / "source" / "reference"


@pytest.mark.parametrize(
    "words",
    [
        *([], ["serve"], ["exec"], ["twin"]),
        *(["capture"], ["compare"], ["ctl"], ["ctl", "faults", "add"]),
    ],
)
def test_options_are_in_the_reference(words):
    done = run(*words, "--help")
    assert done.returncode == 0, done.stderr
    options = set(re.findall(r"--[a-z][a-z-]+", done.stdout)) - {"--help"}
    assert options
    text = (REFERENCE / "fake-server.rst").read_text()
    kinds = re.findall(r"``([a-z]+)``", text.partition("--enabled-KIND-interfaces")[2])
    documented = set(re.findall(r"--[a-z][a-z-]+", text))
    documented |= {f"--enabled-{kind}-interfaces" for kind in kinds}
    assert not options - documented


@pytest.mark.parametrize("address", sorted({one.address for one in OPERATIONS}))
def test_controls_are_in_the_reference(address):
    assert address in (REFERENCE / "controls.rst").read_text()
