"""How plans get around what Ironic refuses in a state of a node."""

from __future__ import annotations

import pytest

from baremetalclient import declare, exc
from baremetalclient.declare.transitions import Wait
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
    assert "It is in enroll, and not in manageable: Failed to validate power driver" in result.error


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

    def progress(*state):
        states.append(state[:3])
        lab.server.clock.advance(60)

    wanted = new(provision_state="manageable", power_state="power on")
    declare.plan(lab.client, wanted).apply(progress=progress)
    assert ("n", "unknown", "power on") in states
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


def found_in(state, **fields):
    return {"provision_state": state, "power_state": "power on", **fields}


@pytest.mark.parametrize(
    ("wanted", "found", "over"),
    [
        ("active", found_in("active"), True),
        ("active", found_in("deploying"), False),
        ("available", found_in("cleaning", retired=True), False),
        ("available", found_in("manageable", retired=True), True),
        (None, found_in("manageable"), True),
        (None, found_in("cleaning"), False),
    ],
)
def test_a_provision_state(wanted, found, over):
    assert Wait(wanted).over(found) is over


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("available", found_in("manageable")),
        ("active", found_in("manageable", retired=True)),
        ("active", found_in("deploy failed", last_error="No disk.")),
        ("active", found_in("available")),
    ],
)
def test_a_provision_state_that_is_not_reached(wanted, found):
    with pytest.raises(exc.StateTransitionFailed) as caught:
        Wait(wanted).over(found)
    reason = found.get("last_error")
    assert str(caught.value) == (
        f"It is in {found['provision_state']}, and not in {wanted}"
        + (f": {reason}" if reason else ".")
    )
    assert (caught.value.state, caught.value.reason) == (found["provision_state"], reason)


@pytest.mark.parametrize(
    ("wanted", "found", "over"),
    [
        ("power on", found_in("active"), True),
        ("power on", found_in("active", target_power_state="power on"), False),
        (None, found_in("active", target_power_state="power off"), False),
        ("power off", found_in("active", target_power_state="power off"), False),
    ],
)
def test_a_power_state(wanted, found, over):
    assert Wait(wanted, "power_state").over(found) is over


def test_a_power_state_that_nothing_is_done_about():
    wait = Wait("power off", "power_state")
    assert not any(wait.over(found_in("active")) for _ in range(4))
    with pytest.raises(exc.StateTransitionFailed, match="It is in power on, and not in power off"):
        wait.over(found_in("active"))
