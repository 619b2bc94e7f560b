"""What this client does survives each single fault, or says so and can be run again."""

from __future__ import annotations

import shlex

import pytest

from baremetalclient import client, exc, shell
from baremetalclient.declare import plan
from fake_server.server import FakeServer
from fake_server.sweep import sweep
from fake_server.sweep.kinds import KINDS

_LAB = {
    "nodes": [
        {
            "name": "rack1",
            "driver": "fake-hardware",
            "provision_state": "available",
            "traits": ["CUSTOM_GOLD"],
            "ports": [{"address": "52:54:00:00:00:01"}],
        },
        {"name": "rack2", "driver": "fake-hardware", "provision_state": "manageable"},
    ]
}
_TARGET = {"volume_type": "iscsi", "boot_index": 0, "volume_id": "v"}
#: An answer that is held back takes real time.
_QUICK = [kind for kind in KINDS if kind != "slow"]


def _client(server):
    return client.get_client(1, **server.client_options)


def apply(server):
    failed = [one for one in plan(_client(server), _LAB).apply() if one.error]
    assert not failed, failed


def enrol(server):
    """Do by hand what ``apply`` does, as scripts with the SDK do it."""
    ironic = _client(server)
    try:
        node = ironic.node.get("rack1")
    except exc.NotFound:
        node = ironic.node.create(name="rack1", driver="fake-hardware")
    if node.provision_state == "enroll":
        ironic.node.set_provision_state(node.uuid, "manage")
        ironic.node.wait_for_provision_state(node.uuid, "manageable")
    ironic.node.set_maintenance(node.uuid, True, maint_reason="new")
    ironic.node.set_power_state(node.uuid, "off")
    ironic.node.wait_for(node.uuid, "power_state=power off", timeout=60)
    ironic.node.set_traits(node.uuid, ["CUSTOM_GOLD"])
    if not ironic.volume_target.list(node=node.uuid):
        ironic.volume_target.create(node_uuid=node.uuid, **_TARGET)
    ironic.node.set_maintenance(node.uuid, False)


@pytest.mark.rows
@pytest.mark.parametrize("program", [apply, enrol])
def test_single_faults_leave_nothing_behind(request, program):
    def with_clock(server):
        # The pauses of retries and waits take no real time.
        with client.use_clock(server.clock.pause, server.clock.seconds):
            program(server)

    limit = None if request.config.getoption("--all") else 10
    found = sweep(with_clock, kinds=_QUICK, limit=limit)
    left = list(found.findings(("survived", "said-so", "not-reached")))
    assert not left, "\n".join(f"{one.verdict} {one.id}: {one.difference}" for one in left)


_IMAGE = {"image_source": "http://images.test/web", "image_checksum": "0" * 64}
_PORT = {"address": "52:54:00:00:00:01"}
_CHASSIS = "c0000000-0000-4000-8000-000000000001"
_STEPS = '[{"interface": "bios", "step": "apply_configuration", "args": {}, "%s": 10}]'
#: Why a command can't be run again once it was killed: Ironic refuses to repeat what is done.
_NO_REPEAT = "killed"
#: Commands, what the node has before, and the kinds of faults that are left out.
COMMANDS = [
    ("node create --driver fake-hardware --name m", {}, [_NO_REPEAT]),
    (f"node create --driver fake-hardware --uuid {_CHASSIS}", {}, [_NO_REPEAT]),
    ("node delete n", {}, [_NO_REPEAT]),
    ("node set n --extra a=b --resource-class gold", {}, []),
    ("node unset n --extra a", {"extra": {"a": "b"}}, [_NO_REPEAT]),
    ("node maintenance set n --reason x", {}, []),
    ("node maintenance unset n", {"maintenance": True}, []),
    ("node power off n --wait", {"power_state": "power on"}, []),
    ("node reboot n --wait", {"power_state": "power on"}, []),
    ("node manage n --wait", {"provision_state": "enroll"}, [_NO_REPEAT]),
    # After a cleaning that failed, the node has to be managed first.
    ("node provide n --wait", {}, [_NO_REPEAT, "operation-fails"]),
    (
        "node deploy n --wait --yes",
        {"provision_state": "available", "instance_info": _IMAGE},
        [_NO_REPEAT],
    ),
    ("node undeploy n --wait --yes", {"provision_state": "active"}, [_NO_REPEAT]),
    ("node rebuild n --wait --yes", {"provision_state": "active", "instance_info": _IMAGE}, []),
    ("node inspect n --wait", {}, []),
    ("node adopt n --wait", {"instance_info": _IMAGE}, [_NO_REPEAT]),
    ("node add trait n CUSTOM_A", {}, []),
    ("node remove trait n CUSTOM_A", {"traits": ["CUSTOM_A"]}, [_NO_REPEAT]),
    ("node boot device set n pxe", {}, []),
    ("port create 52:54:00:00:00:09 --node n", {}, [_NO_REPEAT]),
    ("port group create --node n --name g", {}, [_NO_REPEAT]),
    ("volume connector create --node n --type iqn --connector-id i", {}, [_NO_REPEAT]),
    ("volume target create --node n --type iscsi --boot-index 0 --volume-id v", {}, [_NO_REPEAT]),
    (f"chassis delete {_CHASSIS}", {}, [_NO_REPEAT]),
    ("allocation create --name a --resource-class gold --wait", {}, [_NO_REPEAT]),
    (f"deploy template create CUSTOM_A --steps '{_STEPS % 'priority'}'", {}, [_NO_REPEAT]),
    (f"runbook create --name CUSTOM_A --steps '{_STEPS % 'order'}'", {}, [_NO_REPEAT]),
]
#: Those that run on each change.
_SAMPLE = {COMMANDS[at][0] for at in (0, 2, 9, 21)}


@pytest.mark.rows
@pytest.mark.parametrize(("command", "before", "without"), COMMANDS, ids=[c[0] for c in COMMANDS])
def test_commands_survive_single_faults_or_say_so(request, command, before, without):
    if not request.config.getoption("--all") and command not in _SAMPLE:
        pytest.skip("only a sample runs without --all")
    node = {"name": "n", "driver": "fake-hardware", "provision_state": "manageable"}
    allocated = {"name": "other", "provision_state": "available", "resource_class": "gold"}
    lab = {
        "chassis": [{"uuid": _CHASSIS}],
        "nodes": [{**node, "power_state": "power off", **before, "ports": [_PORT]}, allocated],
    }

    def run(server):
        words = ["--os-auth-type", "none", "--os-endpoint", server.url, *shlex.split(command)]
        with client.use_clock(server.clock.pause, server.clock.seconds):
            assert shell.main(words) == 0

    with FakeServer(seed=lab, clock="auto") as server:
        kinds = [kind for kind in _QUICK if kind not in without]
        found = sweep(run, server=server, kinds=kinds)
    left = list(found.findings(("survived", "said-so", "not-reached")))
    assert not left, "\n".join(f"{one.verdict} {one.id}: {one.difference}" for one in left)
