"""``client.node.explain()`` and ``baremetal node explain``.

What each rule says in each state, and with each part missing, is in ``unit/v1/explanations.txt``.
"""

from __future__ import annotations

import json
import re
import shlex
import time
from pathlib import Path

import pytest
import requests

from baremetalclient import client as clients
from baremetalclient import exc
from baremetalclient.tests import declared
from baremetalclient.tests.functional.cli import BOTH_PROGRAMS, Cli
from baremetalclient.v1 import objects
from baremetalclient.v1.explain.rules import RULES
from baremetalclient.v1.provision_states import FIRST_NAMES, STATES
from fake_server.server import FakeServer
from fake_server.settings import Settings
from tools.rows import some

MAC = "52:54:00:00:00:01"
OTHER_MAC = "52:54:00:00:00:02"
HEALTHY = {
    "name": "n",
    "driver": "fake-hardware",
    "provision_state": "available",
    "resource_class": "gold",
    "ports": [{"address": MAC}],
}


class Lab:
    """A fake server of one test, and a client for it."""

    def __init__(self, server):
        self.server = server
        self.client = clients.get_client(1, endpoint=server.url, retry_interval=0)
        self.cli = Cli("baremetal", server.url)

    def add(self, **fields):
        self.server.seed({"nodes": [{**HEALTHY, **fields}]})

    def explain(self, name="n"):
        return self.client.node.explain(name)

    def finding(self, rule):
        return next(found for found in self.explain()["findings"] if found["rule"] == rule)

    def run(self, command):
        """Run a command as a shell would."""
        words = shlex.split(command)
        assert words.pop(0) == "baremetal"
        return self.cli.run(*words)


@pytest.fixture(scope="module")
def own_lab():
    settings = Settings(interfaces={"network": ("noop", "flat", "neutron")})
    with FakeServer(settings) as server:
        yield Lab(server)


@pytest.fixture
def lab(own_lab):
    own_lab.server.reset()
    return own_lab


def test_what_a_user_may_not_see_is_left_out_and_other_failures_are_not():
    with FakeServer(seed={"nodes": [HEALTHY]}) as server:
        lab = Lab(server)
        server.faults.add({"path": "/v1/conductors*"}, {"status": 403})
        assert "conductors" in lab.finding("incomplete")["text"]
    with pytest.raises(exc.ConnectionError):
        lab.explain()


ISCSI = {"volume_type": "iscsi", "volume_id": "v", "boot_index": 0}
EVENT = {"severity": "ERROR", "event": "Earlier", "created_at": "2026-01-01T00:00:00+00:00"}
BONDED = {
    "network_interface": "flat",
    "ports": [{"address": MAC, "portgroup": "g", "internal_info": {"tenant_vif_port_id": "vif-1"}}],
    "portgroups": [{"name": "g", "standalone_ports_supported": False}],
}
CASES = [
    ("no-ports", {"ports": []}, "port create --node n MAC"),
    ("vif-without-port", BONDED, "node vif detach n vif-1"),
    (
        "port-without-switch",
        {"network_interface": "neutron"},
        "node maintenance set n && baremetal port set PORT --local-link-connection switch_id=MAC "
        "--local-link-connection port_id=PORT && baremetal node maintenance unset n",
    ),
    (
        "connector-unmatched",
        {"volume_connectors": [{"type": "wwpn", "connector_id": "1"}], "volume_targets": [ISCSI]},
        "volume connector create --node n --type iqn --connector-id IQN",
    ),
    (
        "trait-missing",
        {"traits": ["CUSTOM_A"], "instance_info": {"traits": ["CUSTOM_A", "CUSTOM_B"]}},
        "node trait add n CUSTOM_B",
    ),
    ("history", {"provision_state": "manageable", "history": [EVENT]}, None),
    (
        "validation",
        {"driver": "ipmi", "driver_info": {"ipmi_username": "u"}},
        "node set n --driver-info ipmi_address=VALUE",
    ),
]
"""What nodes are like that something else than their own fields is wrong with, and the command."""


def test_what_belongs_to_a_node_is_looked_at(lab):
    lab.add()
    assert lab.explain()["findings"] == []
    problems = []
    for rule, fields, command in CASES:
        lab.server.reset()
        lab.add(**fields)
        found = lab.finding(rule)
        declared.check_object(found, objects.Finding)
        port = lab.client.port.list(limit=1)
        told = (found["command"] or "").removeprefix("baremetal ")
        told = told.replace(f"set {port[0].uuid}", "set PORT") if port else told
        if told != (command or ""):
            problems.append((rule, told))
    assert problems == []


STEPS = [{"interface": "deploy", "step": "erase_devices", "args": {}}]
ARGUMENTS = {
    "clean": {"clean_steps": STEPS},
    "service": {"service_steps": STEPS},
    "rescue": {"rescue_password": "secret"},
}


def test_the_verbs_are_those_that_the_server_accepts(lab):
    """The table of the client, against the requests themselves."""
    verbs = sorted({verb for state in STATES.values() for verb in state.verbs})
    info = {"image_source": "http://image", "image_checksum": "1"}
    node = {"name": "n", "driver": "fake-hardware", "instance_info": info}
    headers = {"X-OpenStack-Ironic-API-Version": "latest"}
    path = "http://test/v1/nodes/n/states/provision"
    session = requests.Session()
    session.mount("http://test", lab.server.adapter())

    def accepts(verb):
        body = {"target": FIRST_NAMES.get(verb, verb), **ARGUMENTS.get(verb, {})}
        return session.put(path, json=body, headers=headers).ok

    found, expected = {}, {}
    # With some states whose verbs are refused, or accepted, because of another field.
    others = {
        "maintenance": ({"maintenance": True}, STATES),
        "protected": ({"protected": True}, ("active", "deploy failed", "rescue")),
        "retired": ({"retired": True}, ("manageable",)),
        "agent": ({"inspect_interface": "agent"}, ("inspect wait",)),
    }
    for flag, (more, states) in {None: ({}, STATES), **others}.items():
        for state in some(list(states)):
            fields = {**node, "provision_state": state, **more}
            lab.server.reset()
            lab.server.seed({"nodes": [fields]})
            lab.server.snapshots.take("before")
            expected[flag, state] = sorted(lab.explain()["verbs"])
            found[flag, state] = []
            for verb in verbs:
                if accepts(verb):
                    found[flag, state].append(verb)
                    lab.server.snapshots.restore("before")
    assert found == expected


TROUBLES = {
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
"""What stops nodes, besides their state."""
SOME_STATES = ("enroll", "manageable", "available", "active", "clean failed", "wait call-back")


@pytest.mark.rows
@pytest.mark.parametrize("trouble", TROUBLES)
def test_the_next_command_is_accepted_and_changes_something(lab, trouble):
    states = STATES if trouble == "plain" else SOME_STATES
    for state in some(list(states), list(TROUBLES).index(trouble)):
        lab.server.reset()
        lab.add(provision_state=state, **TROUBLES[trouble])
        seen = []
        while (command := lab.explain()["next"]) is not None:
            before = everything(lab.client)
            done = lab.run(command)
            assert done.code == 0, (state, command, done)
            assert everything(lab.client) != before, (state, command)
            seen.append(command)
            assert len(seen) < 6, state


def everything(client):
    """Return what a user can see of the node and its ports, without times."""
    kept = [client.node.get("n").to_dict(), *(p.to_dict() for p in client.port.list(detail=True))]
    return [{k: v for k, v in one.items() if not k.endswith("_at")} for one in kept]


@BOTH_PROGRAMS
def test_the_command(lab, program):
    lab.add(provision_state="clean failed", last_error="Disk on fire")
    cli = Cli(program, lab.server.url)
    text = cli("node", "explain", "n")
    assert "clean failed" in text.out
    assert "Ironic says: Disk on fire" in text.out
    assert text.out.rstrip().endswith("Next: baremetal node manage n")
    expected = {**lab.explain(), "seconds": 0}
    for option in (("-f", "json"), ("--json",)):
        found = json.loads(cli("node", "explain", "n", *option).out)
        assert {**found, "seconds": 0} == expected


def test_failures_point_to_explain(lab):
    lab.add(name="enrolled", provision_state="enroll", ports=[])
    lab.add(name="locked", reservation="localhost", ports=[])
    lab.add(name="broken", provision_state="enroll", driver="ipmi", ports=[])
    for words, hinted in (
        ("node provide enrolled", "enrolled"),
        ("node power on locked", "locked"),
        ("node set locked --name other", "locked"),
        ("node validate broken", "broken"),
        ("--os-baremetal-api-version 1.50 version show", "NODE"),
        ("node provide missing", None),
        ("node validate enrolled", None),
        ("node set enrolled --resource-class " + "x" * 300, None),
        ("--quiet node provide enrolled", None),
        ("version show", None),
        ("node manage enrolled", None),
    ):
        done = lab.cli.run("--max-retries", "0", *words.split())
        found = re.findall(r"baremetal node explain (\w+)", done.err)
        assert found == ([hinted] if hinted else []), words
        assert ("node explain" in done.err) == (hinted is not None), words
        assert "node explain" not in done.out, words


def test_each_rule_has_a_section_with_its_cure():
    page = Path(__file__).parents[3] / "doc" / "source" / "reference" / "findings.rst"
    sections = re.split(r"^([a-z-]+)\n-{4,}\n", page.read_text(), flags=re.MULTILINE)[1:]
    assert sections[::2] == list(RULES)
    assert all("\n**Check**\n    " in one and "\n**Cure**\n    " in one for one in sections[1::2])


def test_the_next_commands_lead_to_users(client, node, cli):
    """On the fake and on a real Ironic: whatever comes next is run until nothing is left."""
    client.node.set_maintenance(node.uuid, True, maint_reason="Moved")
    port = client.port.create(node_uuid=node.uuid, address=OTHER_MAC, pxe_enabled=False)
    explained = client.node.explain(node.name)
    declared.check_object(explained, objects.Explanation)
    by_rule = {one["rule"]: one for one in explained["findings"]}
    assert by_rule["maintenance"]["quote"] == "Moved"
    assert {"no-boot-port", "no-resource-class"} <= set(by_rule)
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
