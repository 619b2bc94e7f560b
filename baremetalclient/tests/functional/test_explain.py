"""``client.node.explain()`` and ``baremetal node explain``."""

from __future__ import annotations

import itertools
import json
import logging
import re
import shlex
import sys
import time
from pathlib import Path

import pytest
import requests

from baremetalclient import client as clients
from baremetalclient import exc, shell
from baremetalclient.tests import declared
from baremetalclient.tests.functional.cli import Cli
from baremetalclient.v1 import objects
from baremetalclient.v1.explain.rules import RULES
from baremetalclient.v1.explain.states import MEANINGS
from baremetalclient.v1.explain.verbs import VERBS
from fake_server.server import FakeServer
from fake_server.settings import Settings

MAC = "52:54:00:00:00:01"
OTHER_MAC = "52:54:00:00:00:02"
GROUP = "00000000-0000-4000-8000-000000000001"
HEALTHY = {
    "name": "n",
    "driver": "fake-hardware",
    "provision_state": "available",
    "resource_class": "gold",
    "ports": [{"address": MAC}],
}
ISCSI = {"volume_type": "iscsi", "volume_id": "v", "boot_index": 0}
IQN = {"type": "iqn", "connector_id": "iqn.2026-01.com.example:n"}
EVENT = {"severity": "ERROR", "event": "Earlier", "created_at": "2026-01-01T00:00:00+00:00"}

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


class Lab:
    """A fake server of one test, and a client for it."""

    def __init__(self, server: FakeServer) -> None:
        self.server = server
        self.client = clients.get_client(1, endpoint=server.url, retry_interval=0)

    def add(self, **fields):
        self.server.seed({"nodes": [{**HEALTHY, **fields}]})

    def explain(self, name="n"):
        return self.client.node.explain(name)

    def finding(self, rule):
        return next(found for found in self.explain()["findings"] if found["rule"] == rule)

    def run(self, command):
        """Run a command as a shell would, and return its exit code."""
        words = shlex.split(command)
        assert words.pop(0) == "baremetal"
        root = logging.getLogger()
        handlers, level = root.handlers[:], root.level
        try:
            return shell.main(["--os-endpoint", self.server.url, *words])
        finally:
            root.handlers[:] = handlers
            root.setLevel(level)


@pytest.fixture
def lab():
    settings = Settings(interfaces={"network": ("noop", "flat", "neutron")})
    with FakeServer(settings) as server:
        yield Lab(server)


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
    guide = Path(__file__).parents[3] / "doc" / "source" / "guides" / "explain.rst"
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


@pytest.mark.parametrize("version", ["1.1", "1.20", "1.31", "1.77", "1.90"])
def test_what_the_version_lacks_is_told(lab, version):
    lab.add(provision_state="enroll", resource_class=None, ports=[])
    uuid = lab.client.node.get("n").uuid
    found = lab.client.node.explain(uuid, os_ironic_api_version=version)
    (lacking,) = [one for one in found["findings"] if one["rule"] == "microversion"]
    assert version in lacking["text"]
    assert "the field 'health' (since 1.109)" in lacking["text"]
    assert ("the history of nodes (since 1.78)" in lacking["text"]) == (version != "1.90")
    expected = f"baremetal --os-baremetal-api-version latest node explain {uuid}"
    assert lacking["command"] == expected.replace(uuid, "n" if version > "1.2" else uuid)
    assert lab.run(lacking["command"]) == 0
    rules = [one["rule"] for one in found["findings"]]
    assert "no-ports" in rules
    assert ("no-resource-class" in rules) == (version > "1.21")


def test_what_a_user_may_not_see_is_left_out(lab):
    lab.add()
    lab.server.faults.add({"path": "/v1/conductors*"}, {"status": 403})
    found = lab.finding("incomplete")
    assert "conductors" in found["text"]


def test_the_lost_connection_is_an_error(lab):
    lab.add()
    lab.server.stop()
    with pytest.raises(exc.ConnectionError):
        lab.explain()


def test_few_requests(lab):
    lab.add()
    lab.server.requests.clear()
    lab.explain()
    assert len(lab.server.requests.find()) <= 9


@pytest.mark.parametrize("name", ["Rack1", "n~1", "MAC"])
def test_unusual_names_are_not_in_commands(lab, name):
    lab.add(name=name, provision_state="enroll")
    found = lab.explain(name)
    assert found["name"] == name
    assert found["next"] == f"baremetal node manage {found['uuid']}"


VERBS_OF_API = {"deploy": "active", "undeploy": "deleted"}
STEPS = [{"interface": "deploy", "step": "erase_devices", "args": {}}]
ARGUMENTS = {
    "clean": {"clean_steps": STEPS},
    "service": {"service_steps": STEPS},
    "rescue": {"rescue_password": "secret"},
}


@pytest.mark.parametrize("flag", [None, "maintenance", "protected", "retired"])
def test_the_verbs_are_those_that_the_server_accepts(flag):
    """The table of the client, against the requests themselves."""
    states = sorted(VERBS)
    verbs = sorted(set(itertools.chain(*VERBS.values())))
    flags = {flag: True} if flag else {}
    nodes = [
        {
            "name": f"{state.replace(' ', '-')}.{verb}",
            "driver": "fake-hardware",
            "provision_state": state,
            "instance_info": {"image_source": "http://image", "image_checksum": "1"},
            **flags,
        }
        for state in states
        for verb in verbs
    ]
    headers = {"X-OpenStack-Ironic-API-Version": "latest"}
    with FakeServer(seed={"nodes": nodes}) as server, requests.Session() as session:
        lab = Lab(server)
        for state in states:
            name = state.replace(" ", "-")
            accepted = {
                verb
                for verb in verbs
                if session.put(
                    f"{server.url}/v1/nodes/{name}.{verb}/states/provision",
                    json={"target": VERBS_OF_API.get(verb, verb), **ARGUMENTS.get(verb, {})},
                    headers=headers,
                    timeout=5,
                ).ok
            }
            server.seed({"nodes": [{**nodes[0], "name": name, "provision_state": state}]})
            assert set(lab.explain(name)["verbs"]) == accepted, state


def situations():
    """Return nodes in all states, with all that stops them."""
    troubles = {
        "plain": {},
        "maintenance": {"maintenance": True},
        "fault": {"maintenance": True, "fault": "clean failure"},
        "error": {"last_error": "Broken"},
        "protected": {"protected": True},
        "retired": {"retired": True},
        "reserved": {"reservation": "localhost", "maintenance": True},
        "off": {"power_state": "power off"},
        "boot": {"ports": [{"address": MAC, "pxe_enabled": False}]},
        "invalid": {"driver": "ipmi"},
        "fault alone": {"fault": "power failure"},
        "no network": {
            "network_interface": "flat",
            "ports": [{"address": MAC, "pxe_enabled": False}],
        },
    }
    for (number, state), (name, fields) in itertools.product(enumerate(VERBS), troubles.items()):
        yield pytest.param({"provision_state": state, **fields}, id=f"{number}-{state}-{name}")


@pytest.fixture(scope="module")
def shared_lab():
    with FakeServer(Settings(interfaces={"network": ("noop", "flat")})) as server:
        yield Lab(server)


@pytest.mark.parametrize("fields", list(situations()))
def test_the_next_command_is_accepted_and_changes_something(shared_lab, fields, capsys):
    lab = shared_lab
    lab.server.reset()
    lab.add(**fields)
    seen = []
    while (command := lab.explain()["next"]) is not None:
        before = everything(lab.client)
        assert lab.run(command) == 0, (command, capsys.readouterr().err)
        assert everything(lab.client) != before
        seen.append(command)
        assert len(seen) < 6


def everything(client):
    """Return what a user can see of the node and its ports, without times."""
    kept = [client.node.get("n").to_dict(), *(p.to_dict() for p in client.port.list(detail=True))]
    return [{k: v for k, v in one.items() if not k.endswith("_at")} for one in kept]


@pytest.mark.parametrize("program", ["baremetal", "openstack"])
def test_the_command(lab, program):
    lab.add(provision_state="clean failed", last_error="Disk on fire")
    cli = Cli(program, lab.server.url)
    text = cli("node", "explain", "n")
    assert "clean failed" in text.out
    assert "Ironic says: Disk on fire" in text.out
    assert text.out.rstrip().endswith("Next: baremetal node manage n")
    expected = lab.explain()
    assert json.loads(cli("node", "explain", "n", "-f", "json").out) == expected
    assert json.loads(cli("node", "explain", "n", "--json").out) == expected


@pytest.mark.parametrize(
    ("words", "hinted"),
    [
        ("node provide enrolled", True),
        ("node power on locked", True),
        ("node set locked --name other", True),
        ("node validate broken", True),
        ("node provide missing", False),
        ("node manage enrolled", False),
        ("node validate enrolled", False),
        ("node set enrolled --resource-class " + "x" * 300, False),
        ("--quiet node provide enrolled", False),
        ("--os-baremetal-api-version 1.50 version show", True),
        ("version show", False),
    ],
)
def test_failures_point_to_explain(lab, words, hinted):
    lab.add(name="enrolled", provision_state="enroll", ports=[])
    lab.add(name="locked", reservation="localhost", ports=[])
    lab.add(name="broken", provision_state="enroll", driver="ipmi", ports=[])
    done = Cli("baremetal", lab.server.url).run("--max-retries", "0", *words.split())
    node = next(
        (word for word in words.split() if word in ("locked", "broken", "enrolled")), "NODE"
    )
    assert ("node explain" in done.err) == hinted
    assert (done.err.count(f"baremetal node explain {node}") == 1) == hinted
    assert "node explain" not in done.out


def test_failed_waits_point_to_explain_on_a_terminal(lab, monkeypatch, capsys):
    lab.add(name="broken", provision_state="enroll", driver="ipmi", ports=[])
    command = "baremetal node manage broken --wait"
    assert lab.run(command) == 1
    assert "node explain" not in capsys.readouterr().err
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert lab.run(command) == 1
    assert "baremetal node explain broken" in capsys.readouterr().err


def test_an_unknown_node(lab):
    done = Cli("baremetal", lab.server.url).run("node", "explain", "missing")
    assert (done.code, done.out) == (1, "")
    assert "missing" in done.err


def test_each_state_has_a_meaning():
    assert set(MEANINGS) == set(VERBS)


def test_from_enrolment_to_users(client, node):
    """On the fake and on a real Ironic, the commands lead where they should."""
    for state, verb in (("enroll", "manage"), ("manageable", "provide"), ("available", None)):
        found = client.node.explain(node.uuid)
        declared.check_object(found, objects.Explanation)
        assert found["provision_state"] == state
        rules = [one["rule"] for one in found["findings"]]
        assert "no-ports" in rules
        assert "no-resource-class" in rules
        expected = None if verb is None else f"baremetal node {verb} {node.name}"
        assert found["next"] == expected
        if verb:
            assert verb in found["verbs"]
            client.node.set_provision_state(node.uuid, verb)
            after = {"manage": "manageable", "provide": "available"}[verb]
            client.node.wait_for_provision_state(node.uuid, after, timeout=60, poll_interval=0.1)


def test_an_old_server(lab):
    with FakeServer(Settings(max_minor=60), seed={"nodes": [HEALTHY]}) as server:
        found = Lab(server).finding("microversion")
        assert "The server offers no newer one." in found["text"]
        assert found["command"] is None


def test_the_next_commands_lead_to_users(client, node, cli):
    """On the fake and on a real Ironic: whatever comes next is run until nothing is left."""
    client.node.set_maintenance(node.uuid, True)
    port = client.port.create(node_uuid=node.uuid, address=OTHER_MAC, pxe_enabled=False)
    seen = []
    while (command := client.node.explain(node)["next"]) is not None:
        seen.append(command.removeprefix("baremetal "))
        cli(*shlex.split(seen[-1]))
        settle(client, node.uuid)
        assert len(seen) < 9
    assert seen == [
        f"node maintenance unset {node.name}",
        f"port set {port.uuid} --pxe-enabled",
        f"node manage {node.name}",
        f"node provide {node.name}",
    ]
    assert client.node.get(node.uuid).provision_state == "available"


def settle(client, uuid):
    """Wait until nothing works on a node any more."""
    for _ in range(200):
        found = client.node.get(uuid)
        if not found.reservation and not found.target_provision_state:
            return
        time.sleep(0.05)
    pytest.fail("The node stays in transition.")


def test_maintenance_and_ports(client, node):
    client.node.set_maintenance(node.uuid, True, maint_reason="Moved")
    client.port.create(node_uuid=node.uuid, address=OTHER_MAC, pxe_enabled=False)
    found = client.node.explain(node.name)
    by_rule = {one["rule"]: one for one in found["findings"]}
    assert by_rule["maintenance"]["quote"] == "Moved"
    assert "no-boot-port" in by_rule
    assert found["next"] == f"baremetal node maintenance unset {node.name}"
