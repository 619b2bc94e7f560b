"""The state machine: its table holds together, and events lead where it says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fake_server.baremetal import states
from fake_server.baremetal.errors import InvalidState
from fake_server.baremetal.tables import nodes
from fake_server.tests.baremetal.api import Api

OF_IRONIC = json.loads(Path(__file__).with_name("transitions_of_ironic.json").read_text())
EVENTS = sorted({event for events in states.TRANSITIONS.values() for event in events})


def test_the_table_is_that_of_ironic():
    assert OF_IRONIC["transitions"] == states.TRANSITIONS
    targets = {state: target for state, target in OF_IRONIC["targets"].items() if target}
    assert {state: states.TARGETS.get(state) for state in targets} == targets
    assert sorted(states.STABLE) == OF_IRONIC["stable"]


def test_every_state_is_either_stable_or_bound_for_a_stable_one():
    for state, events in states.TRANSITIONS.items():
        for after in {state, *events.values()}:
            target = states.TARGETS.get(after)
            assert (after in states.STABLE) != (target in states.STABLE), after


def test_every_state_can_be_left():
    reached = {after for events in states.TRANSITIONS.values() for after in events.values()}
    assert reached <= states.TRANSITIONS.keys()


def test_states_that_change_by_themselves_can_fail():
    for state in states.UNSTABLE - {states.ADOPTING}:
        assert "fail" in states.TRANSITIONS[state], state


@given(st.sampled_from(sorted(states.TRANSITIONS)), st.lists(st.sampled_from(EVENTS), max_size=12))
def test_a_walk_follows_the_table(state, events):
    target = states.TARGETS.get(state)
    for event in events:
        if not states.accepts(state, event):
            with pytest.raises(InvalidState):
                states.follow(state, event, target)
            continue
        after, target = states.follow(state, event, target)
        assert after == states.TRANSITIONS[state][event]
        if after in states.TARGETS:
            assert target == states.TARGETS[after]
        state = after


def test_a_wanted_target_goes_before_the_usual_one():
    found = states.follow(states.MANAGEABLE, "clean", None, states.MANAGEABLE)
    assert found == (states.CLEANING, states.MANAGEABLE)


def test_a_reached_target_is_dropped():
    assert states.follow(states.CLEANING, "manage", states.MANAGEABLE) == (states.MANAGEABLE, None)


@pytest.mark.parametrize(
    ("state", "minor", "shown"),
    [
        ("available", 1, None),
        ("available", 2, "available"),
        ("inspect wait", 38, "inspecting"),
        ("inspect wait", 39, "inspect wait"),
    ],
)
def test_older_versions_show_the_states_that_they_know(state, minor, shown):
    """The history of the API has both: 1.2 added ``available``, 1.39 ``inspect wait``."""
    api = Api()
    uuid = api.enrol()
    with api.app.store.transaction() as tx:
        tx.update(nodes, [nodes.c.uuid == uuid], {"provision_state": state})
    for path in (f"/v1/nodes/{uuid}", f"/v1/nodes/{uuid}/states"):
        status, body = api("GET", path, version=f"1.{minor}")
        assert (status, body["provision_state"]) == (200, shown)
    _, listed = api("GET", "/v1/nodes", version=f"1.{minor}")
    assert [node["provision_state"] for node in listed["nodes"]] == [shown]
