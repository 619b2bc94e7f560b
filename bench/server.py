"""The fake server's figures, beside a real Ironic in the same run."""

from __future__ import annotations

import http.client
import json
import os
import statistics
import subprocess
import time
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from bench import measure

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

HEADERS = {"X-OpenStack-Ironic-API-Version": "1.99", "Content-Type": "application/json"}
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
#: Ratio of the real Ironic's CPU time that a GET may take.
AT_MOST = 1 / 25
START_AT_MOST = 0.6
RESIDENT_AT_MOST = 80
RESTORE_AT_MOST = 50

#: Nodes that are asked for in turn; the fake server remembers the answers of fewer.
_MANY = 1000


class Server(NamedTuple):
    """A server that is measured.

    :param address: host and port
    :param pid: its first process
    """

    address: str
    pid: int


class Line(NamedTuple):
    """One figure: ours, the real one's, and what ours may be at most, in the same unit."""

    title: str
    ours: float
    real: float | None
    at_most: float
    unit: str

    @property
    def reached(self) -> bool:
        """Whether ours is within the figure."""
        return self.ours <= self.at_most

    def __str__(self) -> str:
        real = "-" if self.real is None else f"{self.real:.2f}"
        mark = "" if self.reached else " (!)"
        return (
            f"{self.title:44}  {self.ours:9.2f}  {real:>9}  {self.at_most:9.2f} {self.unit}{mark}"
        )


HEADING = f"{'what':44}  {'ours':>9}  {'real':>9}  {'at most':>9}"


def lines(commands: Path, real: Server, runs: int) -> Iterator[Line]:
    """Measure what the design sets a figure for.

    :param commands: directory of our environment's commands
    :param real: a running Ironic without authentication
    :param runs: counted turns of each
    """
    command = [str(commands / "baremetal-fake-server"), "--port", "0"]
    with _started(command):
        pass  # which writes the bytecode
    starts = []
    for _ in range(runs):
        begun = time.monotonic()
        with _started(command) as fake:
            _get(http.client.HTTPConnection(fake.address), "/v1")
            starts.append(time.monotonic() - begun)
    yield Line("exec to first answer", statistics.median(starts), None, START_AT_MOST, "s")
    with _started(command) as fake:
        made = {server: _made(server) for server in (fake, real)}
        for title, kind in (("a connector", 1), ("a node", 0)):
            asked = {server: [made[server][kind]] for server in made}
            yield _read_line(f"CPU time of GET of {title}", asked, runs)
        asked = {fake: _many_nodes(fake), real: [made[real][0]]}
        yield _read_line("CPU time of GET of another node each time", asked, runs)
        yield Line("resident", _resident(fake.pid), _resident(real.pid), RESIDENT_AT_MOST, "MB")
    with _started(command) as fake:
        restored = statistics.median(_restores(fake, runs))
        yield Line("restore of 1,000 nodes", restored, None, RESTORE_AT_MOST, "ms")


@contextmanager
def _started(command: list[str]) -> Iterator[Server]:
    process = subprocess.Popen(
        command, env=measure.environment(), stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        yield Server(url.removeprefix("http://"), process.pid)
    finally:
        process.terminate()
        process.wait()


def _made(server: Server) -> tuple[str, str]:
    """Make a node and a connector; return their paths."""
    connection = http.client.HTTPConnection(server.address)

    def post(path: str, body: dict[str, Any]) -> str:
        connection.request("POST", path, json.dumps(body), HEADERS)
        return str(json.load(connection.getresponse())["uuid"])

    node = post("/v1/nodes", {"driver": "fake-hardware"})
    body = {"node_uuid": node, "type": "iqn", "connector_id": f"iqn.{uuid4()}"}
    return f"/v1/nodes/{node}", f"/v1/volume/connectors/{post('/v1/volume/connectors', body)}"


def _restores(server: Server, runs: int) -> Iterator[float]:
    """Return the milliseconds of going back to a snapshot of nodes with ports and connectors."""
    connection = http.client.HTTPConnection(server.address)

    def post(path: str, body: dict[str, Any] | None = None) -> Any:
        connection.request("POST", f"/_fake/{path}", json.dumps(body or {}), HEADERS)
        text = connection.getresponse().read()
        return json.loads(text) if text else None

    node = {
        "name": "n{index}",
        "count": 1000,
        "ports": [{"address": "52:54:00:{index:mac}"}],
        "volume_connectors": [{"type": "iqn", "connector_id": "iqn.{index}"}],
    }
    post("seed", {"nodes": [node]})
    ident = post("snapshots")["id"]
    for number in range(runs):
        # Tables to which nothing was written stay as they are.
        post("seed", {"nodes": [{"name": f"new{number}"}]})
        begun = time.monotonic()
        post(f"snapshots/{ident}/restore")
        yield (time.monotonic() - begun) * 1000


def _read_line(title: str, asked: Mapping[Server, Sequence[str]], runs: int) -> Line:
    """Measure the same GETs of the fake server and of the real one, in turn.

    :param asked: their paths; those of the fake server first.
    """
    costs: dict[Server, list[float]] = {server: [] for server in asked}
    for _ in range(runs):
        for server, requests in zip(asked, (2000, 100), strict=True):
            costs[server].append(_cost(server, asked[server], requests))
    ours, theirs = (statistics.median(taken) for taken in costs.values())
    return Line(title, ours, theirs, theirs * AT_MOST, "ms")


def _many_nodes(fake: Server) -> list[str]:
    """Make nodes; return their paths."""
    connection = http.client.HTTPConnection(fake.address)
    seed = {"nodes": [{"name": "n{index}", "count": _MANY}]}
    connection.request("POST", "/_fake/seed", json.dumps(seed), HEADERS)
    connection.getresponse().read()
    return [f"/v1/nodes/n{index}" for index in range(_MANY)]


def _cost(server: Server, paths: Sequence[str], requests: int) -> float:
    """Return the CPU milliseconds of the server for one GET."""
    connection = http.client.HTTPConnection(server.address)
    _get(connection, paths[0])
    before = sum(_cpu(pid) for pid in _tree(server.pid))
    for path in islice(cycle(paths), requests):
        _get(connection, path)
    return (sum(_cpu(pid) for pid in _tree(server.pid)) - before) / requests * 1000


def _get(connection: http.client.HTTPConnection, path: str) -> None:
    connection.request("GET", path, headers=HEADERS)
    response = connection.getresponse()
    response.read()
    if response.status != 200:
        raise RuntimeError(f"GET {path} was answered with {response.status}")


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _resident(pid: int) -> float:
    """Return the memory of a server's processes, in MB."""
    pages = (int(Path(f"/proc/{one}/statm").read_text().split()[1]) for one in _tree(pid))
    return sum(pages) * _PAGE / 1e6


def _tree(pid: int) -> list[int]:
    """Return a process and all below it."""
    found = [pid]
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in children.read_text().split():
            found += _tree(int(child))
    return found
