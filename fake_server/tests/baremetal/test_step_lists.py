"""Deploy templates and runbooks: their steps, and the owners and traits of runbooks."""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.api import LATEST, Api

STEP = {"interface": "bios", "step": "apply_configuration", "args": {}, "order": 1}
OF_TEMPLATES = {"interface": "bios", "step": "apply_configuration", "args": {}, "priority": 150}
BEFORE_TRAITS = "1.111"


@pytest.fixture
def api():
    return Api()


def create(api, kind, name="CUSTOM_A", steps=None):
    usual = [OF_TEMPLATES if kind == "deploy_templates" else STEP]
    status, made = api("POST", f"/v1/{kind}", {"name": name, "steps": steps or usual})
    assert status == 201, made
    return made


def patch(api, kind, path, value, op="replace"):
    return api("PATCH", f"/v1/{kind}/CUSTOM_A", [{"op": op, "path": path, "value": value}])


def manageable_node(api, *traits):
    api.enrol()
    api.provision("manage")
    api("PUT", "/v1/nodes/n/traits", {"traits": list(traits)})


def clean(api, runbook, version=LATEST, **more):
    return api.provision("clean", version=version, runbook=runbook, **more)


@pytest.mark.parametrize(("kind", "step"), [("deploy_templates", OF_TEMPLATES), ("runbooks", STEP)])
def test_secrets_in_steps_are_masked(api, kind, step):
    args = {"settings": {"password": "hush", "name": "x"}}
    shown = create(api, kind, steps=[{**step, "args": args}])["steps"][0]["args"]
    assert shown == {"settings": {"password": "******", "name": "x"}}


def test_priorities_in_words_become_numbers(api):
    created = create(api, "deploy_templates", steps=[{**OF_TEMPLATES, "priority": "007"}])
    assert created["steps"][0]["priority"] == "007"
    assert api("GET", "/v1/deploy_templates/CUSTOM_A")[1]["steps"][0]["priority"] == 7


def test_new_steps_come_after_those_that_stay(api):
    create(api, "deploy_templates", steps=[{**OF_TEMPLATES, "step": name} for name in "abc"])
    wanted = [
        {**OF_TEMPLATES, "interface": interface, "step": step}
        for interface, step in (("raid", "z"), ("bios", "y"), ("bios", "c"), ("bios", "a"))
    ]
    status, changed = patch(api, "deploy_templates", "/steps", wanted)
    assert (status, [step["step"] for step in changed["steps"]]) == (200, ["a", "c", "y", "z"])
    assert changed["updated_at"] is None
    assert patch(api, "deploy_templates", "/extra", {"a": 1})[1]["updated_at"] is not None


def test_what_no_step_has_is_dropped_from_a_patched_one(api):
    template = create(api, "deploy_templates")
    assert patch(api, "deploy_templates", "/steps/0/bogus", 1, "add") == (200, template)


def test_templates_of_older_versions_may_end_in_json(api):
    template = create(api, "deploy_templates")
    path = "/v1/deploy_templates/CUSTOM_A.json"
    assert api("GET", path, version="1.90") == (200, template)
    assert api("GET", path, version="1.91")[0] == 404


def test_names_were_traits_before_runbooks_had_traits(api):
    body = {"name": "erase-all", "steps": [STEP]}
    status, message = api("POST", "/v1/runbooks", body, version=BEFORE_TRAITS)
    assert (status, "Schema error for runbook: 'erase-all'" in message) == (400, True)
    assert create(api, "runbooks", "erase-all")["name"] == "erase-all"
    status, runbook = api("GET", "/v1/runbooks/erase-all", version=BEFORE_TRAITS)
    assert "traits" not in runbook
    assert "description" not in runbook


def test_a_public_runbook_has_no_owner(api):
    create(api, "runbooks")
    assert patch(api, "runbooks", "/owner", "p1")[1]["owner"] == "p1"
    assert patch(api, "runbooks", "/public", True)[1]["owner"] is None
    status, message = patch(api, "runbooks", "/owner", "p1")
    assert (status, "There cannot be an owner for a public runbook" in message) == (400, True)


def test_steps_that_stay_keep_their_place(api):
    create(api, "runbooks", steps=[STEP, {**STEP, "step": "b"}])
    steps = [{**STEP, "step": "a"}, {**STEP, "step": "b"}]
    status, runbook = patch(api, "runbooks", "/steps", steps)
    assert [step["step"] for step in runbook["steps"]] == ["b", "a"]
    status, message = patch(
        api, "runbooks", "/steps/-", {"interface": "bios", "step": "x", "order": 1}, "add"
    )
    assert (status, message) == (400, "Step bios.x needs args, an empty object at least.")


def test_traits_are_set_added_and_removed(api):
    create(api, "runbooks")
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
    create(api, "runbooks", steps=[{"interface": "bios", "step": "factory_reset", "order": 1}])
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
    create(api, "runbooks")
    manageable_node(api, "CUSTOM_B")
    status, message = clean(api, "CUSTOM_A", BEFORE_TRAITS)
    assert (status, "has not been approved for use on this node" in message) == (400, True)
    api("PUT", "/v1/nodes/n/traits/CUSTOM_A")
    assert clean(api, "CUSTOM_A", BEFORE_TRAITS) == (202, None)


def test_a_runbook_excludes_steps_and_other_verbs(api):
    create(api, "runbooks")
    manageable_node(api, "CUSTOM_A")
    api("PUT", "/v1/runbooks/CUSTOM_A/traits", {"traits": ["CUSTOM_A"]})
    message = 'Please provide either "clean_steps" or a runbook, but not both.'
    steps = [{"interface": "deploy", "step": "x"}]
    assert clean(api, "CUSTOM_A", clean_steps=steps) == (400, message)
    body = {"target": "manage", "runbook": "CUSTOM_A"}
    assert api("PUT", "/v1/nodes/n/states/provision", body)[0] == 400
    assert clean(api, "none") == (404, "Runbook none could not be found.")
