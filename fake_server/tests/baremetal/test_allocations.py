"""Allocations: nodes found by class and traits, after a while, and given back."""

from __future__ import annotations

import pytest

from fake_server.db.store import Transaction
from fake_server.tests.baremetal.api import Api

OTHER_UUID = "11111111-2222-4333-8444-555555555555"


@pytest.fixture
def api():
    return Api()


def available(api, name="n", resource_class="gold", traits=(), **fields):
    uuid = api.enrol(name, resource_class=resource_class, automated_clean=False, **fields)
    api("PUT", f"/v1/nodes/{name}/states/power", {"target": "power off"})
    api.clock.advance(60)
    for target in ("manage", "provide"):
        api("PUT", f"/v1/nodes/{name}/states/provision", {"target": target})
        api.clock.advance(60)
    if traits:
        api("PUT", f"/v1/nodes/{name}/traits", {"traits": list(traits)})
    return uuid


def allocate(api, **values):
    status, allocation = api("POST", "/v1/allocations", {"resource_class": "gold", **values})
    assert (status, allocation["state"]) == (201, "allocating"), allocation
    return allocation["uuid"]


def show(api, ident):
    return api("GET", f"/v1/allocations/{ident}")[1]


def test_a_node_of_the_class_is_given_to_it(api):
    available(api, "silver", "silver")
    node = available(api, "gold", traits=["CUSTOM_A"])
    uuid = allocate(api, traits=["CUSTOM_A"], name="mine")
    assert show(api, "mine")["node_uuid"] == node
    assert show(api, uuid)["state"] == "active"
    shown = api.node("gold")
    assert shown["instance_uuid"] == shown["allocation_uuid"] == uuid
    assert shown["instance_info"]["traits"] == ["CUSTOM_A"]
    assert api("GET", "/v1/nodes/gold/allocation")[1]["uuid"] == uuid


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"resource_class": "lead"}, "no available nodes match the resource class lead"),
        ({"traits": ["CUSTOM_B"]}, "no suitable nodes have the requested traits CUSTOM_B"),
        (
            {"candidate_nodes": ["other"]},
            "none of the requested nodes are available and match the resource class gold",
        ),
    ],
)
def test_the_reason_is_told_where_there_is_none(api, values, reason):
    available(api, traits=["CUSTOM_A"])
    available(api, "other", "silver")
    found = show(api, allocate(api, **values))
    assert (found["state"], found["node_uuid"]) == ("error", None)
    expected = f"Failed to process allocation {found['uuid']}: {reason}."
    assert found["last_error"] == expected


def test_nodes_are_given_once_in_the_order_they_were_enrolled_in(api):
    nodes = [available(api, name) for name in ("a", "b", "c")]
    named = show(api, allocate(api, name="c"))
    assert named["node_uuid"] == nodes[2]
    assert [show(api, allocate(api))["node_uuid"] for _ in nodes] == [*nodes[:2], None]


def test_it_takes_as_long_as_other_transitions():
    api = Api(delay=10)
    node = available(api)
    uuid = allocate(api)
    assert show(api, uuid)["state"] == "allocating"
    assert api.node()["allocation_uuid"] is None
    api.clock.advance(10)
    assert api.node()["allocation_uuid"] == uuid
    assert show(api, uuid)["node_uuid"] == node


def test_locked_nodes_are_tried_three_times():
    api = Api(delay=10)
    available(api)
    uuid = allocate(api)
    api.clock.advance(9)
    api("PUT", "/v1/nodes/n/states/power", {"target": "power on"})
    assert api.node()["reservation"]
    states = []
    for _ in range(4):
        states.append(show(api, uuid)["state"])
        api.clock.advance(1)
    assert states == ["allocating", "allocating", "allocating", "error"]
    assert "could not reserve any of 1 suitable nodes" in show(api, uuid)["last_error"]


def test_an_allocation_of_a_deployed_node_in_maintenance_can_be_removed(api):
    available(api)
    uuid = allocate(api)
    api.provision("active")
    api("PUT", "/v1/nodes/n/maintenance")
    assert api("DELETE", f"/v1/allocations/{uuid}") == (204, None)
    assert api.node()["instance_uuid"] is None


def test_a_locked_node_is_not_backfilled(api):
    available(api)
    api.provision("active")
    api.app.control.delays.set(default=60)
    api("PUT", "/v1/nodes/n/states/power", {"target": "power off"})
    assert api("POST", "/v1/allocations", {"node": "n", "name": "late"})[0] == 409
    found = api("GET", "/v1/allocations/late")[1]
    assert found["state"] == "error"
    assert found["last_error"].startswith("Unexpected exception during allocation: Node ")


def test_a_node_in_use_is_backfilled(api):
    node = available(api)
    api("PATCH", "/v1/nodes/n", [{"op": "add", "path": "/instance_uuid", "value": OTHER_UUID}])
    api("PUT", "/v1/nodes/n/states/provision", {"target": "active"})
    status, found = api("POST", "/v1/allocations", {"node": "n", "name": "late"})
    assert (status, found["state"], found["uuid"]) == (201, "active", OTHER_UUID)
    assert (found["node_uuid"], found["resource_class"]) == (node, "gold")
    status, message = api("POST", "/v1/allocations", {"node": "none"})
    assert (status, message) == (400, "Node none could not be found.")


def test_one_whose_uuid_is_none_is_taken_and_nothing_comes_of_it(api):
    available(api)
    allocate(api, uuid="text", name="odd")
    assert api("GET", "/v1/allocations/text") == (404, "Allocation text could not be found.")
    assert show(api, "odd")["state"] == "allocating"
    assert api.node()["instance_uuid"] is None
    refusal = (400, "Expected a UUID or int but received text.")
    patch = [{"op": "add", "path": "/extra/a", "value": 1}]
    assert api("PATCH", "/v1/allocations/odd", patch) == (400, "Expected UUID for uuid: text")
    assert api("DELETE", "/v1/allocations/odd") == refusal
    assert show(api, "odd")["state"] == "allocating"


def test_nor_can_a_node_be_backfilled_with_it(api):
    available(api)
    api.provision("active")
    body = {"resource_class": "gold", "uuid": "text", "node": "n"}
    refusal = (400, "Expected a UUID or int but received text.")
    assert api("POST", "/v1/allocations", body) == refusal
    assert api.node()["allocation_uuid"] is None
    [left] = api("GET", "/v1/allocations")[1]["allocations"]
    assert (left["uuid"], left["state"], left["last_error"]) == ("text", "allocating", None)


@pytest.mark.parametrize("values", [{}, {"traits": ["CUSTOM_A"]}, {"name": "n9"}])
def test_the_database_chooses_among_the_candidates(monkeypatch, values):
    def rows_read(number):
        api = Api()
        for index in range(number):
            available(api, f"n{index}", traits=["CUSTOM_A"])
        read = []
        fetch = Transaction.all
        with monkeypatch.context() as patch:
            patch.setattr(
                Transaction, "all", lambda *args: read.extend(rows := fetch(*args)) or rows
            )
            allocate(api, **values)
        return len(read)

    assert rows_read(12) == rows_read(10)


def test_a_locked_node_is_passed_over(api):
    available(api, "locked")
    free = available(api, "free")
    api.app.control.delays.set(transitions={"power": 60})
    assert api("PUT", "/v1/nodes/locked/states/power", {"target": "power on"})[0] == 202
    assert show(api, allocate(api))["node_uuid"] == free


def test_hundreds_of_allocations_come_due_at_once():
    api = Api(delay=1)
    node = available(api)
    for _ in range(300):
        allocate(api)
    api.clock.advance(1)
    status, body = api("GET", "/v1/allocations?fields=state,node_uuid")
    assert status == 200
    states = [allocation["state"] for allocation in body["allocations"]]
    assert (len(states), states.count("error")) == (300, 299)
    assert body["allocations"][0]["node_uuid"] == node


def test_an_allocation_without_an_owner_takes_the_node_of_a_project(api):
    available(api, owner=None)
    patch = [{"op": "add", "path": path, "value": "p"} for path in ("/owner", "/lessee")]
    assert api("PATCH", "/v1/nodes/n", patch)[0] == 200
    allocate(api, name="a")
    api.clock.advance(1)
    assert show(api, "a")["state"] == "active"
