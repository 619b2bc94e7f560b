"""Volumes that come to servers and leave them."""

from __future__ import annotations

import pytest

from fake_server.tests.compute.conftest import Cloud, message
from fake_server.tests.compute.test_attach_modes import IMAGE, attach, listed, running


def test_a_swapped_root_volume_becomes_the_root_when_the_node_is_off(cloud):
    cloud.node()
    volume, other = cloud.volume(), cloud.volume()
    server = cloud.booted(cloud.flavor(), volume)["id"]
    cloud.act(server, "reboot", {"type": "HARD"})
    path = f"/servers/{server}/os-volume_attachments/{volume}"
    assert cloud("PUT", path, {"volumeAttachment": {"volumeId": other}})[0] == 202
    assert [target["volume_id"] for target in cloud.targets()] == [volume]
    cloud.act(server, "os-stop")
    assert cloud.server(server)["status"] == "SHUTOFF"
    assert [(target["volume_id"], target["boot_index"]) for target in cloud.targets()] == [
        (other, 0)
    ]


def test_a_server_that_is_being_built_takes_no_volume():
    cloud = Cloud(delay=10.0)
    node = cloud.ironic("POST", "/nodes", {"driver": "fake-hardware", "resource_class": "gold"})
    for verb in ("manage", "provide"):
        path = f"/nodes/{node['uuid']}/states/provision"
        cloud.ironic("PUT", path, {"target": verb})
        cloud.clock.advance(60)
    volume = cloud.volume()
    cloud.clock.advance(60)
    server = cloud.booted(cloud.flavor(), imageRef=IMAGE)["id"]
    answer = attach(cloud, server, volume)
    assert (answer[0], message(answer)) == (
        409,
        f"Cannot 'attach_volume' instance {server} while it is in task_state spawning",
    )
    assert cloud.attachments() == []


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "*/volume/v3/attachments"),
        ("PUT", "*/volume/v3/attachments/*"),
        ("POST", "*/volume/v3/attachments/*/action"),
    ],
)
def test_a_cinder_that_fails_leaves_a_server_as_it_was(cloud, method, path):
    server, volume = running(cloud), cloud.volume()
    cloud.app.control.faults.add({"method": method, "path": path}, {"status": 500}, 1)
    assert attach(cloud, server, volume)[0] == 400
    assert (listed(cloud, server), cloud.attachments()) == ([], [])
    assert attach(cloud, server, volume)[0] == 202


def test_a_volume_has_to_be_bootable_to_boot_from(cloud):
    volume = cloud.volume(bootable=False)
    answer = cloud.boot(cloud.flavor(), volume)
    assert (answer[0], message(answer)) == (400, f"Block Device {volume} is not bootable.")
