"""The examples of the documentation, run as they stand there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import warnings
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "doc" / "source" / "examples"
SCRIPTS = sysconfig.get_path("scripts")
COMMAND = str(Path(SCRIPTS) / "baremetal-fake-server")
#: Where Debian's golang-github-gophercloud-gophercloud-dev puts it.
GOPATH = Path("/usr/share/gocode")


def run(*command, **variables):
    path = f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command,
        cwd=EXAMPLES,
        env={**os.environ, "PATH": path, **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def needed(*tools):
    for tool in tools:
        if not (shutil.which(tool) or Path(tool).exists()):
            warnings.warn(f"NOT TESTED: {tool} is missing", stacklevel=2)
            pytest.skip(f"{tool} is missing")


@pytest.mark.parametrize("workers", ["0", "2"])
def test_those_for_pytest(workers, tmp_path):
    config = tmp_path / "pytest.ini"
    config.write_text("[pytest]\naddopts = --strict-markers\n")
    words = ["-c", str(config), "--rootdir", str(EXAMPLES), "-p", "no:cacheprovider", "-q"]
    printed = run(sys.executable, "-m", "pytest", *words, "-n", workers, str(EXAMPLES))
    assert "8 passed" in printed


def test_the_one_for_the_shell():
    needed("curl", "sed")
    printed = run(COMMAND, "exec", "--", "./with-curl.sh")
    assert printed == "After no time: deploying\nAfter ten minutes: active\n"


def test_the_one_in_go(tmp_path):
    needed("go", str(GOPATH / "src" / "github.com" / "gophercloud"))
    variables = {"GO111MODULE": "off", "GOPATH": str(GOPATH), "GOCACHE": str(tmp_path)}
    printed = run(COMMAND, "exec", "--", "go", "run", "with-go/main.go", **variables)
    assert printed == "node-1 is active\ngophercloud.ErrDefault404\n"
