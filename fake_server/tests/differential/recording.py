"""Recorded answers of a real Ironic, and the same requests to the fake server."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from fake_server.tests.differential.agent_server import Agent
    from fake_server.tests.differential.pair import Request, Server


@dataclass(frozen=True)
class Call:
    """One request of a scenario.

    :param creates: the handle for the resource that it makes.
    :param until: the provision states in which the node is settled after it; empty for any that
        doesn't end by itself.
    """

    request: Request
    creates: str | None = None
    until: tuple[str, ...] = ()


@dataclass(frozen=True)
class Exchange:
    """A request, and what has to be equal of its answer."""

    request: str
    answer: dict[str, Any]


def play(server: Server, calls: Iterable[Call], agent: Agent) -> Iterator[Exchange]:
    """Send requests to a server; wait after each change until its node is settled.

    :param agent: the agent of the node; it is restarted by a lookup.
    """
    server.ids["agent-1"] = agent.url
    for call in calls:
        path, asked = call.request.path, agent.asked
        answer = server.send(call.request)
        body = answer.json()
        if answer.status < 300 and isinstance(body, dict):
            if call.creates:
                server.ids[call.creates] = body["uuid"]
            if path.startswith("/v1/lookup"):
                agent.restart()
                server.ids["token-1"] = body["config"]["agent_token"]
        yield Exchange(str(call.request), server.normaliser.view(answer))
        if path.startswith("/v1/heartbeat") and answer.status == 202:
            agent.wait_for_question(asked)
        if call.request.method not in ("GET", "HEAD") and "node-1" in server.ids:
            server.settle(server.ids["node-1"], call.until)


class Recording:
    """A compressed file of exchanges by scenario.

    :param path: the file; it needn't exist yet.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        text = gzip.decompress(path.read_bytes()) if path.exists() else b"{}"
        self._scenarios: dict[str, dict[str, Any]] = json.loads(text)

    def __len__(self) -> int:
        """Return the number of requests in all scenarios."""
        return sum(len(found["exchanges"]) for found in self._scenarios.values())

    @property
    def names(self) -> set[str]:
        """The names of its scenarios."""
        return set(self._scenarios)

    def port(self, scenario: str) -> int:
        """Return the port that the real Ironic had, which requests name."""
        return int(self._scenarios[scenario]["port"])

    def exchanges(self, scenario: str) -> list[Exchange]:
        """Return what was recorded of a scenario."""
        return [Exchange(*pair) for pair in self._scenarios[scenario]["exchanges"]]

    def keep(self, scenario: str, port: int, exchanges: Iterable[Exchange]) -> None:
        """Store a scenario in place of an earlier recording."""
        pairs = [[item.request, item.answer] for item in exchanges]
        self._scenarios[scenario] = {"port": port, "exchanges": pairs}
        text = json.dumps(self._scenarios, sort_keys=True, separators=(",", ":"))
        # Without the time, the same answers make the same file.
        self._path.write_bytes(gzip.compress(text.encode(), mtime=0))
