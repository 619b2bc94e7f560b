"""The specification "Volume multiattach enhancements", sentence by sentence."""

from __future__ import annotations

import pytest

from fake_server.block_storage.tables import attachments
from fake_server.tests.compute.conftest import Cloud, message

IMAGE = "3a8b6a6b-0b2d-4d7c-9b8b-6f9c0a5c1d11"
OLD = "2.104"


def running(cloud, name="n1", **values):
    """Return the id of a server that boots from an image."""
    cloud.node(name)
    flavors = cloud.get("compute", "/flavors")["flavors"]
    flavor = flavors[0]["id"] if flavors else cloud.flavor()
    return cloud.booted(flavor, imageRef=IMAGE, name=name, **values)["id"]


def attach(cloud, server, volume, version="2.105", **values):
    body = {"volumeAttachment": {"volumeId": volume, **values}}
    return cloud("POST", f"/servers/{server}/os-volume_attachments", body, version)


def listed(cloud, server, version="2.105"):
    status, body = cloud("GET", f"/servers/{server}/os-volume_attachments", version=version)
    assert status == 200
    return body["volumeAttachments"]


def shown(cloud, server, volume, version="2.105"):
    status, body = cloud(
        "GET", f"/servers/{server}/os-volume_attachments/{volume}", version=version
    )
    assert status == 200
    return body["volumeAttachment"]


# Several servers in one request on one multiattach volume


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


def test_several_servers_cannot_share_a_volume_that_is_not_multiattach(cloud):
    for number in range(2):
        cloud.node(f"n{number}")
    answer = cloud.boot(cloud.flavor(), cloud.volume(), min_count=2)
    assert answer[0] == 400
    assert message(answer) == "Cannot attach one or more volumes to multiple instances"
    cloud.assert_nothing_left()


def test_before_the_version_several_servers_cannot_share_any_volume(cloud):
    volume = cloud.volume(multiattach=True)
    answer = cloud.boot(cloud.flavor(), volume, OLD, min_count=2)
    assert answer[0] == 400
    assert message(answer) == "Cannot attach one or more volumes to multiple instances"


def test_servers_one_after_the_other_share_a_volume_as_before(cloud):
    flavor, volume = cloud.flavor(), cloud.volume(multiattach=True)
    for name in ("n1", "n2"):
        cloud.node(name)
        assert cloud.boot(flavor, volume, OLD, name=name)[0] == 202
    assert [server["status"] for server in cloud.servers()] == ["ACTIVE", "ACTIVE"]


# attach_mode in block device mappings


@pytest.mark.parametrize(("mode", "kept"), [("ro", "ro"), ("rw", "rw"), (None, "rw")])
def test_a_server_boots_from_a_volume_in_a_mode(cloud, mode, kept):
    cloud.node()
    volume = cloud.volume()
    server = cloud.booted(cloud.flavor(), volume, mode=mode)
    assert shown(cloud, server["id"], volume)["attach_mode"] == kept
    (attachment,) = cloud.attachments()
    assert attachment["attach_mode"] == kept
    (target,) = cloud.targets()
    assert target["properties"]["access_mode"] == kept


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


def test_a_local_device_has_no_mode(cloud):
    device = {
        "source_type": "blank",
        "destination_type": "local",
        "guest_format": "swap",
        "attach_mode": "ro",
    }
    answer = cloud.boot(cloud.flavor(), imageRef=IMAGE, block_device_mapping_v2=[device])
    assert answer[0] == 400
    assert "attach_mode with destination_type=local is not supported" in message(answer)


@pytest.mark.parametrize("mode", ["RO", "wr", "", 1, None])
def test_a_mapping_takes_no_other_modes(cloud, mode):
    device = {
        "uuid": cloud.volume(),
        "source_type": "volume",
        "destination_type": "volume",
        "boot_index": 0,
        "attach_mode": mode,
    }
    answer = cloud.boot(cloud.flavor(), block_device_mapping_v2=[device])
    assert answer[0] == 400
    assert message(answer).startswith("Invalid input for field/attribute attach_mode.")


def test_before_the_version_a_mapping_knows_no_mode(cloud):
    answer = cloud.boot(cloud.flavor(), cloud.volume(), OLD, mode="ro")
    assert answer[0] == 400
    assert "Additional properties are not allowed ('attach_mode' was unexpected)" in message(answer)


def test_the_mode_of_what_is_no_volume_is_null(cloud):
    cloud.node()
    device = {"source_type": "blank", "destination_type": "local", "guest_format": "swap"}
    server = cloud.booted(cloud.flavor(), imageRef=IMAGE, block_device_mapping_v2=[device])
    rows = cloud.block_devices(server["id"])
    assert [(row["destination_type"], row["attach_mode"]) for row in rows] == [("local", None)]


# attach_mode of volumes that are attached later


@pytest.mark.parametrize(("given", "kept"), [({"attach_mode": "ro"}, "ro"), ({}, "rw")])
def test_a_volume_is_attached_in_a_mode(cloud, given, kept):
    server, volume = running(cloud), cloud.volume()
    assert attach(cloud, server, volume, **given) == (202, None)
    assert shown(cloud, server, volume)["attach_mode"] == kept
    assert [one["attach_mode"] for one in listed(cloud, server)] == [kept]
    (attachment,) = cloud.attachments()
    assert (attachment["attach_mode"], attachment["status"]) == (kept, "attached")
    assert cloud.targets()[0]["properties"]["access_mode"] == kept


def test_a_volume_need_not_be_multiattach_to_be_attached_read_only(cloud):
    server, volume = running(cloud), cloud.volume()
    assert attach(cloud, server, volume, attach_mode="ro")[0] == 202
    found = cloud.get("volume", f"/volumes/{volume}")["volume"]
    assert (found["multiattach"], found["status"]) == (False, "in-use")


def test_one_server_writes_and_another_one_reads(cloud):
    first, second = running(cloud, "n1"), running(cloud, "n2")
    volume = cloud.volume(multiattach=True)
    assert attach(cloud, first, volume)[0] == 202
    assert attach(cloud, second, volume, attach_mode="ro")[0] == 202
    modes = {one["instance"]: one["attach_mode"] for one in cloud.attachments()}
    assert modes == {first: "rw", second: "ro"}


@pytest.mark.parametrize("mode", ["RO", "", None, ["ro"]])
def test_attaching_takes_no_other_modes(cloud, mode):
    answer = attach(cloud, running(cloud), cloud.volume(), attach_mode=mode)
    assert answer[0] == 400
    assert message(answer).startswith("Invalid input for field/attribute attach_mode.")


def test_before_the_version_attaching_knows_no_mode(cloud):
    server, volume = running(cloud), cloud.volume()
    answer = attach(cloud, server, volume, OLD, attach_mode="ro")
    assert answer[0] == 400
    assert "Additional properties are not allowed ('attach_mode' was unexpected)" in message(answer)
    assert attach(cloud, server, volume, OLD)[0] == 202
    assert "attach_mode" not in listed(cloud, server, OLD)[0]
    assert "attach_mode" not in shown(cloud, server, volume, OLD)


@pytest.mark.parametrize(
    ("version", "keys"),
    [
        ("2.1", {"id", "volumeId", "serverId", "device"}),
        ("2.70", {"id", "volumeId", "serverId", "device", "tag"}),
        ("2.79", {"id", "volumeId", "serverId", "device", "tag", "delete_on_termination"}),
        (
            "2.105",
            {
                *("volumeId", "serverId", "device", "tag", "delete_on_termination"),
                *("attachment_id", "bdm_uuid", "attach_mode"),
            },
        ),
    ],
)
def test_what_versions_show_of_an_attachment(cloud, version, keys):
    server, volume = running(cloud), cloud.volume()
    attach(cloud, server, volume)
    assert set(shown(cloud, server, volume, version)) == keys


def test_the_mode_changes_only_by_attaching_anew(cloud):
    server, volume = running(cloud), cloud.volume()
    attach(cloud, server, volume, attach_mode="ro")
    path = f"/servers/{server}/os-volume_attachments/{volume}"
    answer = cloud("PUT", path, {"volumeAttachment": {"volumeId": volume, "attach_mode": "rw"}})
    assert answer[0] == 400
    assert "Additional properties are not allowed ('attach_mode' was unexpected)" in message(answer)
    assert cloud("DELETE", path) == (202, None)
    assert attach(cloud, server, volume, attach_mode="rw")[0] == 202
    assert shown(cloud, server, volume)["attach_mode"] == "rw"


# Swap


@pytest.mark.parametrize("mode", ["ro", "rw"])
def test_a_swapped_volume_is_attached_in_the_mode_of_the_other(cloud, mode):
    server, volume, other = running(cloud), cloud.volume(), cloud.volume()
    attach(cloud, server, volume, attach_mode=mode)
    body = {"volumeAttachment": {"volumeId": other}}
    path = f"/servers/{server}/os-volume_attachments/{volume}"
    assert cloud("PUT", path, body) == (202, None)
    (found,) = listed(cloud, server)
    assert (found["volumeId"], found["attach_mode"]) == (other, mode)
    (attachment,) = cloud.attachments()
    assert (attachment["volume_id"], attachment["attach_mode"]) == (other, mode)
    assert cloud.get("volume", f"/volumes/{volume}")["volume"]["status"] == "available"


def test_a_volume_is_swapped_for_one_that_can_be_had(cloud):
    server, volume = running(cloud), cloud.volume(size=2)
    attach(cloud, server, volume)
    path = f"/servers/{server}/os-volume_attachments/{volume}"
    for other, text in (
        (cloud.volume(size=1), "Invalid volume: New volume must be the same size or larger."),
        (IMAGE, f"Invalid volume: Volume {IMAGE} could not be found."),
    ):
        answer = cloud("PUT", path, {"volumeAttachment": {"volumeId": other}})
        assert (answer[0], message(answer)) == (400, text)
    assert [one["volumeId"] for one in listed(cloud, server)] == [volume]


# Compute services that are too old


TOO_OLD = (
    "Cannot attach a volume in mode 'ro': the compute service on host localhost-ironic is too old "
    "for attach modes; upgrade it first."
)


@pytest.mark.parametrize(("given", "status"), [("ro", 409), ("rw", 202), (None, 202)])
def test_an_old_compute_service_attaches_to_read_and_write_only(given, status):
    cloud = Cloud(old_compute=True)
    server, volume = running(cloud), cloud.volume()
    values = {} if given is None else {"attach_mode": given}
    answer = attach(cloud, server, volume, **values)
    assert answer[0] == status
    if status == 409:
        assert message(answer) == TOO_OLD
        assert cloud.get("volume", f"/volumes/{volume}")["volume"]["status"] == "available"


def test_an_old_compute_service_boots_nothing_read_only():
    cloud = Cloud(old_compute=True)
    cloud.node()
    answer = cloud.boot(cloud.flavor(), cloud.volume(), mode="ro")
    assert answer[0] == 409
    assert message(answer) == TOO_OLD
    cloud.assert_nothing_left()


# What Cinder is told


@pytest.mark.parametrize("mode", ["ro", "rw", None])
def test_the_mode_travels_in_the_connector(cloud, mode):
    cloud.node()
    volume, data = cloud.volume(), cloud.volume(bootable=False)
    server = cloud.booted(cloud.flavor(), volume, mode=mode)["id"]
    values = {} if mode is None else {"attach_mode": mode}
    assert attach(cloud, server, data, **values)[0] == 202
    with cloud.app.store.transaction(write=False) as tx:
        rows = [tx.get(attachments, volume_id=ident) for ident in (volume, data)]
    assert [row["connector"]["mode"] for row in rows] == [mode or "rw"] * 2


def test_a_cloud_may_be_older_than_attach_modes():
    cloud = Cloud(max_compute_minor=104)
    status, body = cloud.send("compute", "GET", "/")
    assert (status, body["version"]["version"]) == (200, "2.104")
    answer = cloud("GET", "/servers", version="2.105")
    assert answer[0] == 406
    assert message(answer) == (
        "Version 2.105 is not supported by the API. Minimum is 2.1 and maximum is 2.104."
    )
