"""Runbooks: their schema by version, their owners and traits, and nodes that go through them."""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.api import LATEST, Api

STEP = {"interface": "deploy", "step": "erase_devices", "args": {}, "order": 1}
BEFORE_TRAITS = "1.111"


@pytest.fixture
def api():
    return Api()


def create(api, name="CUSTOM_A", steps=(STEP,), **values):
    body = {"name": name, "steps": list(steps), **values}
    status, runbook = api("POST", "/v1/runbooks", body)
    assert status == 201, runbook
    return runbook


def patch(api, path, value, op="replace"):
    return api("PATCH", "/v1/runbooks/CUSTOM_A", [{"op": op, "path": path, "value": value}])


def manageable_node(api, *traits):
    api("POST", "/v1/nodes", {"name": "n", "driver": "fake-hardware"})
    api("PUT", "/v1/nodes/n/states/provision", {"target": "manage"})
    api("PUT", "/v1/nodes/n/traits", {"traits": list(traits)})


def clean(api, runbook, version=LATEST, **more):
    body = {"target": "clean", "runbook": runbook, **more}
    return api("PUT", "/v1/nodes/n/states/provision", body, version=version)


def test_names_were_traits_before_runbooks_had_traits(api):
    body = {"name": "erase-all", "steps": [STEP]}
    status, message = api("POST", "/v1/runbooks", body, version=BEFORE_TRAITS)
    assert (status, "Schema error for runbook: 'erase-all'" in message) == (400, True)
    assert create(api, "erase-all")["name"] == "erase-all"
    status, runbook = api("GET", "/v1/runbooks/erase-all", version=BEFORE_TRAITS)
    assert "traits" not in runbook
    assert "description" not in runbook


def test_a_public_runbook_has_no_owner(api):
    create(api)
    assert patch(api, "/owner", "p1")[1]["owner"] == "p1"
    assert patch(api, "/public", True)[1]["owner"] is None
    status, message = patch(api, "/owner", "p1")
    assert (status, "There cannot be an owner for a public runbook" in message) == (400, True)


def test_steps_that_stay_keep_their_place(api):
    create(api, steps=[STEP, {**STEP, "step": "b"}])
    steps = [{**STEP, "step": "a"}, {**STEP, "step": "b"}]
    status, runbook = patch(api, "/steps", steps)
    assert [step["step"] for step in runbook["steps"]] == ["b", "a"]
    status, message = patch(api, "/steps/-", {"interface": "bios", "step": "x", "order": 1}, "add")
    assert (status, message) == (400, "Step bios.x needs args, an empty object at least.")


def test_traits_are_set_added_and_removed(api):
    create(api)
    path = "/v1/runbooks/CUSTOM_A/traits"
    assert api("PUT", path, {"traits": ["CUSTOM_Z", "CUSTOM_B", "CUSTOM_B"]}) == (204, None)
    assert api("PUT", f"{path}/CUSTOM_C") == (204, None)
    assert api("DELETE", f"{path}/CUSTOM_Z") == (204, None)
    assert api("DELETE", f"{path}/CUSTOM_Z") == (204, None)
    assert api("GET", path) == (200, {"traits": ["CUSTOM_B", "CUSTOM_C"]})
    status, message = api("PUT", path, {})
    assert (status, "A single runbook trait may be added" in message) == (400, True)
    assert api("DELETE", path) == (204, None)
    assert api("GET", "/v1/runbooks/CUSTOM_A")[1]["traits"] == []
    status, message = api("GET", path, version=BEFORE_TRAITS)
    assert status == 404
    assert "does not allow runbook traits" in str(message)


def test_a_node_with_one_of_its_traits_is_cleaned_by_it(api):
    create(api, steps=[{"interface": "bios", "step": "factory_reset", "order": 1}])
    manageable_node(api, "CUSTOM_FAST")
    status, message = clean(api, "CUSTOM_A")
    assert (status, "has no traits configured" in message) == (400, True)
    api("PUT", "/v1/runbooks/CUSTOM_A/traits", {"traits": ["CUSTOM_SLOW"]})
    status, message = clean(api, "CUSTOM_A")
    assert (status, "any of the runbook's traits ['CUSTOM_SLOW']" in message) == (400, True)
    api("PUT", "/v1/runbooks/CUSTOM_A/traits/CUSTOM_FAST")
    assert clean(api, "CUSTOM_A") == (202, None)
    assert api("GET", "/v1/nodes/n")[1]["provision_state"] == "manageable"
    assert api("GET", "/v1/nodes/n")[1]["last_error"] is None


def test_a_node_was_approved_by_a_trait_like_the_runbook_before(api):
    create(api)
    manageable_node(api, "CUSTOM_B")
    status, message = clean(api, "CUSTOM_A", BEFORE_TRAITS)
    assert (status, "has not been approved for use on this node" in message) == (400, True)
    api("PUT", "/v1/nodes/n/traits/CUSTOM_A")
    assert clean(api, "CUSTOM_A", BEFORE_TRAITS) == (202, None)


def test_a_runbook_excludes_steps_and_other_verbs(api):
    create(api)
    manageable_node(api, "CUSTOM_A")
    api("PUT", "/v1/runbooks/CUSTOM_A/traits", {"traits": ["CUSTOM_A"]})
    message = 'Please provide either "clean_steps" or a runbook, but not both.'
    steps = [{"interface": "deploy", "step": "x"}]
    assert clean(api, "CUSTOM_A", clean_steps=steps) == (400, message)
    body = {"target": "manage", "runbook": "CUSTOM_A"}
    assert api("PUT", "/v1/nodes/n/states/provision", body)[0] == 400
    assert clean(api, "none") == (404, "Runbook none could not be found.")
