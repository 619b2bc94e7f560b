"""``tools/dev`` makes its environment anew when the last run was stopped while it installed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

_CHECKOUT = Path(__file__).parents[3]
# Stands for Python: "-m venv" makes an environment, and "-m pip" installs a command in two parts.
_PYTHON = """#!/bin/sh
case "$*" in
    *venv*) mkdir -p "$3/bin"; cp "$0" "$3/bin/python" ;;
    *pip*)
        here=$(dirname "$0")
        [ -e "$here/package" ] && exit 0
        touch "$here/package"
        [ -e hanging ] && exec sleep 60
        printf '#!/bin/sh\\necho it works\\n' >"$here/installed-command"
        chmod +x "$here/installed-command"
        ;;
esac
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a folder with ``tools/dev`` and a Python that installs nothing."""
    (tmp_path / "tools").mkdir()
    for name in ("tools/dev", "setup.cfg"):
        shutil.copy(_CHECKOUT / name, tmp_path / name)
    python = tmp_path / "python"
    python.write_text(_PYTHON)
    python.chmod(0o755)
    return tmp_path


def _start(checkout: Path) -> subprocess.Popen[str]:
    environ = {**os.environ, "PYTHON": str(checkout / "python"), "VENV": str(checkout / "env")}
    return subprocess.Popen(
        ["tools/dev", "run", "installed-command"],
        cwd=checkout,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def test_what_was_not_finished_is_made_anew(checkout: Path) -> None:
    (checkout / "hanging").touch()
    stopped = _start(checkout)
    package = checkout / "env/bin/package"
    while not package.exists():
        time.sleep(0.01)
    os.killpg(stopped.pid, signal.SIGKILL)
    stopped.communicate()
    (checkout / "hanging").unlink()

    printed, told = _start(checkout).communicate(timeout=30)

    assert printed == "it works\n"
    assert "The last installation into" in told
    assert "Installing baremetalclient[test]" in told
    assert "Installed in" in told


def test_what_was_finished_is_kept(checkout: Path) -> None:
    _start(checkout).communicate(timeout=30)

    printed, told = _start(checkout).communicate(timeout=30)

    assert (printed, told) == ("it works\n", "")


def test_a_second_run_waits_for_the_first(checkout: Path) -> None:
    (checkout / "hanging").touch()
    first = _start(checkout)
    while not (checkout / "env/bin/package").exists():
        time.sleep(0.01)
    second = _start(checkout)
    assert second.stderr is not None
    waits = second.stderr.readline()
    (checkout / "hanging").unlink()
    os.killpg(first.pid, signal.SIGKILL)
    first.communicate()

    printed, _ = second.communicate(timeout=30)

    assert waits.startswith("Waiting for another tools/dev")
    assert printed == "it works\n"
