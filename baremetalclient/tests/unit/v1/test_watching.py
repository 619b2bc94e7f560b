"""Watching nodes, and waiting until conditions hold for them."""

from __future__ import annotations

from itertools import islice

import pytest

from baremetalclient import client as clients
from baremetalclient import exc
from baremetalclient.tests.unit.scripted import Reply, offering
from fake_server.server import FakeServer

LAB = {
    "nodes": [
        {"name": "n-{index}", "count": 5, "resource_class": "gold"},
        {"name": "other", "resource_class": "silver", "provision_state": "available"},
    ]
}


@pytest.fixture
def server():
    with FakeServer(seed=LAB) as server:
        yield server


@pytest.fixture
def client(server):
    return clients.get_client(1, endpoint=server.url)


def take(events, count):
    return [(one["event"], one["name"], one["fields"]) for one in islice(events, count)]


def names(found):
    return [(event, name) for event, name, _ in found]


def test_each_node_is_there_first_with_all_that_is_watched(client):
    event = next(client.node.watch(timeout=20))
    assert list(event) == ["at", "name", "uuid", "event", "fields"]
    assert event["at"].endswith("+00:00")
    assert event["event"] == "present"
    assert event["fields"] == {
        "provision_state": {"old": None, "new": "enroll"},
        "target_provision_state": {"old": None, "new": None},
        "power_state": {"old": None, "new": None},
        "maintenance": {"old": None, "new": False},
        "fault": {"old": None, "new": None},
        "last_error": {"old": None, "new": None},
        "instance_uuid": {"old": None, "new": None},
        "reservation": {"old": None, "new": None},
    }


@pytest.mark.parametrize("idents", [["n-1"], ["n-1", "n-0", "n-2", "n-4"]])
def test_some_nodes(client, idents):
    events = client.node.watch(idents, timeout=20)
    assert names(take(events, len(idents))) == [("present", name) for name in sorted(idents)]
    client.node.set_maintenance("n-3", True)
    client.node.set_maintenance("n-1", True)
    assert names(take(events, 1)) == [("changed", "n-1")]
    client.node.delete("n-1")
    assert names(take(events, 1)) == [("removed", "n-1")]


def test_a_selection_keeps_nodes_whose_state_changes_and_gets_new_ones(client):
    events = client.node.watch(select="resource-class=gold,state=enroll", timeout=20)
    assert names(take(events, 5)) == [("present", f"n-{n}") for n in range(5)]
    client.node.set_provision_state("n-2", "manage")
    (changed,) = take(events, 1)
    assert changed[:2] == ("changed", "n-2")
    assert changed[2]["provision_state"]["old"] == "enroll"
    client.node.create(driver="fake-hardware", name="n-7", resource_class="gold")
    assert ("added", "n-7") in ((one["event"], one["name"]) for one in events)


def test_the_server_is_asked_for_what_does_not_change(scripted):
    client, server = scripted(Reply({"nodes": []}))
    select = ["resource-class=gold,state=enroll", "resource-class=gold,maintenance"]
    assert list(client.node.watch(select=select, timeout=0.01)) == []
    query = server.requests[0].query
    assert query["resource_class"] == "gold"
    assert not {"provision_state", "maintenance", "associated"} & query.keys()


def test_an_older_version_lacks_the_fields(scripted):
    node = {"uuid": "u", "name": "n", "provision_state": "enroll"}
    client, server = scripted(Reply({"nodes": [node]}), versions=offering("1.41"))
    event = next(client.node.watch(timeout=20))
    assert event["fields"]["fault"] == {"old": None, "new": None}
    assert "fault" not in server.requests[0].query["fields"].split(",")


def test_what_cannot_be_watched(client):
    with pytest.raises(exc.NotFound, match="'ghost'"):
        next(client.node.watch(["n-1", "ghost"], timeout=20))
    for arguments in ({"select": "stat=x"}, {"nodes": "n-1", "select": "state=x"}):
        with pytest.raises(exc.ValidationError):
            client.node.watch(**arguments)


NAMES = [f"n-{number}" for number in range(5)]


def node(name="n-0", state="active", **fields):
    return {"uuid": f"uuid-of-{name}", "name": name, "provision_state": state, **fields}


def listed(*states):
    return Reply({"nodes": [node(*found) for found in zip(NAMES, states, strict=False)]})


def outcomes(results):
    return [(one.name, one.result, one.state) for one in results]


def test_many_nodes_are_polled_with_one_list(scripted):
    first, second = ["active", *["deploying"] * 4], ["deploying", *["active"] * 4]
    client, server = scripted(listed(*first), listed(*second))
    results = client.node.wait_for(NAMES[::-1], "provision_state=active")
    assert outcomes(results) == [(name, "done", "active") for name in NAMES[::-1]]
    assert [request.path for request in server.requests] == ["/v1/nodes"] * 2
    assert server.requests[0].query["include_children"] == "True"


def test_an_older_server_is_not_asked_for_children(scripted):
    client, server = scripted(listed(*["active"] * 5), versions=offering("1.82"))
    client.node.wait_for(NAMES, "provision_state=active")
    assert "include_children" not in server.requests[0].query


@pytest.mark.parametrize("names", [NAMES, NAMES[:1]])
def test_a_field_that_the_version_lacks_is_an_error(scripted, names):
    client, _ = scripted(Reply(node()), versions=offering("1.41"))
    client.node.get("n-0")
    with pytest.raises(exc.UnsupportedVersion, match="'fault'"):
        client.node.wait_for(names, "fault=power failure", timeout=5)


@pytest.mark.parametrize("field", ["conductor", "updated_at", "chassis_uuid"])
def test_a_field_that_lists_cannot_be_asked_for_comes_from_a_detailed_one(field):
    seed = {"nodes": [{"name": name} for name in NAMES]}
    with FakeServer(seed=seed) as server:
        client = clients.get_client(1, endpoint=server.url)
        for names in (NAMES, NAMES[:1]):
            results = client.node.wait_for(names, f"{field}= or {field}!=", timeout=30)
            assert [one.result for one in results] == ["done"] * len(names)
