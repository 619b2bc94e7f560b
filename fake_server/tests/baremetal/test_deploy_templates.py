"""Deploy templates: their schema, their steps, and how they change."""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.api import Api

STEP = {"interface": "bios", "step": "apply_configuration", "args": {}, "priority": 150}


@pytest.fixture
def api():
    return Api()


def create(api, name="CUSTOM_A", steps=(STEP,), **values):
    status, template = api(
        "POST", "/v1/deploy_templates", {"name": name, "steps": list(steps), **values}
    )
    assert status == 201, template
    return template


def patch(api, path, value, op="replace"):
    return api("PATCH", "/v1/deploy_templates/CUSTOM_A", [{"op": op, "path": path, "value": value}])


def test_priorities_in_words_become_numbers(api):
    created = create(api, steps=[{**STEP, "priority": "007"}])
    assert created["steps"][0]["priority"] == "007"
    assert api("GET", "/v1/deploy_templates/CUSTOM_A")[1]["steps"][0]["priority"] == 7


def test_new_steps_come_after_those_that_stay(api):
    create(api, steps=[{**STEP, "step": name} for name in ("a", "b", "c")])
    wanted = [
        {"interface": interface, "step": step, "args": {}, "priority": 150}
        for interface, step in (("raid", "z"), ("bios", "y"), ("bios", "c"), ("bios", "a"))
    ]
    status, changed = patch(api, "/steps", wanted)
    assert (status, [step["step"] for step in changed["steps"]]) == (200, ["a", "c", "y", "z"])
    assert changed["updated_at"] is None
    assert patch(api, "/extra", {"a": 1})[1]["updated_at"] is not None


def test_what_no_step_has_is_dropped_from_a_patched_one(api):
    template = create(api)
    assert patch(api, "/steps/0/bogus", 1, "add") == (200, template)


def test_templates_of_older_versions_may_end_in_json(api):
    template = create(api)
    path = "/v1/deploy_templates/CUSTOM_A.json"
    assert api("GET", path, version="1.90") == (200, template)
    assert api("GET", path, version="1.91")[0] == 404
