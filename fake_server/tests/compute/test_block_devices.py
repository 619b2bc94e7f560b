"""Volumes and other disks of servers: their names, their order, and what versions show of them."""

from __future__ import annotations

import pytest

from fake_server.tests.compute.conftest import message
from fake_server.tests.compute.test_attach_modes import IMAGE, attach, listed, running


@pytest.mark.parametrize("name", [None, "/dev/sda", "/dev/sdb"])
def test_the_name_of_a_device_is_the_first_that_is_free(cloud, name):
    server = running(cloud)
    volumes = [cloud.volume() for _ in range(2)]
    attach(cloud, server, volumes[0], **({} if name is None else {"device": name}))
    attach(cloud, server, volumes[1])
    found = [one["device"] for one in listed(cloud, server)]
    assert (
        found
        == {
            None: ["/dev/sdb", "/dev/sdc"],
            "/dev/sda": ["/dev/sda", "/dev/sdb"],
            "/dev/sdb": ["/dev/sdb", "/dev/sdc"],
        }[name]
    )


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
    values = {"imageRef": IMAGE}
    if device.get("uuid") == "IMAGE":
        device["uuid"], values = image["id"], {}
    server = cloud.booted(cloud.flavor(), block_device_mapping_v2=[device], **values)
    (volume,) = server["os-extended-volumes:volumes_attached"]
    found = cloud.get("volume", f"/volumes/{volume['id']}")["volume"]
    assert found == {**found, **shown}
    info = found.get("volume_image_metadata", {})
    assert info.get("image_id") == (None if values else image["id"])


@pytest.mark.parametrize(
    ("query", "version", "found"),
    [
        ("limit=1", "2.105", [0]),
        ("limit=2&offset=1", "2.105", [1, 2]),
        ("offset=2", "2.105", [2]),
        ("offset=3", "2.105", []),
        ("moon=1", "2.74", [0, 1, 2]),
    ],
)
def test_pages_of_volumes(cloud, query, version, found):
    server, volumes = running(cloud), [cloud.volume() for _ in range(3)]
    for volume in volumes:
        attach(cloud, server, volume)
    status, body = cloud("GET", f"/servers/{server}/os-volume_attachments?{query}", None, version)
    assert status == 200
    assert [volumes.index(one["volumeId"]) for one in body["volumeAttachments"]] == found


def test_volumes_that_were_reserved_are_given_back_where_another_cannot_be(cloud):
    cloud.node()
    free, taken = cloud.volume(), cloud.volume()
    body = {"attachment": {"volume_uuid": taken, "instance_uuid": IMAGE}}
    assert cloud.send("volume", "POST", "/attachments", body)[0] == 200
    mapping = [
        {"uuid": ident, "source_type": "volume", "destination_type": "volume"}
        for ident in (free, taken)
    ]
    answer = cloud.boot(cloud.flavor(), imageRef=IMAGE, block_device_mapping_v2=mapping)
    assert answer[0] == 400
    assert message(answer).startswith("Invalid volume: ")
    assert cloud.servers() == []
    assert cloud.get("volume", f"/volumes/{free}")["volume"]["status"] == "available"
    assert [one["volume_id"] for one in cloud.attachments()] == [taken]
