"""What Nova can't do with nodes."""

from __future__ import annotations

import pytest

from fake_server.compute.resources.unsupported_actions import ACTIONS
from fake_server.tests.compute.conftest import Cloud, message
from fake_server.tests.compute.test_attach_modes import running

#: What requests for actions have to say.
BODIES = {
    "resize": {"flavorRef": "f"},
    "createImage": {"name": "n"},
    "createBackup": {"name": "n", "backup_type": "daily", "rotation": 1},
    "changePassword": {"adminPass": "p"},
    "os-getConsoleOutput": {},
    "os-getVNCConsole": {"type": "novnc"},
    "os-getSPICEConsole": {"type": "spice-html5"},
    "os-getSerialConsole": {"type": "serial"},
    "os-getRDPConsole": {"type": "rdp-html5"},
    "os-migrateLive": {"block_migration": False, "disk_over_commit": False, "host": None},
    "evacuate": {"onSharedStorage": False},
}
#: What is refused otherwise than by the driver.
OTHERWISE = {
    "os-getSPICEConsole": "Unavailable console type spice-html5.",
    "os-getSerialConsole": "Unavailable console type serial.",
    "os-getRDPConsole": "The server could not comply with the request since it is either malformed "
    "or otherwise incorrect.",
    "evacuate": "Compute service of localhost-ironic is still in use.",
}
#: What can't be asked for of a server that runs.
LATER = ("unpause", "resume", "confirmResize", "revertResize", "shelveOffload", "unshelve")


@pytest.mark.rows
@pytest.mark.parametrize("action", ACTIONS)
def test_an_action_is_refused(cloud, action):
    server, body, version = running(cloud), {action: BODIES.get(action)}, "2.5"
    answer = cloud("POST", f"/servers/{server}/action", body, version)
    expected = (501, "The requested functionality is not supported.")
    if action in LATER:
        problem = f"Cannot '{action}' instance {server} while it is in vm_state active"
        expected = (409, problem)
    if action in OTHERWISE:
        expected = (400, OTHERWISE[action])
    assert (answer[0], message(answer)) == expected
    path = "/servers/00000000-0000-0000-0000-000000000000/action"
    assert cloud("POST", path, body, version)[0] == 404


@pytest.mark.parametrize("length", [-2, "-2", 1.5, "", "1x", True])
def test_a_console_output_of_no_such_length_is_refused(cloud, length):
    # As nova/api/openstack/compute/schemas/console_output.py says.
    answer = cloud.act(running(cloud), "os-getConsoleOutput", {"length": length})
    assert answer[0] == 400
    assert str(length) in message(answer)


def test_an_action_is_there_in_its_versions(cloud):
    server = running(cloud)
    for action, version in (("trigger_crash_dump", "2.16"), ("os-getVNCConsole", "2.6")):
        body = {action: BODIES.get(action)}
        assert cloud("POST", f"/servers/{server}/action", body, version)[0] == 404


@pytest.mark.parametrize(("action", "status"), [("migrate", 403), ("pause", 409)])
def test_some_are_for_administrators(action, status):
    cloud = Cloud(auth="keystone")
    cloud.log_in("project-admin")
    flavor = cloud.flavor()
    cloud.log_in("project-member")
    server = cloud.boot(flavor, imageRef="3a8b6a6b-0b2d-4d7c-9b8b-6f9c0a5c1d11")
    assert cloud.act(server[1]["server"]["id"], action)[0] == status
