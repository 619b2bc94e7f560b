"""How plans get around what Ironic refuses in a state of a node."""

from __future__ import annotations

from baremetalclient import declare
from baremetalclient.tests.listening import Seen
from baremetalclient.tests.unit.declare.conftest import Lab
from baremetalclient.tests.unit.declare.labs import (
    MAC,
    UUID,
    apply,
    apply_all,
    new,
    node,
    refused,
    steps,
)
from fake_server.clock import Clock
from fake_server.server import FakeServer
from fake_server.settings import Settings


def test_a_power_state_that_the_last_transition_keeps_is_not_waited_for():
    lab = Lab(FakeServer(Settings(delay=3600)))
    apply(lab, new())
    lab.client.node.set_power_state("n", "off")
    lab.server.clock.advance(3600)
    wanted = node(provision_state="manageable", power_state="power off")
    (result,) = declare.plan(lab.client, wanted).apply(wait=False, timeout=0.1)
    assert (result.result, result.error) == ("done", None)
    assert lab.client.node.get("n").provision_state == "verifying"


def test_the_last_transition_is_not_waited_for_without_wait():
    lab = Lab(FakeServer(Settings(delay=3600)))
    (result,) = declare.plan(lab.client, new(provision_state="manageable")).apply(wait=False)
    assert result.result == "done"
    assert lab.client.node.get("n").provision_state == "verifying"
    lab.writes()
    # It is on its way.
    (result,) = declare.plan(lab.client, node(provision_state="manageable")).apply(wait=False)
    assert (result.result, lab.writes()) == ("done", [])
    (result,) = declare.plan(lab.client, node(provision_state="manageable")).apply(timeout=0.01)
    assert result.result == "failed"
    assert "did not reach" in result.error
    assert lab.writes() == []


def test_a_failed_transition_is_told_with_its_reason(lab):
    (result,) = declare.plan(lab.client, node(driver="ipmi", provision_state="manageable")).apply()
    assert result.result == "failed"
    told = "It is in 'enroll', and not in 'manageable': Failed to validate power driver"
    assert told in result.error


def test_maintenance_of_others_stays(lab):
    apply(lab, new(provision_state="available", ports=[{"address": MAC}]))
    lab.client.node.set_maintenance("n", True, "mine")
    found = apply(lab, node(ports=[{"address": MAC, "pxe_enabled": False}], extra={"a": 1}))
    assert (found.maintenance, found.maintenance_reason) == (True, "mine")
    assert (
        "it is in maintenance: mine"
        in refused(lab, node(provision_state="active"))["node", "provision_state"]
    )


def test_what_belongs_to_a_node_is_done_though_its_fields_are_refused(lab):
    apply(lab, new())
    wanted = node(driver="no-such-driver", ports=[{"address": MAC}])
    results = declare.plan(lab.client, wanted).apply()
    assert [(one.kind, one.result) for one in results] == [("node", "failed"), ("port", "done")]


def test_vifs_are_a_whole_set_in_each_state():
    first, second = UUID, f"{UUID[:-1]}2"
    networks = {"provisioning_network": "provisioning", "cleaning_network": "cleaning"}
    lab = Lab(FakeServer(Settings(**networks)))
    ports = [{"id": first}, {"id": second}]
    network = {"name": "tenant", "subnets": [{"cidr": "10.0.0.0/24"}], "ports": ports}
    lab.server.seed({"networks": [network]})
    addresses = [{"address": MAC}, {"address": "52:54:00:00:00:02"}]
    base = {"network_interface": "flat", "ports": addresses}
    for state, vifs in (
        ("available", [first]),
        ("active", [first]),
        ("active", [second, first]),
        ("available", [second]),
        ("manageable", []),
    ):
        wanted = new(**base, provision_state=state, vifs=vifs)
        apply_all(lab, wanted)
        assert sorted(vif.id for vif in lab.client.node.vif_list("n")) == sorted(vifs)
        assert steps(lab, wanted) == []


def test_a_node_that_cannot_tell_its_vifs(lab):
    wanted = new(network_interface="flat", vifs=[UUID], ports=[{"address": MAC}])
    for _ in range(2):
        node_result, *_ = declare.plan(lab.client, wanted).apply()
        assert node_result.result == "failed"
        assert "cleaning_network is not set" in node_result.error


def test_power_takes_time():
    lab = Lab(FakeServer(Settings(delay=60), clock=Clock("manual")))
    states = []

    def tell(*state):
        states.append(state)
        lab.server.clock.advance(60)

    wanted = new(provision_state="manageable", power_state="power on")
    declare.plan(lab.client, wanted).apply(listener=Seen(tell))
    assert ("n", None, "power on") in states
    assert ("n", "power on", None) in states
    assert steps(lab, wanted) == []


def test_nothing_is_asked_for_twice_without_wait():
    lab = Lab(FakeServer(Settings(delay=3600)))
    wanted = new(power_state="power on")
    declare.plan(lab.client, wanted).apply(wait=False)
    assert lab.client.node.get("n").target_power_state == "power on"
    lab.writes()
    (result,) = declare.plan(lab.client, wanted).apply(wait=False)
    assert (result.result, lab.writes()) == ("done", [])
