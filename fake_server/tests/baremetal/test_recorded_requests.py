"""What a real Ironic answered once to some thousand requests is what the fake server answers."""

from __future__ import annotations

import pytest

from fake_server.clients.comparison.answers import differences
from fake_server.tests.baremetal.recorded_requests import SCENARIOS, Replay, application


@pytest.fixture(scope="module")
def app():
    return application()


@pytest.mark.parametrize("name", SCENARIOS)
def test_answers(app, name):
    replay = Replay(app, SCENARIOS[name])
    found = []
    for step in SCENARIOS[name]:
        answer = replay.answer(step)
        if step["answer"] is not None:
            unlike = differences(step["answer"], answer)
            found += [f"{step['request']}: {difference}" for difference in unlike]
    assert not found, "\n".join(found[:20])


def test_enough_is_recorded():
    assert sum(map(len, SCENARIOS.values())) > 4000
