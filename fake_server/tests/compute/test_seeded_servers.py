"""Servers as seeds describe them, which need not be whole."""

from __future__ import annotations

import pytest

from fake_server.compute.models import instances
from fake_server.tests.compute.conftest import message
from fake_server.tests.compute.test_attach_modes import IMAGE

SERVER = "11111111-1111-4111-8111-111111111111"
NODE = "22222222-2222-4222-8222-222222222222"
VOLUME = "33333333-3333-4333-8333-333333333333"
LAB = {
    "volumes": [{"id": VOLUME, "size": 1, "status": "in-use"}],
    "flavors": [
        {
            **{"id": "f", "name": "gold", "ram": 1, "vcpus": 1, "disk": 1},
            "extra_specs": {"resources:CUSTOM_GOLD": "1", "trait:CUSTOM_FAST": "perhaps"},
        }
    ],
}


def seeded(cloud, **values):
    """Store a server with a volume that has no attachment and no name."""
    devices = [{"volume_id": VOLUME, "source_type": "volume", "destination_type": "volume"}]
    server = {"id": SERVER, "name": "s", "flavor": "gold", "block_devices": devices}
    cloud.app.control.seeds.load({**LAB, "servers": [{**server, **values}]})


def test_a_server_without_a_node_is_shown(cloud):
    seeded(cloud)
    server = cloud.server(SERVER)
    assert (server["status"], server["OS-EXT-SRV-ATTR:hypervisor_hostname"]) == ("ACTIVE", None)
    assert server["os-extended-volumes:volumes_attached"][0]["id"] == VOLUME
    path = f"/servers/{SERVER}/os-volume_attachments"
    (shown,) = cloud.get("compute", path)["volumeAttachments"]
    assert (shown["volumeId"], shown["attachment_id"]) == (VOLUME, None)
    # There is no name to show.
    assert "device" not in shown


@pytest.mark.parametrize(
    ("action", "problem"),
    [
        ({"os-stop": None}, "is not ready"),
        ({"reboot": {"type": "SOFT"}}, "is in an invalid state for 'reboot'"),
        ({"reboot": {"type": "HARD"}}, "is in an invalid state for 'reboot'"),
        ({"rebuild": {"imageRef": IMAGE}}, "is in an invalid state for 'rebuild'"),
    ],
)
def test_a_server_without_a_node_does_nothing(cloud, action, problem):
    seeded(cloud)
    answer = cloud("POST", f"/servers/{SERVER}/action", action)
    assert (answer[0], message(answer)) == (409, f"Instance {SERVER} {problem}")
    assert cloud.server(SERVER)["status"] == "ACTIVE"


def test_a_server_without_a_node_gives_volumes_back(cloud):
    seeded(cloud)
    path = f"/servers/{SERVER}/os-volume_attachments"
    assert cloud("DELETE", f"{path}/{VOLUME}") == (202, None)
    assert cloud.get("compute", path)["volumeAttachments"] == []
    with cloud.app.store.transaction(write=False) as tx:
        assert instances.get(tx, SERVER)["unfinished"] is False
    assert cloud("DELETE", f"/servers/{SERVER}") == (204, None)
    assert cloud.servers() == []


def test_a_server_that_was_being_built_is_there_once_its_node_is(cloud):
    node = {"uuid": NODE, "name": "n", "instance_uuid": SERVER, "provision_state": "active"}
    cloud.app.control.seeds.load({"nodes": [{**node, "power_state": "power on"}]})
    seeded(cloud, node_uuid=NODE, vm_state="building", task_state="spawning", power_state=0)
    server = cloud.server(SERVER)
    assert (server["status"], server["OS-EXT-STS:power_state"]) == ("ACTIVE", 1)
    assert server["OS-SRV-USG:launched_at"] is not None
