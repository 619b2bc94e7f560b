"""What can be seen in the middle of transitions that take time."""

from __future__ import annotations

from datetime import datetime

import pytest

from fake_server.tests.baremetal.api import Api

STEP = {"interface": "vendor", "step": "log_passthrough"}


@pytest.fixture
def api():
    """A server whose nodes are fake: each transition takes 60 seconds."""
    return Api(delay=60, automated_clean=True)


def take(api, verb, seconds=300, **arguments):
    """Go through a transition to its end."""
    assert api.provision(verb, **arguments) == (202, None)
    api.clock.advance(seconds)


def seen(api, flow):
    """Return what shows how far a flow of steps is."""
    node = api.node()
    internal = node["driver_internal_info"]
    return (
        node["provision_state"],
        node["target_provision_state"],
        node[f"{flow}_step"].get("step"),
        internal.get(f"{flow}_step_index"),
        [step["step"] for step in internal.get(f"{flow}_steps") or []],
        node["reservation"],
    )


def seconds(moment):
    """Return a moment in seconds since the epoch."""
    return datetime.fromisoformat(moment).timestamp()


def test_cleaning_shows_each_step_for_its_part_of_the_time(api):
    api.enrol()
    take(api, "manage")
    api.provision("clean", clean_steps=[STEP, {**STEP}, {**STEP}])
    steps = ["log_passthrough"] * 3
    for position in range(3):
        expected = ("cleaning", "manageable", "log_passthrough", position, steps, "localhost")
        assert seen(api, "clean") == expected
        api.clock.advance(19)
        assert seen(api, "clean") == expected
        api.clock.advance(1)
    assert seen(api, "clean") == ("manageable", None, None, None, [], None)


def test_steps_that_nobody_watched_take_the_same_time(api):
    api.enrol()
    take(api, "manage")
    asked = api.clock.now().replace(tzinfo=None).isoformat()
    api.provision("clean", clean_steps=[STEP, {**STEP}])
    api.clock.advance(3600)
    node = api.node()
    assert node["provision_state"] == "manageable"
    assert node["provision_updated_at"] > asked
    history = api("GET", "/v1/nodes/n/history?detail=True")[1]["history"]
    (ended,) = [entry for entry in history if entry["event_type"] == "manual_cleaning_end"]
    (began,) = [entry for entry in history if entry["event_type"] == "manual_cleaning_start"]
    assert seconds(ended["created_at"]) - seconds(began["created_at"]) == 60


def test_secrets_of_steps_are_masked_in_the_history(api):
    api.enrol()
    for verb in ("manage", "provide", "active"):
        take(api, verb)
    args = {"settings": [], "outer": {"admin_password": "s3cret", "password": {"a": 1}, "x": "y"}}
    step = {"interface": "bios", "step": "apply_configuration", "args": args}
    take(api, "service", service_steps=[step])
    history = api("GET", "/v1/nodes/n/history?detail=True")[1]["history"]
    (began,) = [entry for entry in history if entry["event_type"] == "servicing_start"]
    assert "'admin_password': '***', 'password': {'a': 1}, 'x': 'y'" in began["event"]


def test_a_step_fails_at_the_end_of_its_time(api):
    api.enrol()
    take(api, "manage")
    fault = {"node": "n", "flow": "clean", "step": "vendor.*", "nth": 2}
    api.app.control.faults.add(fault, {"last_error": "broken"})
    api.provision("clean", clean_steps=[STEP, {**STEP}])
    api.clock.advance(59)
    assert (api.state(), api.node()["last_error"]) == ("cleaning", None)
    api.clock.advance(1)
    node = api.node()
    assert (node["provision_state"], node["maintenance"]) == ("clean failed", True)
    assert "broken" in node["last_error"]
    assert node["reservation"] is None


def test_a_snapshot_from_between_two_steps_goes_on(api):
    api.enrol()
    take(api, "manage")
    api.provision("clean", clean_steps=[STEP, {**STEP}])
    api.clock.advance(30)
    between = seen(api, "clean")
    copy = api.app.control.snapshots.take()
    api.clock.advance(30)
    assert api.state() == "manageable"
    api.app.control.snapshots.restore(copy)
    api.app.control.clock.switch("manual", start=api.clock.seconds() - 30)
    assert seen(api, "clean") == between
    api.clock.advance(29)
    assert api.state() == "cleaning"
    api.clock.advance(1)
    assert api.state() == "manageable"
