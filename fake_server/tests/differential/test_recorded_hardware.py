"""Nodes of all hardware types, with machines: the fake answers what a real Ironic answered.

``pytest … --real-ironic URL --record`` records anew what an Ironic answers that has all types and
its controllers beside it: ``IRONIC_HARDWARE=all oracle/real-ironic start PORT``.
"""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from fake_server.baremetal.hardware_types import TYPES
from fake_server.server import FakeServer
from fake_server.settings import Settings
from fake_server.tests.differential import allowed
from fake_server.tests.differential.agent_server import Agent
from fake_server.tests.differential.answers import differences
from fake_server.tests.differential.controllers import reset_machines
from fake_server.tests.differential.hardware_calls import VALUES
from fake_server.tests.differential.hardware_scenarios import SCENARIOS
from fake_server.tests.differential.pair import Server
from fake_server.tests.differential.recording import Recording, play

RECORDING = Recording(Path(__file__).with_name("hardware.json.gz"))


@pytest.fixture(scope="module")
def agent():
    with Agent() as server:
        yield server
        server.shutdown()


@pytest.fixture(scope="module")
def fake():
    settings = Settings(
        hardware_types=tuple(TYPES),
        interfaces={kind: tuple(names) for kind, names in VALUES["enabled"].items()},
        agent="external",
        agent_tls=False,
        max_minor=115,  # the newest that the recorded Ironic knew
    )
    with FakeServer(settings) as server:
        yield Server(server.url)


def record(url, name, agent):
    server, port = Server(url), urlsplit(url).port
    server.clear()
    reset_machines(port)
    RECORDING.keep(name, port, play(server, SCENARIOS[name](port), agent))


@pytest.mark.rows
@pytest.mark.parametrize("name", sorted(SCENARIOS))
def test_answers(fake, agent, request, name):
    url = request.config.getoption("--real-ironic")
    if url and request.config.getoption("--record"):
        record(url, name, agent)
    fake.clear()
    port = RECORDING.port(name)
    pairs = zip(RECORDING.exchanges(name), play(fake, SCENARIOS[name](port), agent), strict=True)
    found = [
        f"{here.request}: {line}"
        for there, here in pairs
        for line in (
            ["another request was recorded: record again"]
            if there.request != here.request
            else differences(there.answer, json.loads(json.dumps(here.answer)))
        )
    ]
    unexplained = [line for line in found if allowed.reason(line) is None]
    assert not unexplained, "\n".join(unexplained[:60])


def test_enough_is_recorded():
    assert RECORDING.names == set(SCENARIOS)
    assert len(RECORDING) >= 2000
