"""Volumes that come to servers and leave them."""

from __future__ import annotations

import pytest

from fake_server.tests.compute.conftest import Cloud, message
from fake_server.tests.compute.test_attach_modes import IMAGE, attach, listed, running


def detach(cloud, server, volume):
    return cloud("DELETE", f"/servers/{server}/os-volume_attachments/{volume}")


def test_the_target_of_a_detached_volume_goes_when_the_node_is_off(cloud):
    server, volume = running(cloud), cloud.volume()
    cloud.act(server, "reboot", {"type": "HARD"})
    attach(cloud, server, volume)
    assert [target["volume_id"] for target in cloud.targets()] == [volume]
    detach(cloud, server, volume)
    assert [target["volume_id"] for target in cloud.targets()] == [volume]
    # Whoever switches the node off, whoever looks next finds the target gone.
    node = cloud.server(server)["OS-EXT-SRV-ATTR:hypervisor_hostname"]
    cloud.ironic("PUT", f"/nodes/{node}/states/power", {"target": "power off"})
    assert cloud.targets() == []


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


def test_what_becomes_of_a_volume_can_be_changed(cloud):
    server, volume = running(cloud), cloud.volume()
    attach(cloud, server, volume)
    path = f"/servers/{server}/os-volume_attachments/{volume}"
    wanted = {"volumeId": volume, "delete_on_termination": True}
    assert cloud("PUT", path, {"volumeAttachment": wanted}) == (202, None)
    assert listed(cloud, server)[0]["delete_on_termination"] is True
    answer = cloud("PUT", path, {"volumeAttachment": {"volumeId": volume, "tag": "t"}})
    assert (answer[0], message(answer)) == (400, "The tag property is not mutable")
    assert cloud("DELETE", f"/servers/{server}")[0] == 204
    assert cloud.send("volume", "GET", f"/volumes/{volume}")[0] == 404


def test_a_volume_has_to_be_bootable_to_boot_from(cloud):
    volume = cloud.volume(bootable=False)
    answer = cloud.boot(cloud.flavor(), volume)
    assert (answer[0], message(answer)) == (400, f"Block Device {volume} is not bootable.")


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
