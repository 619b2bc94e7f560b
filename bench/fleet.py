"""A fleet of 500 nodes that is slow to ask: how long it takes to make all of them manageable."""

from __future__ import annotations

import json
import statistics
import tempfile
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.client import NO_AUTH, served
from bench.measure import Figure, cpu_of, environment, figures
from bench.table import Row

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PROBE = Path(__file__).with_name("probe.py")
NODES = 500
SECONDS_PER_REQUEST = 0.05
_SLOW = 4
"""Seconds that a transition takes while the CPU time of polls is measured."""
_PER_POLL = 0.001
"""Seconds of CPU time that a poll may take for each node."""


def rows(ours: Path, peers: Path, runs: int) -> Iterator[Row]:
    """Measure ``node manage --wait`` for the whole fleet.

    :param ours: directory of our environment's commands
    :param peers: directory of the peers' commands
    :param runs: counted runs of ours; the peers, which take a minute, have one
    """
    with _fleet(ours) as fleet:
        command = [str(ours / "baremetal"), "-q", "node", "manage", "--all", "--yes", "--wait"]
        names = [f"n-{number:03d}" for number in range(NODES)]
        probe = [str(ours / "python"), str(PROBE), "requests", "manage", fleet.url]
        wall = [(fleet.run(probe)[0], fleet.run(command)[0]) for _ in range(runs)]
        samples = {"reference": [one for one, _ in wall], "ours": [other for _, other in wall]}
        reference = statistics.median(samples["reference"])
        of_peers = {
            "python-ironicclient": fleet.run(
                [str(peers / "baremetal"), "node", "manage", *names, "--wait"]
            )[0],
            "openstacksdk": fleet.run(
                [str(peers / "python"), str(PROBE), "openstacksdk", "manage", fleet.url]
            )[0],
        }
        yield Row(
            f"{NODES} nodes at {SECONDS_PER_REQUEST * 1000:.0f} ms: manage --wait (wall)",
            "a script with requests, 10 threads",
            1.2,
            figures(samples, "reference")
            | {name: Figure(wall, wall / reference) for name, wall in of_peers.items()},
        )
        yield fleet.polls(command)


class _Fleet:
    """A fake server with the fleet.

    :param url: its URL
    """

    def __init__(self, url: str) -> None:
        self.url = url

    def run(self, command: Sequence[str], transition: float = 0) -> tuple[float, float]:
        """Run a command for the fleet as it was; return its wall and its CPU seconds.

        :param command: the command
        :param transition: seconds that each transition of a node takes
        """
        self._control("POST", "reset")
        self._control("PUT", "delays", default=transition)
        match = {"path": "/v1/*"}
        self._control("POST", "faults", match=match, do={"delay": SECONDS_PER_REQUEST})
        env = environment({**NO_AUTH, "OS_ENDPOINT": self.url})
        started = time.monotonic()
        cpu = cpu_of(command, env)
        return time.monotonic() - started, cpu

    def polls(self, command: Sequence[str]) -> Row:
        """Return what the CPU time of a poll is for each node, while transitions take long."""
        _, before = self.run(command)
        few = self._lists()
        _, after = self.run(command, _SLOW)
        polls = self._lists() - few
        seconds = (after - before) / polls / NODES
        return Row(
            f"a poll of {NODES} nodes, for each of them",
            f"{_PER_POLL * 1000:.0f} ms of CPU time",
            1.0,
            {"ours": Figure(seconds, seconds / _PER_POLL)},
        )

    def _lists(self) -> int:
        found = self._control("GET", "requests?method=GET&path=/v1/nodes")
        return len(found["requests"])

    def _control(self, method: str, path: str, **body: Any) -> Any:
        request = urllib.request.Request(
            f"{self.url}/_fake/{path}",
            method=method,
            data=None if method == "GET" else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request) as response:
            return json.loads(response.read() or b"null")


@contextmanager
def _fleet(ours: Path) -> Iterator[_Fleet]:
    """Run a fake server with the fleet."""
    lab = {"nodes": [{"name": "n-{index:03d}", "count": NODES}]}
    with tempfile.TemporaryDirectory() as directory:
        seed = Path(directory) / "fleet.json"
        seed.write_text(json.dumps(lab))
        command = [str(ours / "baremetal-fake-server"), "--port", "0", "--seed", str(seed)]
        with served(command) as url:
            yield _Fleet(url)
