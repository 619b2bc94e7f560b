"""What becomes of servers that are there where a service that Nova asks refuses something."""

from __future__ import annotations

import pytest

from fake_server.compute.models import instances
from fake_server.tests.compute.conftest import message
from fake_server.tests.compute.test_attach_modes import IMAGE, attach, listed, running

NODE = "*/v1/nodes/????????-????-????-????-????????????"


def fail(cloud, method, path, status=500, times=1, **match):
    """Let requests between the services fail."""
    do = {"status": status, "message": "Broken."}
    cloud.app.control.faults.add({"method": method, "path": path, **match}, do, times)


def state(server):
    names = ("status", "OS-EXT-STS:task_state", "OS-EXT-STS:power_state")
    return tuple(server[name] for name in names)


@pytest.mark.parametrize("status", [500, 503])
def test_what_another_service_answers_is_told(cloud, status):
    server = running(cloud)
    fail(cloud, "GET", NODE, status)
    answer = cloud("GET", f"/servers/{server}")
    text = "Unexpected API Error. Another service answered: Broken."
    assert (answer[0], message(answer)) == (status, text)
    assert cloud.server(server)["status"] == "ACTIVE"


@pytest.mark.parametrize(
    ("action", "status", "answered", "found"),
    [
        ({"reboot": {"type": "SOFT"}}, 400, 202, ("ACTIVE", None, 1)),
        ({"reboot": {"type": "SOFT"}}, 409, 409, ("ACTIVE", None, 1)),
        ({"reboot": {"type": "HARD"}}, 400, 409, ("ACTIVE", None, 1)),
        ({"os-stop": None}, 400, 409, ("ACTIVE", None, 1)),
        ({"os-stop": None}, 500, 409, ("ACTIVE", None, 1)),
    ],
)
def test_a_node_that_does_not_switch(cloud, action, status, answered, found):
    server = running(cloud)
    fail(cloud, "PUT", "*/states/power", status)
    answer = cloud("POST", f"/servers/{server}/action", action)
    assert answer[0] == answered
    if answered == 409:
        assert message(answer) == "Broken."
    assert state(cloud.server(server)) == found


def test_a_rebuild_needs_its_node(cloud):
    server = running(cloud)
    fail(cloud, "GET", NODE, 404)
    assert cloud.act(server, "rebuild", {"imageRef": IMAGE})[0] == 202
    found = cloud.server(server)
    text = f"Instance {server} could not be found."
    assert (found["status"], found["fault"]["message"]) == ("ERROR", text)


def test_a_rebuild_whose_deployment_fails_leaves_the_server_on_its_node(cloud):
    server = running(cloud)
    cloud.app.control.faults.add({"flow": "deploy"}, {"last_error": "No disk."}, 1)
    assert cloud.act(server, "rebuild", {"imageRef": IMAGE})[0] == 202
    found = cloud.server(server)
    assert (found["status"], found["OS-EXT-STS:task_state"]) == ("ERROR", None)
    assert found["fault"]["message"].startswith(f"Failed to provision instance {server}: ")
    assert "No disk." in found["fault"]["message"]
    node = found["OS-EXT-SRV-ATTR:hypervisor_hostname"]
    assert cloud.get("baremetal", f"/nodes/{node}")["instance_uuid"] == server
    assert cloud.act(server, "rebuild", {"imageRef": IMAGE})[0] == 202
    assert cloud.server(server)["status"] == "ACTIVE"
    cloud.delete_without_a_trace(found)


def test_a_volume_counts_as_attached_where_its_attachment_went_meanwhile(cloud):
    server, volume = running(cloud), cloud.volume()
    fail(cloud, "POST", "*/volume/v3/attachments/*/action", 404)
    assert attach(cloud, server, volume)[0] == 202
    assert [one["volumeId"] for one in listed(cloud, server)] == [volume]


@pytest.mark.parametrize(("status", "left"), [(400, 1), (404, 0), (409, 1), (500, 1)])
def test_a_target_that_cannot_be_deleted_now_is_deleted_later(cloud, status, left):
    server, volume = running(cloud), cloud.volume()
    attach(cloud, server, volume)
    cloud.act(server, "os-stop")
    fail(cloud, "DELETE", "*/volume/targets/*", status)
    assert cloud("DELETE", f"/servers/{server}/os-volume_attachments/{volume}") == (202, None)
    with cloud.app.store.transaction(write=False) as tx:
        (kept,) = instances.get_all(tx, None)
    # A target that isn't there any more need not be deleted.
    assert kept["unfinished"] is bool(left)
    assert len(cloud.targets()) == 1 - left


@pytest.mark.parametrize("method", ["POST", "DELETE"])
def test_a_port_that_ironic_refuses_to_change(cloud, method):
    network = cloud.network()
    server = running(cloud, networks=[{"uuid": network}])
    path = f"/servers/{server}/os-interface"
    (port,) = cloud.get("network", "/ports")["ports"]
    fail(cloud, method, "*/v1/nodes/*/vifs*")
    if method == "POST":
        answer = cloud("POST", path, {"interfaceAttachment": {"net_id": network}})
        text = f"Failed to attach network adapter device to {server}: Broken."
    else:
        answer = cloud("DELETE", f"{path}/{port['id']}")
        text = f"Failed to detach network adapter device from {server}: Broken."
    assert (answer[0], message(answer)) == (500, text)
    assert [one["id"] for one in cloud.get("network", "/ports")["ports"]] == [port["id"]]
    shown = cloud.get("compute", path)["interfaceAttachments"]
    assert [one["port_id"] for one in shown] == [port["id"]]


@pytest.mark.rows
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("PUT", "*/states/provision"),
        ("GET", NODE),
        ("GET", "*/volume/targets"),
        ("DELETE", "*/v1/nodes/*/vifs/*"),
        ("DELETE", "*/volume/v3/attachments/*"),
        ("DELETE", "*/networking/v2.0/ports/*"),
        ("DELETE", "*/placement/allocations/*"),
        ("DELETE", "*/volume/v3/volumes/*"),
    ],
)
@pytest.mark.parametrize("status", [409, 500])
def test_a_server_that_cannot_be_deleted_now_is_deleted_later(cloud, method, path, status):
    cloud.network()
    cloud.node()
    device = {"uuid": cloud.volume(), "source_type": "volume", "destination_type": "volume"}
    device |= {"boot_index": 0, "delete_on_termination": True}
    wanted = {"networks": "auto", "block_device_mapping_v2": [device]}
    server = cloud.booted(cloud.flavor(), **wanted)["id"]
    fail(cloud, method, path, status)
    assert cloud("DELETE", f"/servers/{server}") == (204, None)
    with cloud.app.store.transaction(write=False) as tx:
        (kept,) = instances.get_all(tx, None)
    assert kept["task_state"] == "deleting"
    assert cloud("GET", f"/servers/{server}")[0] == 404
    cloud.assert_nothing_left()


@pytest.mark.parametrize("status", [400, 404])
def test_a_volume_that_cannot_go_with_its_server_stays(cloud, status):
    server, volume = running(cloud), cloud.volume()
    attach(cloud, server, volume, delete_on_termination=True)
    fail(cloud, "DELETE", "*/volume/v3/volumes/*", status)
    assert cloud("DELETE", f"/servers/{server}") == (204, None)
    assert cloud.servers() == []
    assert cloud.get("volume", f"/volumes/{volume}")["volume"]["status"] == "available"


def test_a_node_that_is_gone_does_not_keep_a_server(cloud):
    server = running(cloud)
    fail(cloud, "GET", NODE, 404, nth=2)
    assert cloud("DELETE", f"/servers/{server}") == (204, None)
    assert cloud.servers() == cloud.allocations() == []
