"""How long sweeps take: of a function of this process, and of a program that mostly sleeps."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import requests

from bench.server import Line
from fake_server.server import FakeServer
from fake_server.sweep import sweep
from fake_server.sweep.kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

CASES = 400
FUNCTION_AT_MOST, PROGRAM_AT_MOST, RESTORE_AT_MOST = 30, 300, 10
#: Ten kinds; one that is held back, or killed, takes the time of the program's own limits.
_KINDS = [name for name in KINDS if name not in ("slow", "killed", "failover", "locked-long")]
_LAB = {"nodes": [{"name": "node-{index}", "count": 50}]}
#: A program that asks 40 times within a second, most of which it sleeps.
_PROGRAM = """
import http.client, json, os, sys, time
connection = http.client.HTTPConnection(os.environ["OS_ENDPOINT"].removeprefix("http://"))
headers = {"X-OpenStack-Ironic-API-Version": "1.90", "Content-Type": "application/json"}
patch = json.dumps([{"op": "add", "path": "/extra/seen", "value": "yes"}])
for number in range(20):
    for method, body in (("GET", None), ("PATCH", patch)):
        connection.request(method, f"/v1/nodes/node-{number}", body, headers)
        answer = connection.getresponse()
        answer.read()
        if answer.status >= 300:
            sys.exit(1)
        time.sleep(0.023)
"""


def lines(commands: Path) -> Iterator[Line]:
    """Measure sweeps.

    :param commands: directory of our environment's commands
    """
    with FakeServer(seed=_LAB, clock="auto") as server:
        began = time.monotonic()
        found = sweep(_function, server=server, kinds=_KINDS, limit=CASES)
        seconds = time.monotonic() - began
        seconds *= CASES / len(found.cases)
        yield Line(f"sweep of a function, {CASES} cases", seconds, None, FUNCTION_AT_MOST, "s")
        snapshot = server.snapshots.take()
        times = []
        for _ in range(10):
            _function(server)
            began = time.monotonic()
            server.snapshots.restore(snapshot)
            times.append(1000 * (time.monotonic() - began))
        restored = statistics.median(times)
        yield Line("restoring a lab of 50 nodes", restored, None, RESTORE_AT_MOST, "ms")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "lab.json").write_text(str(_LAB).replace("'", '"'))
        Path(folder, "program.py").write_text(_PROGRAM)
        began = time.monotonic()
        command = [str(commands / "baremetal-fake-server"), "exec", "--seed", "lab.json", "--sweep"]
        command += ["--sweep-kinds", ",".join(_KINDS), "--sweep-limit", str(CASES)]
        command += ["--sweep-allow", "said-so", "--", sys.executable, "program.py"]
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=False)
        seconds = time.monotonic() - began
        yield Line(f"sweep of a program, {CASES} cases", seconds, None, PROGRAM_AT_MOST, "s")


def _function(server: FakeServer) -> None:
    """Ask 40 times, and once more where that failed, so that no case needs a second call."""
    with requests.Session() as session:
        session.mount("http://", server.adapter())
        session.headers["X-OpenStack-Ironic-API-Version"] = "1.90"
        patch = [{"op": "add", "path": "/extra/seen", "value": "yes"}]
        for number in range(20):
            url = f"http://ironic/v1/nodes/node-{number}"
            for method, body in (("GET", None), ("PATCH", patch)):
                try:
                    session.request(method, url, json=body).raise_for_status()
                except requests.RequestException:
                    session.request(method, url, json=body).raise_for_status()
