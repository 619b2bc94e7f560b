"""The fixtures that the package brings to pytest."""

import pytest

LAB = {"nodes": [{"name": "node-1", "provision_state": "available"}]}


def test_each_test_has_a_server_of_its_own(baremetal_client):
    baremetal_client.node.create(driver="fake-hardware", name="node-1")
    assert [node.name for node in baremetal_client.node.list()] == ["node-1"]


def test_so_the_next_one_begins_anew(baremetal_client):
    assert baremetal_client.node.list() == []


@pytest.mark.baremetal_server(seed=LAB, clock="manual")
def test_a_deployment(baremetal_server, baremetal_client):
    baremetal_server.delays.set(transitions={"deploying": 600})
    baremetal_client.node.set_provision_state("node-1", "active")
    baremetal_server.clock.advance(599)
    assert baremetal_client.node.get("node-1").provision_state == "deploying"
    baremetal_server.clock.advance(1)
    assert baremetal_client.node.get("node-1").provision_state == "active"
    baremetal_server.requests.assert_asked("PUT", "/v1/nodes/*/states/provision", times=1)


@pytest.mark.baremetal_server(auth="keystone")
def test_with_keystone(baremetal_client):
    assert baremetal_client.driver.list()[0].name == "fake-hardware"
