"""What this client does survives each single fault, or says so and can be run again."""

from __future__ import annotations

import pytest

from baremetalclient import client, exc
from baremetalclient.declare import plan
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
    ironic.node.set_traits(node.uuid, ["CUSTOM_GOLD"])
    if not ironic.volume_target.list(node=node.uuid):
        ironic.volume_target.create(node_uuid=node.uuid, **_TARGET)
    ironic.node.set_maintenance(node.uuid, False)


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
