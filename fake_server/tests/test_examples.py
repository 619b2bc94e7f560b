"""The examples in files of their own, run as they stand there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow("runs pytest in other processes")
EXAMPLES = Path(__file__).parents[2] / "doc" / "source" / "examples"


@pytest.mark.parametrize("workers", ["0", "2"])
def test_those_for_pytest(workers, tmp_path):
    config = tmp_path / "pytest.ini"
    config.write_text("[pytest]\naddopts = --strict-markers\n")
    words = ["-c", str(config), "--rootdir", str(EXAMPLES), "-p", "no:cacheprovider", "-q"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words, "-n", workers, str(EXAMPLES)],
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert "4 passed" in done.stdout, done.stdout + done.stderr
