"""The rules of ``node explain``, each with a node that it is about."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from baremetalclient.tests import declared
from baremetalclient.tests.functional.explained import (
    EVENT,
    GROUP,
    IQN,
    ISCSI,
    MAC,
    Lab,
)
from baremetalclient.v1 import objects
from baremetalclient.v1.explain.rules import RULES
from fake_server.server import FakeServer
from fake_server.settings import Settings

CASES = {
    "reserved": ({"reservation": "localhost"}, "warning", None, None),
    "fault": (
        {"fault": "power failure", "maintenance": True, "maintenance_reason": "No BMC"},
        "error",
        "No BMC",
        "baremetal node maintenance unset n",
    ),
    "maintenance": (
        {"maintenance": True, "maintenance_reason": "Moved"},
        "warning",
        "Moved",
        "baremetal node maintenance unset n",
    ),
    "stuck": ({"provision_state": "cleaning"}, "error", None, "baremetal node manage n"),
    "last-error": (
        {"provision_state": "clean failed", "last_error": "Disk on fire"},
        "error",
        "Disk on fire",
        "baremetal node manage n",
    ),
    "failed-state": (
        {"provision_state": "deploy failed"},
        "error",
        None,
        "baremetal node undeploy n",
    ),
    "power-off-active": (
        {"provision_state": "active", "power_state": "power off"},
        "warning",
        None,
        "baremetal node power on n",
    ),
    "no-ports": ({"ports": []}, "warning", None, "baremetal port create --node UUID MAC"),
    "no-boot-port": (
        {"provision_state": "manageable", "ports": [{"address": MAC, "pxe_enabled": False}]},
        "warning",
        None,
        "baremetal port set PORT --pxe-enabled",
    ),
    "port-without-switch": (
        {"network_interface": "neutron"},
        "warning",
        None,
        "baremetal port set PORT --local-link-connection switch_id=MAC "
        "--local-link-connection port_id=PORT",
    ),
    "vif-without-port": (
        {
            "network_interface": "flat",
            "ports": [
                {
                    "address": MAC,
                    "portgroup": "bond",
                    "internal_info": {"tenant_vif_port_id": "vif-1"},
                }
            ],
            "portgroups": [{"name": "bond", "uuid": GROUP, "standalone_ports_supported": False}],
        },
        "warning",
        None,
        "baremetal port create --node UUID MAC",
    ),
    "connector-unmatched": (
        {"volume_connectors": [{"type": "wwpn", "connector_id": "1"}], "volume_targets": [ISCSI]},
        "warning",
        None,
        "baremetal volume connector create --node UUID --type iqn --connector-id IQN",
    ),
    "trait-missing": (
        {"traits": ["CUSTOM_A"], "instance_info": {"traits": ["CUSTOM_A", "CUSTOM_B"]}},
        "warning",
        None,
        "baremetal node trait add n CUSTOM_B",
    ),
    "no-resource-class": (
        {"resource_class": None},
        "warning",
        None,
        "baremetal node set n --resource-class CLASS",
    ),
    "health": ({"health": "Critical"}, "error", "Critical", None),
    "on-hold": (
        {"provision_state": "service hold"},
        "warning",
        None,
        "baremetal node unhold n",
    ),
    "retired": ({"retired": True, "retired_reason": "Old"}, "info", "Old", None),
    "protected": (
        {"provision_state": "active", "protected": True, "protected_reason": "Mine"},
        "info",
        "Mine",
        None,
    ),
    "next-step": ({"provision_state": "enroll"}, "info", None, "baremetal node manage n"),
    "history": (
        {"provision_state": "clean failed", "last_error": "Now", "history": [EVENT]},
        "info",
        "Earlier",
        None,
    ),
    "validation": (
        {"driver": "ipmi", "driver_info": {"ipmi_username": "u"}},
        "error",
        "ipmi_address",
        "baremetal node set n --driver-info ipmi_address=VALUE",
    ),
}
"""What a node is like, and the severity, a part of the quote, and the command of the finding."""


@pytest.fixture(scope="module")
def own_lab():
    settings = Settings(interfaces={"network": ("noop", "flat", "neutron")})
    with FakeServer(settings) as server:
        yield Lab(server)


@pytest.fixture
def lab(own_lab):
    own_lab.server.reset()
    return own_lab


def test_a_node_without_problems(lab):
    lab.add()
    assert lab.explain() == {
        "name": "n",
        "uuid": lab.client.node.get("n").uuid,
        "provision_state": "available",
        "findings": [],
        "verbs": ["deploy", "manage"],
        "next": None,
    }


@pytest.mark.parametrize("rule", sorted(CASES))
def test_each_rule_finds_its_problem(lab, rule):
    fields, severity, quote, command = CASES[rule]
    lab.add(**fields)
    found = lab.finding(rule)
    declared.check_object(found, objects.Finding)
    assert found["severity"] == severity
    assert (found["quote"] is None) == (quote is None)
    assert (quote or "") in (found["quote"] or "")
    if command and "UUID" in command:
        command = command.replace("UUID", lab.client.node.get("n").uuid)
    if command and "port set PORT" in command:
        port = lab.client.port.list(limit=0)[0].uuid
        command = command.replace("set PORT", f"set {port}")
    assert found["command"] == command


def test_each_rule_has_a_test():
    elsewhere = {"conductor-down", "microversion", "incomplete"}
    assert {rule.name for rule in RULES} == {*CASES, *elsewhere}


def test_a_failure_that_may_come_again_is_told(lab):
    done = {**EVENT, "severity": "INFO", "created_at": "2026-01-02T00:00:00+00:00"}
    lab.add(provision_state="manageable", history=[EVENT])
    assert lab.finding("history")["quote"] == "Earlier"
    lab.add(name="m", provision_state="manageable", history=[EVENT, done], ports=[])
    assert "history" not in [one["rule"] for one in lab.explain("m")["findings"]]


def test_maintenance_is_not_left_twice(lab):
    lab.add(fault="power failure")
    assert (lab.finding("fault")["command"], lab.explain()["next"]) == (None, None)


def test_what_each_interface_lacks_is_told_once(lab):
    lab.add(driver="ipmi", ports=[])
    found = [one for one in lab.explain()["findings"] if one["severity"] != "info"]
    assert [one["rule"] for one in found] == ["validation", "no-ports"]
    assert "console, management and power interfaces" in found[0]["text"]
    assert "does not have any port" in found[1]["quote"]


def test_what_to_deploy_is_said_late(lab):
    info = {"ipmi_address": "h", "deploy_kernel": "http://k", "deploy_ramdisk": "http://r"}
    lab.add(driver="ipmi", driver_info=info)
    found = next(one for one in lab.explain()["findings"] if "image_source" in (one["quote"] or ""))
    assert (found["rule"], found["severity"]) == ("validation", "info")
    assert found["command"] == "baremetal node set n --instance-info image_source=VALUE"


def test_all_ports_have_a_vif(lab):
    lab.add(ports=[{"address": MAC, "internal_info": {"tenant_vif_port_id": "vif-1"}}])
    assert lab.finding("vif-without-port")["severity"] == "info"


def test_connectors_wait_for_a_volume(lab):
    lab.add(volume_connectors=[IQN])
    found = lab.finding("connector-unmatched")
    assert (found["severity"], found["command"]) == ("info", "baremetal volume attach n VOLUME")


def test_connectors_that_fit_are_no_problem(lab):
    lab.add(volume_connectors=[IQN], volume_targets=[ISCSI])
    assert lab.explain()["findings"] == []


def test_each_rule_is_in_the_guide():
    guide = Path(__file__).parents[3] / "doc" / "source" / "how-to" / "explain.rst"
    listed = re.findall(r"^``([a-z-]+)`` ", guide.read_text(), re.MULTILINE)
    assert listed == [rule.name for rule in RULES]


def test_no_conductor_is_alive(lab):
    lab.add(maintenance=True)
    lab.server.conductors.change("localhost", {"alive": False})
    found = lab.explain()
    assert (found["verbs"], found["next"]) == ([], None)
    first = found["findings"][0]
    assert (first["rule"], first["severity"]) == ("conductor-down", "error")
    assert "localhost" in first["text"]
    assert lab.run(first["command"]) == 0


def test_no_conductor_is_alive_and_the_version_does_not_tell(lab):
    lab.add()
    lab.server.conductors.change("localhost", {"alive": False})
    found = lab.client.node.explain("n", os_ironic_api_version="1.40")
    assert (found["findings"][0]["rule"], found["verbs"]) == ("conductor-down", [])
    assert "unavailable" in found["findings"][0]["quote"]


def test_the_conductor_that_locked_the_node_is_down():
    from fake_server.baremetal.conductor_hosts import parse

    settings = Settings(conductors=(parse("a"), parse("b")))
    with FakeServer(settings) as server:
        lab = Lab(server)
        lab.add(reservation="a", provision_state="deploying")
        server.conductors.change("a", {"alive": False})
        found = lab.finding("reserved")
        assert (found["severity"], found["command"]) == ("error", "baremetal conductor show a")


def test_a_locked_node_has_no_next_command(lab):
    lab.add(reservation="nobody", maintenance=True)
    found = lab.explain()
    assert (found["verbs"], found["next"]) == ([], None)
    assert lab.finding("reserved")["severity"] == "error"


def test_the_age_of_a_lock_is_that_of_the_server(lab):
    lab.server.clock.switch("manual")
    lab.add(reservation="localhost")
    lab.server.clock.advance(7200)
    assert "at least 2 hours" in lab.finding("reserved")["text"]


def test_a_node_waits_for_its_ramdisk_for_too_long():
    with FakeServer(Settings(periodic={"all": 0, "clean_callback_timeout": 0})) as server:
        lab = Lab(server)
        server.clock.switch("manual")
        lab.add(provision_state="clean wait")
        assert lab.explain()["findings"] == []
        server.clock.advance(1800)
        assert lab.finding("stuck")["command"] == "baremetal node abort n"
        assert lab.explain()["next"] == "baremetal node abort n"


def test_work_in_progress_is_no_problem(lab):
    lab.server.clock.switch("manual")
    lab.server.delays.set(default=60)
    lab.add(provision_state="enroll")
    lab.client.node.set_provision_state("n", "manage")
    found = lab.explain()
    assert [(one["rule"], one["severity"]) for one in found["findings"]] == [("reserved", "info")]
    lab.server.clock.advance(30)
    lab.server.delays.set(default=0)
