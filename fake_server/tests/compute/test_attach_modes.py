"""The specification "Volume multiattach enhancements", sentence by sentence."""

from __future__ import annotations

import pytest

from fake_server.block_storage.tables import attachments
from fake_server.tests.compute.conftest import Cloud, image_device, message

IMAGE = "3a8b6a6b-0b2d-4d7c-9b8b-6f9c0a5c1d11"
OLD = "2.104"
SEVERAL = "Cannot attach one or more volumes to multiple instances"
UNKNOWN = "Additional properties are not allowed ('attach_mode' was unexpected)"
TOO_OLD = (
    "Cannot attach a volume in mode 'ro': the compute service on host localhost-ironic is too old "
    "for attach modes; upgrade it first."
)


def running(cloud, name="n1", **values):
    """Return the id of a server that boots from an image."""
    cloud.node(name)
    flavors = cloud.get("compute", "/flavors")["flavors"]
    flavor = flavors[0]["id"] if flavors else cloud.flavor()
    return cloud.booted(flavor, imageRef=IMAGE, name=name, **values)["id"]


def attach(cloud, server, volume, version="2.105", **values):
    body = {"volumeAttachment": {"volumeId": volume, **values}}
    return cloud("POST", f"/servers/{server}/os-volume_attachments", body, version)


def listed(cloud, server):
    return cloud.get("compute", f"/servers/{server}/os-volume_attachments")["volumeAttachments"]


def test_several_servers_of_one_request_share_a_multiattach_volume(cloud):
    for number in range(3):
        cloud.node(f"n{number}")
    volume = cloud.volume(multiattach=True)
    assert cloud.boot(cloud.flavor(), volume, mode="ro", min_count=3)[0] == 202
    found = cloud.servers()
    assert [server["status"] for server in found] == ["ACTIVE"] * 3
    attachments = cloud.attachments()
    assert {one["instance"] for one in attachments} == {server["id"] for server in found}
    assert {one["attach_mode"] for one in attachments} == {"ro"}
    assert {target["properties"]["access_mode"] for target in cloud.targets()} == {"ro"}
    for server in found:
        assert cloud("DELETE", f"/servers/{server['id']}")[0] == 204
    cloud.assert_nothing_left()


def test_servers_one_after_the_other_share_a_volume_as_before(cloud):
    flavor, volume = cloud.flavor(), cloud.volume(multiattach=True)
    for name in ("n1", "n2"):
        cloud.node(name)
        assert cloud.boot(flavor, volume, OLD, name=name)[0] == 202
    assert [server["status"] for server in cloud.servers()] == ["ACTIVE", "ACTIVE"]


@pytest.mark.parametrize(
    ("version", "shared", "count", "given", "text"),
    [
        ("2.105", False, 2, {}, SEVERAL),
        (OLD, True, 2, {}, SEVERAL),
        (OLD, False, 1, {"attach_mode": "ro"}, UNKNOWN),
        (
            "2.105",
            False,
            1,
            {"attach_mode": "RO"},
            "Invalid input for field/attribute attach_mode.",
        ),
    ],
)
def test_servers_that_cannot_boot_from_a_volume(cloud, version, shared, count, given, text):
    for number in range(2):
        cloud.node(f"n{number}")
    flavor, volume = cloud.flavor(), cloud.volume(multiattach=shared)
    device = {"uuid": volume, "source_type": "volume", "destination_type": "volume"}
    mapping = [{**device, "boot_index": 0, **given}]
    answer = cloud.boot(flavor, None, version, min_count=count, block_device_mapping_v2=mapping)
    assert answer[0] == 400
    assert text in message(answer)
    cloud.assert_nothing_left()


@pytest.mark.parametrize("mode", ["ro", "rw", None])
def test_the_mode_of_a_volume_is_told_to_everyone(cloud, mode):
    cloud.node()
    root, data = cloud.volume(), cloud.volume(bootable=False)
    server = cloud.booted(cloud.flavor(), root, mode=mode)["id"]
    assert attach(cloud, server, data, **({"attach_mode": mode} if mode else {})) == (202, None)
    kept = [mode or "rw"] * 2
    assert [one["attach_mode"] for one in listed(cloud, server)] == kept
    shown = cloud.get("compute", f"/servers/{server}/os-volume_attachments/{data}")
    assert shown["volumeAttachment"]["attach_mode"] == kept[0]
    assert [one["attach_mode"] for one in cloud.attachments()] == kept
    assert [one["status"] for one in cloud.attachments()] == ["attached"] * 2
    assert [one["properties"]["access_mode"] for one in cloud.targets()] == kept
    with cloud.app.store.transaction(write=False) as tx:
        rows = [tx.get(attachments, volume_id=ident) for ident in (root, data)]
    assert [row["connector"]["mode"] for row in rows] == kept
    found = cloud.get("volume", f"/volumes/{data}")["volume"]
    assert (found["multiattach"], found["status"]) == (False, "in-use")


def test_the_boot_index_may_be_text(cloud):
    cloud.node()
    volume, data = cloud.volume(), cloud.volume(bootable=False)
    device = {"source_type": "volume", "destination_type": "volume"}
    mapping = [
        {**device, "uuid": volume, "boot_index": "0"},
        {**device, "uuid": data, "boot_index": "1", "attach_mode": "ro"},
    ]
    server = cloud.booted(cloud.flavor(), block_device_mapping_v2=mapping)
    assert [one["attach_mode"] for one in listed(cloud, server["id"])] == ["rw", "ro"]
    assert {target["boot_index"] for target in cloud.targets()} == {0, 1}


def test_what_is_no_volume_has_no_mode(cloud):
    cloud.node()
    flavor = cloud.flavor()
    device = {"source_type": "blank", "destination_type": "local", "guest_format": "swap"}
    mapping = [image_device(IMAGE), {**device, "attach_mode": "ro"}]
    answer = cloud.boot(flavor, imageRef=IMAGE, block_device_mapping_v2=mapping)
    assert answer[0] == 400
    assert "attach_mode with destination_type=local is not supported" in message(answer)
    mapping = [image_device(IMAGE), device]
    server = cloud.booted(flavor, imageRef=IMAGE, block_device_mapping_v2=mapping)
    rows = cloud.block_devices(server["id"])
    assert [(row["destination_type"], row["attach_mode"]) for row in rows] == [("local", None)] * 2


def test_one_server_writes_and_another_one_reads(cloud):
    first, second = running(cloud, "n1"), running(cloud, "n2")
    volume = cloud.volume(multiattach=True)
    assert attach(cloud, first, volume)[0] == 202
    assert attach(cloud, second, volume, attach_mode="ro")[0] == 202
    modes = {one["instance"]: one["attach_mode"] for one in cloud.attachments()}
    assert modes == {first: "rw", second: "ro"}


def test_the_mode_changes_only_by_attaching_anew(cloud):
    server, volume = running(cloud), cloud.volume()
    attach(cloud, server, volume, attach_mode="ro")
    path = f"/servers/{server}/os-volume_attachments/{volume}"
    answer = cloud("PUT", path, {"volumeAttachment": {"volumeId": volume, "attach_mode": "rw"}})
    assert answer[0] == 400
    assert UNKNOWN in message(answer)
    assert cloud("DELETE", path) == (202, None)
    assert attach(cloud, server, volume, attach_mode="rw")[0] == 202
    assert [one["attach_mode"] for one in listed(cloud, server)] == ["rw"]


@pytest.mark.parametrize("mode", ["ro", "rw"])
def test_a_swapped_volume_is_attached_in_the_mode_of_the_other(cloud, mode):
    server, volume, other = running(cloud), cloud.volume(size=2), cloud.volume(size=2)
    attach(cloud, server, volume, attach_mode=mode)
    path = f"/servers/{server}/os-volume_attachments/{volume}"
    for wrong, text in (
        (cloud.volume(size=1), "Invalid volume: New volume must be the same size or larger."),
        (IMAGE, f"Invalid volume: Volume {IMAGE} could not be found."),
    ):
        answer = cloud("PUT", path, {"volumeAttachment": {"volumeId": wrong}})
        assert (answer[0], message(answer)) == (400, text)
    assert [one["volumeId"] for one in listed(cloud, server)] == [volume]
    assert cloud("PUT", path, {"volumeAttachment": {"volumeId": other}}) == (202, None)
    (found,) = listed(cloud, server)
    assert (found["volumeId"], found["attach_mode"]) == (other, mode)
    (attachment,) = cloud.attachments()
    assert (attachment["volume_id"], attachment["attach_mode"]) == (other, mode)
    assert cloud.get("volume", f"/volumes/{volume}")["volume"]["status"] == "available"


def test_an_old_compute_service_attaches_to_read_and_write_only():
    cloud = Cloud(old_compute=True)
    cloud.node()
    answer = cloud.boot(cloud.flavor(), cloud.volume(), mode="ro")
    assert (answer[0], message(answer)) == (409, TOO_OLD)
    cloud.assert_nothing_left()
    server, volume = running(cloud, "n2"), cloud.volume()
    answer = attach(cloud, server, volume, attach_mode="ro")
    assert (answer[0], message(answer)) == (409, TOO_OLD)
    assert cloud.get("volume", f"/volumes/{volume}")["volume"]["status"] == "available"
    assert attach(cloud, server, volume, attach_mode="rw")[0] == 202
    assert attach(cloud, server, cloud.volume())[0] == 202


def test_a_cloud_may_be_older_than_attach_modes():
    cloud = Cloud(max_compute_minor=104)
    status, body = cloud.send("compute", "GET", "/")
    assert (status, body["version"]["version"]) == (200, "2.104")
    answer = cloud("GET", "/servers", version="2.105")
    text = "Version 2.105 is not supported by the API. Minimum is 2.1 and maximum is 2.104."
    assert (answer[0], message(answer)) == (406, text)
