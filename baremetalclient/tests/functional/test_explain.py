"""``client.node.explain()`` and ``baremetal node explain``: verbs, next commands, versions."""

from __future__ import annotations

import itertools
import json
import re
import shlex
import sys
import time

import pytest
import requests

from baremetalclient import exc
from baremetalclient.tests import declared
from baremetalclient.tests.functional.cli import BOTH_PROGRAMS, Cli
from baremetalclient.tests.functional.explained import (
    HEALTHY,
    MAC,
    OTHER_MAC,
    Lab,
)
from baremetalclient.v1 import objects
from baremetalclient.v1.explain.states import MEANINGS
from baremetalclient.v1.explain.verbs import VERBS
from fake_server.server import FakeServer
from fake_server.settings import Settings


@pytest.fixture(scope="module")
def own_lab():
    settings = Settings(interfaces={"network": ("noop", "flat", "neutron")})
    with FakeServer(settings) as server:
        yield Lab(server)


@pytest.fixture
def lab(own_lab):
    own_lab.server.reset()
    return own_lab


def test_what_the_version_lacks_is_told(lab):
    lab.add(provision_state="enroll", resource_class=None, ports=[])
    uuid = lab.client.node.get("n").uuid
    for version in ("1.1", "1.20", "1.31", "1.77", "1.90"):
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


def test_the_lost_connection_is_an_error():
    with FakeServer(seed={"nodes": [HEALTHY]}) as server:
        lab = Lab(server)
        lab.explain()
    with pytest.raises(exc.ConnectionError):
        lab.explain()


def test_few_requests(lab):
    lab.add()
    lab.server.requests.clear()
    lab.explain()
    assert len(lab.server.requests.find()) <= 9


def test_unusual_names_are_not_in_commands(lab):
    for name in ("Rack1", "n~1", "MAC"):
        lab.add(name=name, provision_state="enroll", ports=[])
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


def test_the_verbs_are_those_that_the_server_accepts(lab):
    """The table of the client, against the requests themselves."""
    verbs = sorted(set(itertools.chain(*VERBS.values())))
    info = {"image_source": "http://image", "image_checksum": "1"}
    node = {"name": "n", "driver": "fake-hardware", "instance_info": info}
    headers = {"X-OpenStack-Ironic-API-Version": "latest"}
    path = "http://test/v1/nodes/n/states/provision"
    session = requests.Session()
    session.mount("http://test", lab.server.adapter())

    def accepts(verb):
        body = {"target": VERBS_OF_API.get(verb, verb), **ARGUMENTS.get(verb, {})}
        return session.put(path, json=body, headers=headers).ok

    found, expected = {}, {}
    # With some states whose verbs are refused because of the flag.
    flags = {
        "maintenance": VERBS,
        "protected": ("active", "deploy failed", "rescue"),
        "retired": ("manageable",),
    }
    for flag, states in {None: VERBS, **flags}.items():
        for state in states:
            fields = {**node, "provision_state": state, **({flag: True} if flag else {})}
            lab.server.reset()
            lab.server.seed({"nodes": [fields]})
            before = lab.server.snapshots.take()
            expected[flag, state] = sorted(lab.explain()["verbs"])
            found[flag, state] = []
            for verb in verbs:
                if accepts(verb):
                    found[flag, state].append(verb)
                    lab.server.snapshots.restore(before)
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


@pytest.mark.parametrize("trouble", TROUBLES)
def test_the_next_command_is_accepted_and_changes_something(lab, trouble, capsys):
    for state in VERBS if trouble == "plain" else SOME_STATES:
        lab.server.reset()
        lab.add(provision_state=state, **TROUBLES[trouble])
        seen = []
        while (command := lab.explain()["next"]) is not None:
            before = everything(lab.client)
            assert lab.run(command) == 0, (state, command, capsys.readouterr().err)
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
    expected = lab.explain()
    assert json.loads(cli("node", "explain", "n", "-f", "json").out) == expected
    assert json.loads(cli("node", "explain", "n", "--json").out) == expected


def test_failures_point_to_explain(lab):
    lab.add(name="enrolled", provision_state="enroll", ports=[])
    lab.add(name="locked", reservation="localhost", ports=[])
    lab.add(name="broken", provision_state="enroll", driver="ipmi", ports=[])
    cli = Cli("baremetal", lab.server.url)
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
        done = cli.run("--max-retries", "0", *words.split())
        found = re.findall(r"baremetal node explain (\w+)", done.err)
        assert found == ([hinted] if hinted else []), words
        assert ("node explain" in done.err) == (hinted is not None), words
        assert "node explain" not in done.out, words


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
            settle(client, node.uuid)


def test_an_old_server(lab):
    with FakeServer(Settings(max_minor=60), seed={"nodes": [HEALTHY]}) as server:
        found = Lab(server).finding("microversion")
        assert "The server offers no newer one." in found["text"]
        assert found["command"] is None


def test_the_next_commands_lead_to_users(client, node, cli):
    """On the fake and on a real Ironic: whatever comes next is run until nothing is left."""
    client.node.set_maintenance(node.uuid, True, maint_reason="Moved")
    port = client.port.create(node_uuid=node.uuid, address=OTHER_MAC, pxe_enabled=False)
    by_rule = {one["rule"]: one for one in client.node.explain(node.name)["findings"]}
    assert by_rule["maintenance"]["quote"] == "Moved"
    assert "no-boot-port" in by_rule
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
