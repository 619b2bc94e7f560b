"""How plans get around what Ironic refuses in a state of a node."""

from __future__ import annotations

import pytest

from baremetalclient import declare
from baremetalclient.declare.temporary import POWERED_ON, REASON
from baremetalclient.tests.unit.declare.conftest import Lab
from baremetalclient.tests.unit.declare.labs import (
    MAC,
    TARGET,
    UUID,
    apply,
    apply_all,
    change,
    new,
    node,
    refused,
    steps,
)
from fake_server.clock import Clock
from fake_server.server import FakeServer
from fake_server.settings import Settings


@pytest.mark.parametrize("state", ["enroll", "manageable", "available", "active"])
@pytest.mark.parametrize("before", ["manageable", "available", "active"])
def test_provision_states(lab, before, state):
    apply(lab, new(provision_state=before))
    if state == "enroll":
        reasons = refused(lab, node(provision_state=state))
        assert "Ironic has no way back to enroll" in reasons["node", "provision_state"]
    else:
        assert apply(lab, node(provision_state=state)).provision_state == state


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


@pytest.mark.parametrize("state", ["available", "active"])
def test_ports_are_connected_in_maintenance(lab, state):
    apply(lab, new(provision_state=state, ports=[{"address": MAC}]))
    lab.writes()
    apply(lab, node(ports=[{"address": MAC, "pxe_enabled": False}]))
    found = lab.client.node.get("n")
    assert (found.maintenance, found.maintenance_reason) == (False, None)
    (path,) = {path for _, path in lab.writes() if "maintenance" in path}
    assert path == f"/v1/nodes/{found.uuid}/maintenance"


def test_maintenance_of_others_stays(lab):
    apply(lab, new(provision_state="available", ports=[{"address": MAC}]))
    lab.client.node.set_maintenance("n", True, "mine")
    found = apply(lab, node(ports=[{"address": MAC, "pxe_enabled": False}], extra={"a": 1}))
    assert (found.maintenance, found.maintenance_reason) == (True, "mine")
    assert (
        "it is in maintenance: mine"
        in refused(lab, node(provision_state="active"))["node", "provision_state"]
    )


def test_a_node_in_maintenance_is_deployed_and_maintained_again(lab):
    wanted = new(maintenance=True, maintenance_reason="why", provision_state="available")
    apply(lab, wanted)
    wanted["nodes"][0]["provision_state"] = "active"
    found = apply(lab, wanted)
    assert (found.provision_state, found.maintenance_reason) == ("active", "why")


@pytest.mark.parametrize("owned", [{}, {"power_state": "power on"}])
def test_volumes_change_while_the_power_is_off(lab, owned):
    apply(lab, new(provision_state="available", power_state="power on", volume_targets=[TARGET]))
    wanted = node(volume_targets=[{**TARGET, "volume_id": "w"}], **owned)
    found = apply(lab, wanted)
    assert (found.power_state, found.maintenance) == ("power on", False)
    assert steps(lab, wanted) == []


def test_power_that_a_broken_off_plan_left_off_is_put_back(lab):
    apply(lab, new(power_state="power off"))
    lab.client.node.set_maintenance("n", True, POWERED_ON)
    assert steps(lab, node()) == [
        (
            "node",
            "n",
            "change",
            {"maintenance": change(True, False), "power_state": change("power off", "power on")},
        )
    ]
    assert apply(lab, node()).power_state == "power on"


def test_power_that_a_broken_off_plan_found_off_stays_so(lab):
    apply(lab, new(power_state="power off"))
    lab.client.node.set_maintenance("n", True, REASON)
    assert steps(lab, node()) == [("node", "n", "change", {"maintenance": change(True, False)})]
    assert apply(lab, node()).power_state == "power off"


def test_what_an_active_node_does_not_let_be_changed(lab):
    apply(lab, new(provision_state="active", resource_class="gold", volume_targets=[TARGET]))
    target = {**TARGET, "volume_id": "w"}
    wanted = node(resource_class="silver", volume_targets=[target], extra={"a": 1})
    assert set(refused(lab, wanted)) == {
        ("node", "resource_class"),
        ("volume target", "volume_id"),
    }
    results = {one.action: one.result for one in declare.plan(lab.client, wanted).apply()}
    assert results == {"change": "done", "refused": "skipped"}
    # It can once the instance is gone.
    wanted["nodes"][0]["provision_state"] = "manageable"
    assert refused(lab, wanted) == {}
    assert apply(lab, wanted).resource_class == "silver"


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"protected": True, "provision_state": "available"}, "protected"),
        ({"retired": True, "provision_state": "available"}, "provision_state"),
        ({"maintenance_reason": "why"}, "maintenance_reason"),
        ({"vifs": ["v"], "network_interface": "noop"}, "vifs"),
        ({"bios_settings": {"a": "b"}}, "bios_settings/a"),
    ],
)
def test_what_ironic_would_refuse_is_refused_with_the_reason(lab, fields, name):
    reasons = refused(lab, new(**fields))
    assert any(key == ("node", name) for key in reasons), reasons


def test_protected_nodes_are_not_torn_down(lab):
    apply(lab, new(provision_state="active", protected=True, protected_reason="why"))
    reasons = refused(lab, node(provision_state="available"))
    assert "it is protected: why" in reasons["node", "provision_state"]
    assert apply(lab, node(provision_state="available", protected=False)).protected is False


def test_bios_settings_are_applied_by_cleaning(lab):
    lab.server.seed(
        {
            "nodes": [
                {
                    "name": "n",
                    "provision_state": "available",
                    "power_state": "power off",
                    "bios": [{"name": "Boot", "value": "a"}, {"name": "Other", "value": "x"}],
                }
            ]
        }
    )
    wanted = node(provision_state="available", bios_settings={"Boot": "b"})
    assert steps(lab, wanted) == [("node", "n", "change", {"bios_settings/Boot": change("a", "b")})]
    found = apply(lab, wanted)
    assert found.provision_state == "available"
    assert ("PUT", f"/v1/nodes/{found.uuid}/states/provision") in lab.writes()


def test_interfaces_are_those_of_the_new_driver(lab):
    apply(lab, new(boot_interface="fake"))
    found = apply(lab, node(driver="ipmi"))
    assert (found.driver, found.boot_interface != "fake") == ("ipmi", True)


def test_retired_is_refused_in_available(lab):
    apply(lab, new(provision_state="available"))
    assert list(refused(lab, node(retired=True))) == [("node", "retired")]
    assert apply(lab, node(retired=True, provision_state="manageable")).retired is True


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


def test_a_retired_node_becomes_manageable(lab):
    apply(lab, new(provision_state="active", retired=True))
    reason = refused(lab, node(provision_state="available"))["node", "provision_state"]
    assert "it is retired" in reason
    assert apply(lab, node(provision_state="manageable")).retired is True
    assert apply(lab, node(provision_state="available", retired=False)).retired is False
