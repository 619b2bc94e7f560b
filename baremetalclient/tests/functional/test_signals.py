"""A signal ends every command, also while a server doesn't respond, and the command says so."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from baremetalclient.osc.command_table import COMMANDS
from baremetalclient.tests.unit.osc.everything import words_of
from tools.rows import some

MAIN = "import sys\nfrom baremetalclient.shell import main\nsys.exit(main())"
LAB = "nodes:\n- name: n1\n  driver: fake-hardware\n"
FILES = {name: [name, "lab.yaml"] for name in ("apply", "create", "diff")}
#: Seconds after which a command has not ended: on a machine with nothing else to do, it takes one.
TOO_LONG = 8


class Silent:
    """A server that takes requests and never responds."""

    def __init__(self):
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self.asked = threading.Event()
        self._connections = []
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        for each in (self._socket, *self._connections):
            each.close()

    def _accept(self):
        while True:
            try:
                connection, _ = self._socket.accept()
                self._connections.append(connection)
                if connection.recv(1):
                    self.asked.set()
            except OSError:
                return


def line_of(name):
    if name in FILES:
        return FILES[name]
    if name.endswith(" wait"):
        of_services = name.startswith(("server", "volume attachment"))
        return [*name.split(), "x", "--for", "status=x" if of_services else "uuid=1"]
    words = name.split() if name.endswith(" watch") else words_of(name)
    return [*words, "--all"] if name == "lab graph" else words


def ended(name, number, folder):
    """Return what is wrong with how a command ends after a signal."""
    with Silent() as server:
        process = subprocess.Popen(
            [sys.executable, "-c", MAIN, *line_of(name)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=folder,
            env={
                **os.environ,
                "OS_AUTH_TYPE": "none",
                **{f"OS_{name}ENDPOINT": server.url for name in ("", "COMPUTE_", "VOLUME_")},
            },
        )
        try:
            if not server.asked.wait(60):
                return "no request"
            time.sleep(0.1)
            process.send_signal(number)
            _, err = process.communicate(timeout=TOO_LONG)
        except subprocess.TimeoutExpired:
            return "it goes on"
        finally:
            process.kill()
            process.communicate()
    died = process.returncode in (128 + number, -number)
    return "" if died and "Traceback" not in err else f"{process.returncode} {err[-200:]}"


@pytest.mark.slow("a process for each command")
@pytest.mark.parametrize(("turn", "number"), enumerate([signal.SIGINT, signal.SIGTERM]))
def test_a_signal_ends_every_command(turn, number, tmp_path):
    (tmp_path / "lab.yaml").write_text(LAB)
    names = some([name for name in COMMANDS if name != "complete"], turn)
    with ThreadPoolExecutor(6) as pool:
        found = {name: pool.submit(ended, name, number, tmp_path) for name in names}
    assert {name: one.result() for name, one in found.items() if one.result()} == {}


def test_what_was_not_answered_is_told(tmp_path):
    with Silent() as server:
        process = subprocess.Popen(
            [sys.executable, "-c", MAIN, "node", "manage", "n1", "n2", "--parallel", "1"],
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "OS_AUTH_TYPE": "none", "OS_ENDPOINT": server.url},
        )
        assert server.asked.wait(60)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=TOO_LONG)
    assert process.returncode == 130
    assert "node n1: interrupted before the server responded: it may be done, or not" in err
    assert "Node n2: not started: interrupted" in err
