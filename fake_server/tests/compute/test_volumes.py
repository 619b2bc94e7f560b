"""Volumes and other disks of servers: how they come and go, and their names."""

from __future__ import annotations

import pytest

from fake_server.tests.compute.conftest import Cloud, image_device, message
from fake_server.tests.compute.test_attach_modes import IMAGE, attach, listed, running

VOLUME = {"source_type": "volume", "destination_type": "volume"}


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
    (target,) = cloud.targets()
    assert (target["volume_id"], target["boot_index"]) == (other, 0)


def test_a_server_that_is_being_built_takes_no_volume():
    cloud = Cloud()
    cloud.node()
    cloud.app.control.delays.set(default=10)
    server, volume = cloud.booted(cloud.flavor(), imageRef=IMAGE)["id"], cloud.volume()
    answer = attach(cloud, server, volume)
    text = f"Cannot 'attach_volume' instance {server} while it is in task_state spawning"
    assert (answer[0], message(answer)) == (409, text)
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


def test_a_server_is_deleted_that_had_a_volume_which_is_gone(cloud):
    """Ironic keeps the targets of a node that is on, and can't free it without their volumes."""
    cloud.node(storage_interface="cinder")
    server, volume = cloud.booted(cloud.flavor(), imageRef=IMAGE), cloud.volume()
    attach(cloud, server["id"], volume)
    path = f"/servers/{server['id']}/os-volume_attachments/{volume}"
    assert cloud("DELETE", path)[0] == 202
    assert len(cloud.targets()) == 1
    assert cloud.send("volume", "DELETE", f"/volumes/{volume}")[0] == 202
    cloud.delete_without_a_trace(server)


def test_a_volume_has_to_be_bootable_to_boot_from(cloud):
    volume = cloud.volume(bootable=False)
    answer = cloud.boot(cloud.flavor(), volume)
    assert (answer[0], message(answer)) == (400, f"Block Device {volume} is not bootable.")


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({}, ["/dev/sdb", "/dev/sdc"]),
        ({"device": "/dev/sda"}, ["/dev/sda", "/dev/sdb"]),
        ({"device": "/dev/sdb"}, ["/dev/sdb", "/dev/sdc"]),
    ],
)
def test_the_name_of_a_device_is_the_first_that_is_free(cloud, given, found):
    server = running(cloud)
    attach(cloud, server, cloud.volume(), **given)
    attach(cloud, server, cloud.volume())
    assert [one["device"] for one in listed(cloud, server)] == found


@pytest.mark.parametrize(
    ("device", "shown"),
    [
        (
            {"source_type": "image", "uuid": "IMAGE", "volume_size": 3, "boot_index": 0},
            {"size": 3, "volume_type": "__DEFAULT__", "bootable": "true"},
        ),
        (
            {"source_type": "blank", "volume_size": 2, "volume_type": "fast"},
            {"size": 2, "volume_type": "fast", "bootable": "false"},
        ),
    ],
)
def test_volumes_are_made_as_asked(cloud, device, shown):
    cloud.node()
    _, image = cloud.send("image", "POST", "/images", {"name": "i"})
    assert cloud.send("volume", "POST", "/types", {"volume_type": {"name": "fast"}})[0] == 200
    device = {"destination_type": "volume", **device}
    values, mapping = {"imageRef": IMAGE}, [image_device(IMAGE), device]
    if device.get("uuid") == "IMAGE":
        device["uuid"], values, mapping = image["id"], {}, [device]
    server = cloud.booted(cloud.flavor(), block_device_mapping_v2=mapping, **values)
    (volume,) = server["os-extended-volumes:volumes_attached"]
    found = cloud.get("volume", f"/volumes/{volume['id']}")["volume"]
    assert found == {**found, **shown}
    info = found.get("volume_image_metadata", {})
    assert info.get("image_id") == (None if values else image["id"])


def test_volumes_that_were_reserved_are_given_back_where_another_cannot_be(cloud):
    cloud.node()
    free, taken = cloud.volume(), cloud.volume()
    body = {"attachment": {"volume_uuid": taken, "instance_uuid": IMAGE}}
    assert cloud.send("volume", "POST", "/attachments", body)[0] == 200
    volumes = [{"uuid": ident, **VOLUME} for ident in (free, taken)]
    mapping = [image_device(IMAGE), *volumes]
    answer = cloud.boot(cloud.flavor(), imageRef=IMAGE, block_device_mapping_v2=mapping)
    assert answer[0] == 400
    assert message(answer).startswith("Invalid volume: ")
    assert cloud.servers() == []
    assert cloud.get("volume", f"/volumes/{free}")["volume"]["status"] == "available"
    assert [one["volume_id"] for one in cloud.attachments()] == [taken]


def test_a_volume_that_can_neither_be_attached_nor_be_given_back_is_not_on_the_server(cloud):
    cloud.node()
    server, volume = cloud.booted(cloud.flavor(), cloud.volume()), cloud.volume()
    for method in ("PUT", "DELETE"):
        match = {"method": method, "path": "*/volume/v3/attachments/*"}
        cloud.app.control.faults.add(match, {"status": 500})
    path = f"/servers/{server['id']}/os-volume_attachments"
    before = cloud.get("compute", path)
    assert cloud("POST", path, {"volumeAttachment": {"volumeId": volume}})[0] >= 400
    assert cloud.get("compute", path) == before


def test_stopping_and_starting_leaves_the_attachment_that_nova_made(cloud):
    capabilities = {"properties": {"capabilities": "iscsi_boot:true"}}
    cloud.node(storage_interface="cinder", **capabilities)
    server = cloud.booted(cloud.flavor(), cloud.volume())
    (before,) = cloud.attachments()
    for action in ("os-stop", "os-start"):
        assert cloud.act(server["id"], action)[0] == 202
        cloud.clock.advance(2)
        found = cloud.server(server["id"])
        assert found["OS-EXT-STS:task_state"] is None
        assert cloud.attachments() == [before]
    assert found["status"] == "ACTIVE"
    cloud.delete_without_a_trace(server)
