"""``exec`` passes signals on, waits for the command and cleans up behind it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SLOW = pytest.mark.slow("each starts a server and a command as processes")
EXEC = [sys.executable, "-m", "fake_server.cli", "exec", "--auth", "keystone", "--"]
# It ends in its own time after SIGTERM, and asks the server once more then.
PATIENT = """
import os, signal, sys, time, urllib.request
def end(number, frame):
    time.sleep(0.5)
    urllib.request.urlopen(os.environ["OS_AUTH_URL"])
    print("ended by", number, flush=True)
    sys.exit(7)
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, end)
print(os.environ["OS_CLIENT_CONFIG_FILE"], flush=True)
while True:
    time.sleep(0.05)
"""


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGTERM,
        pytest.param(signal.SIGINT, marks=SLOW),
        pytest.param(signal.SIGHUP, marks=SLOW),
    ],
)
def test_a_signal_ends_the_command_and_then_the_server(number):
    process = subprocess.Popen(
        [*EXEC, sys.executable, "-c", PATIENT],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    clouds = Path(process.stdout.readline().strip())
    assert clouds.exists()
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert out == f"ended by {int(number)}\n"
    assert process.returncode == 7
    assert "Traceback" not in err
    assert not clouds.parent.exists()


@SLOW
def test_ctrl_c_reaches_the_command_once():
    """The terminal sends it to both; the command counts how often it comes."""
    counting = (
        "import signal, time\n"
        "got = []\n"
        "signal.signal(signal.SIGINT, lambda *_: got.append(1))\n"
        "print('ready', flush=True)\n"
        "until = time.monotonic() + 30\n"
        "while not got and time.monotonic() < until: time.sleep(0.01)\n"
        "time.sleep(0.3)\n"
        "print(len(got), 'times', flush=True)\n"
    )
    pid, terminal = os.forkpty()
    if pid == 0:
        os.execv(sys.executable, [*EXEC, sys.executable, "-c", counting])
    output = b""
    try:
        while b"ready" not in output:
            output += os.read(terminal, 4096)
        os.write(terminal, b"\x03")
        while b"times" not in output:
            output += os.read(terminal, 4096)
        time.sleep(0.05)
    finally:
        os.close(terminal)
        os.waitpid(pid, 0)
    assert b"1 times" in output
    assert b"Traceback" not in output


@SLOW
@pytest.mark.parametrize(
    ("command", "code"),
    [
        ([sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"], 137),
        ([sys.executable, "-c", "import os; os.kill(os.getpid(), 15)"], 143),
        (["/nowhere/at-all"], 127),
        (["/"], 126),
    ],
)
def test_exit_codes_are_those_of_shells(command, code):
    done = subprocess.run([*EXEC, *command], capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
