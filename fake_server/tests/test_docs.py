"""No option of the command may go undocumented."""

from __future__ import annotations

import re
import subprocess
import sysconfig
from pathlib import Path

import pytest

from fake_server.control.handlers import OPERATIONS

REFERENCE = Path(__file__).parents[2] / "doc" / "source" / "reference"
COMMAND = str(Path(sysconfig.get_path("scripts")) / "baremetal-fake-server")


@pytest.mark.parametrize(
    "words",
    [
        *([], ["serve"], ["exec"], ["twin"]),
        *(["capture"], ["compare"], ["ctl"], ["ctl", "faults", "add"]),
    ],
)
def test_options_are_in_the_reference(words):
    done = subprocess.run([COMMAND, *words, "--help"], capture_output=True, text=True, check=True)
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
