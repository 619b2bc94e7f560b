"""Conductors that are taken down, and come back."""

from __future__ import annotations

import pytest

from fake_server.baremetal.conductor_hosts import parse
from fake_server.tests.baremetal.api import Api

ORPHANS = 60
#: Mapped to a and to b, where both are there.
OF_A, OF_B = "ba9468ff-6546-15c9-3875-5cee31ef7910", "cc864476-a553-dacf-015d-02db900bd913"
NOBODY = (
    "No valid host was found. Reason: No conductor service registered which supports driver "
    'fake-hardware for conductor group "". Ensure the driver is valid and enabled.'
)
BUSY = "Resource temporarily unavailable, please retry."


def lab(*hosts, **options):
    return Api(conductors=tuple(map(parse, hosts)), hardware_types=("fake-hardware",), **options)


@pytest.fixture
def api():
    api = lab("a", "b", "other:group")
    api.enrol("of-b", uuid=OF_B)
    api.enrol("of-a", uuid=OF_A)
    return api


def switch(api, *hosts, alive):
    for host in hosts:
        status, found = api("PATCH", f"/_fake/conductors/{host}", {"alive": alive})
        assert (status, found["alive"]) == (200, alive)


def conductor(api, ident):
    return api.node(ident)["conductor"]


def ended(api, ident="n"):
    """Return the state of a node, who has it, and its error."""
    node = api.node(ident)
    return node["provision_state"], node["reservation"], node["last_error"]


def last_event(api, ident):
    _, found = api("GET", f"/v1/nodes/{ident}/history?detail=True")
    last = found["history"][-1]
    return last["conductor"], last["event_type"], last["event"]


def test_conductors_are_shown(api):
    _, found = api("GET", "/_fake/conductors")
    assert found["conductors"][2] == {
        "hostname": "other",
        "conductor_group": "group",
        "drivers": ["fake-hardware"],
        "alive": True,
    }
    switch(api, "b", alive=False)
    assert api("GET", "/_fake/conductors/b")[1]["alive"] is False
    assert [item["alive"] for item in api.app.control.conductors.all()] == [True, False, True]
    switch(api, "b", alive=False)
    switch(api, "b", alive=True)
    assert api.app.control.conductors.get("b")["alive"]


def test_nodes_go_to_the_others_of_the_group_and_come_back(api):
    assert (conductor(api, "of-a"), conductor(api, "of-b")) == ("a", "b")
    switch(api, "b", alive=False)
    assert (conductor(api, "of-a"), conductor(api, "of-b")) == ("a", "a")
    assert api("GET", "/v1/conductors/b")[1]["alive"] is False
    assert api("GET", "/v1/drivers/fake-hardware")[1]["hosts"] == ["a", "other"]
    assert api.provision("manage", ident="of-b") == (202, None)
    switch(api, "b", alive=True)
    assert (conductor(api, "of-a"), conductor(api, "of-b")) == ("a", "b")
    assert api("GET", "/v1/conductors/b")[1]["alive"] is True


WITHOUT_HOST = [
    ("GET", "/v1/nodes/of-b/validate", None, 404),
    ("GET", "/v1/nodes/of-b/management/boot_device", None, 404),
    ("PUT", "/v1/nodes/of-b/states/provision", {"target": "manage"}, 404),
    ("PUT", "/v1/nodes/of-b/states/power", {"target": "power on"}, 404),
    ("PUT", "/v1/nodes/of-b/traits/CUSTOM_A", None, 404),
    ("GET", "/v1/nodes/of-b/vifs", None, 400),
    ("PUT", "/v1/nodes/of-b/maintenance", {}, 400),
    ("DELETE", "/v1/nodes/of-b", None, 400),
    ("PATCH", "/v1/nodes/of-b", [{"op": "add", "path": "/name", "value": "x"}], 400),
    ("POST", "/v1/nodes", {"driver": "fake-hardware"}, 400),
    ("POST", "/v1/ports", {"node_uuid": OF_B, "address": "52:54:00:00:00:01"}, 404),
]


def test_without_a_conductor_in_the_group(api):
    switch(api, "a", "b", alive=False)
    for method, path, body, status in WITHOUT_HOST:
        assert api(method, path, body) == (status, NOBODY), (method, path)
    switch(api, "other", alive=False)
    for method, path, body, _ in WITHOUT_HOST:
        assert api(method, path, body) == (503, BUSY), (method, path)


def test_another_conductor_ends_what_a_dead_one_was_doing(api):
    api.provision("manage", "provide", ident="of-b")
    api.app.control.delays.set(default=600)
    api.provision("active", ident="of-b")
    api.clock.advance(10)
    switch(api, "b", alive=False)
    api.clock.advance(ORPHANS - 1)
    node = api.node("of-b")
    assert (node["provision_state"], node["reservation"]) == ("deploying", "b")
    assert api.provision("abort", ident="of-b")[0] == 409
    api.clock.advance(1)
    text = "Operation was aborted due to conductor take over"
    assert ended(api, "of-b") == ("deploy failed", None, text)
    assert last_event(api, "of-b") == ("a", "takeover", text)


def test_cleaning_is_given_up_with_its_conductor(api):
    api.provision("manage", ident="of-b")
    api.app.control.delays.set(default=600)
    step = {"interface": "vendor", "step": "log_passthrough"}
    api.provision("clean", ident="of-b", clean_steps=[step])
    assert api.state("of-b") == "cleaning"
    switch(api, "b", alive=False)
    api.clock.advance(ORPHANS)
    node = api.node("of-b")
    assert (node["provision_state"], node["maintenance"]) == ("clean failed", True)
    assert node["last_error"] == "Operation was aborted due to conductor take over"


def test_a_power_action_is_given_up_with_its_conductor(api):
    api.provision("manage", ident="of-b")
    api.app.control.delays.set(default=600)
    assert api("PUT", "/v1/nodes/of-b/states/power", {"target": "power on"})[0] == 202
    switch(api, "b", alive=False)
    api.clock.advance(ORPHANS)
    text = "Pending power operation was aborted due to conductor take over"
    assert ended(api, "of-b") == ("manageable", None, text)
    assert last_event(api, "of-b") == ("a", "takeover", text)
    switch(api, "b", alive=True)
    api.clock.advance(600)
    node = api.node("of-b")
    assert (node["target_power_state"], node["power_state"]) == (None, None)


def test_other_states_stay_stuck_until_the_conductor_is_back(api):
    api.app.control.delays.set(default=600)
    api.provision("manage", ident="of-b")
    switch(api, "b", alive=False)
    api.clock.advance(3600)
    node = api.node("of-b")
    assert (node["provision_state"], node["reservation"]) == ("verifying", None)
    switch(api, "b", alive=True)
    node = api.node("of-b")
    text = "The verifying state can't be resumed by conductor b. Moving to fail state."
    assert (node["provision_state"], node["last_error"]) == ("enroll", text)
    assert last_event(api, "of-b") == ("b", "transition", text)


def test_a_lone_conductor_unlocks_its_nodes_when_it_is_back():
    api = lab("a")
    api.enrol()
    api.provision("manage", "provide")
    api.enrol("power")
    api.provision("manage", ident="power")
    api.app.control.delays.set(default=600)
    api.provision("active")
    api("PUT", "/v1/nodes/power/states/power", {"target": "power on"})
    switch(api, "a", alive=False)
    api.clock.advance(100_000)
    node = api.node()
    assert (node["provision_state"], node["reservation"]) == ("deploying", "a")
    switch(api, "a", alive=True)
    text = "The deploying state can't be resumed by conductor a. Moving to fail state."
    assert ended(api) == ("deploy failed", None, text)
    node = api.node("power")
    assert (node["reservation"], node["target_power_state"]) == (None, None)
    assert node["last_error"] == "Pending power operation was aborted due to conductor restart"


def test_nodes_that_wait_are_looked_after_by_the_next_conductor():
    api = lab("a", "b", agent="external")
    info = {"deploy_kernel": "http://k", "deploy_ramdisk": "http://r"}
    image = {"image_source": "http://192.0.2.1/i", "image_checksum": "a" * 32}
    api.enrol(uuid=OF_B, deploy_interface="direct", driver_info=info, instance_info=image)
    api.provision("manage", "provide", "active")
    assert api.state() == "wait call-back"
    switch(api, "a", "b", alive=False)
    api.clock.advance(7200)
    assert api.state() == "wait call-back"
    switch(api, "a", alive=True)
    assert api.state() == "deploy failed"
    assert api.node()["updated_at"] == api.clock.now().isoformat() + "+00:00"


def test_allocations_of_a_dead_conductor_are_taken_over():
    api = lab("a", "b", delay=10)
    available = {"provision_state": "available", "resource_class": "x"}
    api("POST", "/_fake/seed", {"nodes": [{"name": name, **available} for name in "mn"]})
    for uuid in (OF_B, OF_A):
        assert api("POST", "/v1/allocations", {"resource_class": "x", "uuid": uuid})[0] == 201
    switch(api, "b", alive=False)
    api.clock.advance(10)
    states = [api("GET", f"/v1/allocations/{uuid}")[1]["state"] for uuid in (OF_B, OF_A)]
    assert states == ["allocating", "active"]
    api.clock.advance(ORPHANS)
    assert api("GET", f"/v1/allocations/{OF_B}")[1]["state"] == "active"


def test_without_the_task_for_them_orphans_stay_locked():
    api = lab("a", "b", periodic={"all": 0})
    api.enrol(uuid=OF_B)
    api.app.control.delays.set(default=600)
    api.provision("manage")
    switch(api, "b", alive=False)
    api.clock.advance(100_000)
    node = api.node()
    assert (node["provision_state"], node["reservation"]) == ("verifying", "b")
