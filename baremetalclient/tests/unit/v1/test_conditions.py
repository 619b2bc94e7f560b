"""Waiting until conditions hold for nodes."""

from __future__ import annotations

import pytest

from baremetalclient import client as clients
from baremetalclient import exc
from baremetalclient.tests.unit.scripted import Reply, offering
from fake_server.server import FakeServer

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
