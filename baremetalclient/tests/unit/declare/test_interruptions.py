"""Steps that interrupt machines or lose data: they are told, and taken only if that is allowed."""

from __future__ import annotations

import pytest

from baremetalclient import declare, exc
from baremetalclient.tests.listening import Seen
from baremetalclient.tests.unit.declare.conftest import Lab
from baremetalclient.tests.unit.declare.labs import MAC, TARGET, UUID, apply, new, node
from fake_server.clock import Clock
from fake_server.server import FakeServer
from fake_server.settings import Settings

RUNNING = {"provision_state": "active", "power_state": "power on"}
SETTINGS = {"bios": [{"name": "Boot", "value": "a"}], "power_state": "power off"}
RESCUED = {"provision_state": "rescue", "power_state": "power on"}


@pytest.mark.parametrize(
    ("before", "wanted", "told"),
    [
        (RUNNING, {"provision_state": "available"}, "tears down the instance"),
        (RUNNING, {"provision_state": "manageable"}, "tears down the instance"),
        ({"provision_state": "error"}, {"provision_state": "active"}, "writes the instance anew"),
        (RESCUED, {"provision_state": "active"}, "ends the rescue, and boots the instance again"),
        (RUNNING, {"power_state": "power off"}, "powers off a machine in use"),
        (
            {"provision_state": "manageable", **SETTINGS},
            {"provision_state": "manageable", "bios_settings": {"Boot": "b"}},
            "cleans the node, which can erase its disks",
        ),
        (
            {"driver_info": {"ipmi_password": "s3cret"}},
            {"driver_info": {"ipmi_password": None}},
            "empties secrets, which can't be read back",
        ),
    ],
)
def test_a_step_that_interrupts_is_only_taken_if_that_is_allowed(lab, before, wanted, told):
    lab.server.seed(new(**before))
    plan = declare.plan(lab.client, node(**wanted))
    (step,) = plan.steps
    assert (step.action, step.interrupts) == ("change", told)
    lab.writes()
    with pytest.raises(exc.ValidationError) as caught:
        plan.apply()
    assert f"node n ({told})" in str(caught.value)
    assert "allow_interruptions=True" in str(caught.value)
    assert lab.writes() == []
    plan.apply(allow_interruptions=True)
    assert lab.writes() != []


@pytest.mark.parametrize(
    ("before", "wanted"),
    [
        ({"provision_state": "available"}, {"power_state": "power on"}),
        ({"provision_state": "available", "power_state": "power on"}, {"power_state": "power off"}),
        ({"provision_state": "enroll"}, {"provision_state": "active"}),
        (RUNNING, {"extra": {"a": 1}, "provision_state": "active"}),
        (
            {"driver_info": {"ipmi_password": "s3cret"}},
            {"driver_info": {"ipmi_password": "other", "ipmi_address": None}},
        ),
    ],
)
def test_other_steps_need_no_permission(lab, before, wanted):
    lab.server.seed(new(**before))
    plan = declare.plan(lab.client, node(**wanted))
    assert [step.interrupts for step in plan.steps] in ([None], [])
    assert {one.result for one in plan.apply()} <= {"done"}


def test_to_detach_a_vif_of_a_running_machine_is_told():
    networks = {"provisioning_network": "provisioning", "cleaning_network": "cleaning"}
    lab = Lab(FakeServer(Settings(**networks)))
    lab.server.seed({"networks": [{"name": "tenant", "ports": [{"id": UUID}]}]})
    wanted = new(network_interface="flat", ports=[{"address": MAC}], vifs=[UUID])
    wanted["nodes"][0]["provision_state"] = "active"
    apply(lab, wanted)
    (step,) = declare.plan(lab.client, node(vifs=[])).steps
    assert step.interrupts == "detaches a network from a machine in use"


def test_to_empty_the_secret_of_a_volume_target_is_told(lab):
    secret = {**TARGET, "properties": {"auth_password": "s3cret"}}
    lab.server.seed(new(volume_targets=[secret], power_state="power off"))
    emptied = {**TARGET, "properties": {"auth_password": None}}
    (step,) = declare.plan(lab.client, node(volume_targets=[emptied])).steps
    assert (step.kind, step.interrupts) == (
        "volume target",
        "empties secrets, which can't be read back",
    )


def test_nothing_of_a_plan_is_done_if_one_of_its_steps_is_not_allowed(lab):
    lab.server.seed(new(**RUNNING))
    wanted = {"nodes": [*node(provision_state="available")["nodes"], {"name": "m", "driver": "d"}]}
    lab.writes()
    with pytest.raises(exc.ValidationError):
        declare.plan(lab.client, wanted).apply()
    assert lab.writes() == []


@pytest.mark.parametrize("state", ["available", "active"])
def test_a_file_need_not_care_whether_a_node_is_deployed(lab, state):
    lab.server.seed(new(provision_state=state, power_state="power on"))
    allowed = {"provision_state": ["available", "active"], "driver": "fake-hardware"}
    # The power is that of the first of the states.
    plan = declare.plan(lab.client, node(**allowed, power_state="power on", extra={"a": 1}))
    assert [list(step.fields) for step in plan.steps] == [["extra/a"]]
    off = declare.plan(lab.client, node(**allowed, power_state="power off"))
    assert len(off.steps) == (state == "available")


def test_a_node_that_is_in_none_of_the_states_gets_into_the_first(lab):
    wanted = new(provision_state=["manageable", "available"])
    assert {one.result for one in declare.plan(lab.client, wanted).apply()} == {"done"}
    assert lab.client.node.get("n").provision_state == "manageable"
    lab.client.node.set_provision_state("n", "provide")
    assert declare.plan(lab.client, wanted).steps == []


@pytest.mark.parametrize("state", [[], ["available", "cleaning"], [["active"]], {"active": 1}, 7])
def test_other_lists_of_states_are_refused(lab, state):
    with pytest.raises(exc.ValidationError, match=r"nodes\[0\].provision_state cannot be"):
        declare.plan(lab.client, new(provision_state=state))


def changed_since(lab, wanted, change):
    """Apply a plan after something was changed, and return the results and what was sent."""
    plan = declare.plan(lab.client, wanted)
    change(lab.client)
    lab.writes()
    results = plan.apply(allow_interruptions=True)
    return results, lab.writes()


def test_a_node_that_was_deployed_since_is_left_alone(lab):
    lab.server.seed(new(provision_state="available"))
    wanted = node(provision_state="manageable", extra={"a": 1}, ports=[{"address": MAC}])
    results, writes = changed_since(
        lab, wanted, lambda client: client.node.set_provision_state("n", "active")
    )
    assert writes == []
    assert [(one.kind, one.result) for one in results] == [("node", "skipped"), ("port", "skipped")]
    for one in results:
        assert "provision_state was 'available' and is 'active'" in one.error


def test_a_value_that_was_changed_since_is_left_alone(lab):
    lab.server.seed(new(extra={"a": 1}, ports=[{"address": MAC, "extra": {"b": 1}}]))
    wanted = node(extra={"a": 2}, ports=[{"address": MAC, "extra": {"b": 2}}])

    def change(client):
        client.node.update("n", [{"op": "replace", "path": "/extra/a", "value": 7}])
        (port,) = client.port.list()
        client.port.update(port.uuid, [{"op": "replace", "path": "/extra/b", "value": 7}])

    results, writes = changed_since(lab, wanted, change)
    assert writes == []
    assert [one.result for one in results] == ["skipped", "skipped"]
    assert "extra/a was 1 and is 7" in results[0].error


def test_other_values_may_change(lab):
    lab.server.seed(new(extra={"a": 1}))
    (result,), writes = changed_since(
        lab,
        node(extra={"a": 2}),
        lambda client: client.node.update("n", [{"op": "add", "path": "/extra/c", "value": 7}]),
    )
    assert (result.result, len(writes)) == ("done", 1)


def test_what_was_attached_since_is_not_pruned(lab):
    lab.server.seed(new(ports=[{"address": MAC}], provision_state="available"))
    plan = declare.plan(lab.client, node(ports=[]), prune="name=n")
    (port,) = lab.client.port.list()
    lab.client.port.update(port.uuid, [{"op": "add", "path": "/extra/used", "value": True}])
    (result,) = plan.apply(allow_interruptions=True)
    assert result.result == "skipped"
    assert len(lab.client.port.list()) == 1


def test_a_node_that_was_deployed_since_is_not_pruned(lab):
    lab.server.seed(new(provision_state="available"))
    plan = declare.plan(lab.client, {"nodes": []}, prune="name=n")
    lab.client.node.set_provision_state("n", "active")
    (result,) = plan.apply(allow_interruptions=True)
    assert result.result == "skipped"
    assert lab.client.node.get("n").provision_state == "active"


def test_a_node_is_compared_once(lab):
    """Applying sends what the plan has found, though the files are read again by nobody."""
    lab.server.seed(new(extra={"a": 1}))
    plan = declare.plan(lab.client, node(extra={"a": 2}))
    lab.server.requests.clear()
    plan.apply()
    sent = [one for one in lab.server.requests.find() if one.path != "/"]
    assert [one.method for one in sent] == ["GET", "PATCH"]


def test_a_node_that_changes_meanwhile_is_left_alone(lab):
    lab.server.seed(new())
    plan = declare.plan(lab.client, node(provision_state="available"))
    lab.writes()

    def tell(name, state, target):
        if state == "manageable":
            lab.client.node.set_maintenance("n", True)

    (result,) = plan.apply(listener=Seen(tell))
    assert result.result == "failed"
    assert result.error.startswith("Not all of it was done. It has changed since")
    assert "maintenance was False and is True" in result.error
    assert lab.client.node.get("n").provision_state == "manageable"
    assert [path.rpartition("/")[2] for _, path in lab.writes()] == ["provision", "maintenance"]


def test_a_node_that_has_arrived_meanwhile_has_not_changed():
    lab = Lab(FakeServer(Settings(delay=60), clock=Clock("manual")))
    lab.server.seed(new())
    lab.client.node.set_provision_state("n", "manage")
    assert lab.client.node.get("n").provision_state == "verifying"
    plan = declare.plan(lab.client, node(provision_state="manageable", extra={"a": 1}))
    lab.server.clock.advance(60)
    (result,) = plan.apply()
    assert (result.result, result.error) == ("done", None)


def test_a_plan_is_carried_out_once(lab):
    lab.server.seed(new())
    plan = declare.plan(lab.client, node(extra={"a": 1}))
    assert [one.result for one in plan.apply()] == ["done"]
    lab.writes()
    (again,) = plan.apply()
    assert (again.result, lab.writes()) == ("skipped", [])
