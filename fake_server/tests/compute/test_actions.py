"""What was asked for of servers."""

from __future__ import annotations

import pytest

from fake_server.tests.compute.conftest import Cloud, message
from fake_server.tests.compute.test_attach_modes import IMAGE, attach, running
from fake_server.tests.wsgi import request


def listed(cloud, server, query="", version="2.105"):
    status, body = cloud("GET", f"/servers/{server}/os-instance-actions{query}", version=version)
    assert status == 200, body
    return body


def names(cloud, server, query=""):
    return [one["action"] for one in listed(cloud, server, query)["instanceActions"]]


def test_actions_are_listed_the_latest_first(cloud):
    server, volume = running(cloud), cloud.volume()
    for action in ("os-stop", "os-start"):
        assert cloud.act(server, action)[0] == 202
    assert cloud.act(server, "os-start")[0] == 409
    assert attach(cloud, server, volume)[0] == 202
    path = f"/servers/{server}/os-volume_attachments/{volume}"
    assert cloud("DELETE", path)[0] == 202
    expected = ["detach_volume", "attach_volume", "start", "stop", "create"]
    assert names(cloud, server) == expected
    assert cloud("DELETE", f"/servers/{server}")[0] == 204
    assert names(cloud, server) == ["delete", *expected]
    path = f"/servers/{server}/os-instance-actions"
    assert cloud("GET", path, version="2.20")[0] == 404


def test_actions_are_listed_in_pages(cloud):
    server = running(cloud)
    for _ in range(2):
        cloud.clock.advance(60)
        assert cloud.act(server, "reboot", {"type": "HARD"})[0] == 202
    body = listed(cloud, server, "?limit=1")
    (first,) = body["instanceActions"]
    assert first["action"] == "reboot"
    assert f"marker={first['request_id']}" in body["links"][0]["href"]
    assert names(cloud, server, f"?limit=5&marker={first['request_id']}") == ["reboot", "create"]
    moment = first["start_time"]
    assert names(cloud, server, f"?changes-since={moment}") == ["reboot"]
    assert len(names(cloud, server, f"?changes-before={moment}Z")) == 3
    path = f"/servers/{server}/os-instance-actions"
    assert cloud("GET", f"{path}?changes-since=x")[0] == 400
    assert len(listed(cloud, server, "?limit=1", "2.57")["instanceActions"]) == 3


@pytest.mark.parametrize(
    ("version", "added"),
    [
        ("2.50", []),
        ("2.58", ["updated_at"]),
    ],
)
def test_an_action_has_the_fields_of_the_version(cloud, version, added):
    server = running(cloud)
    (one,) = listed(cloud, server, version=version)["instanceActions"]
    old = ["action", "instance_uuid", "message", "project_id", "request_id", "start_time"]
    assert sorted(one) == sorted([*old, "user_id", *added])


def event(cloud, server, version):
    request_id = listed(cloud, server)["instanceActions"][0]["request_id"]
    path = f"/servers/{server}/os-instance-actions/{request_id}"
    status, body = cloud("GET", path, version=version)
    assert status == 200
    return body["instanceAction"].get("events", [None])[0]


def test_an_event_tells_administrators_more():
    cloud = Cloud(auth="keystone")
    cloud.log_in("project-admin")
    flavor = cloud.flavor()
    cloud.log_in("project-member")
    server = cloud.boot(flavor, imageRef=IMAGE)[1]["server"]["id"]
    assert event(cloud, server, "2.50") is None
    shown = event(cloud, server, "2.105")
    assert (shown["event"], shown["result"]) == ("compute__do_build_and_run_instance", "Error")
    assert {"event", "start_time", "finish_time", "result", "hostId"} == set(shown)
    cloud.log_in("project-admin")
    shown = event(cloud, server, "2.105")
    assert shown["details"].startswith("No valid host was found. ")
    assert {"host", "traceback"} <= set(shown)
    assert "details" not in event(cloud, server, "2.83")
    assert "host" not in event(cloud, server, "2.61")
    cloud.log_in("other-member", "other")
    assert cloud("GET", f"/servers/{server}/os-instance-actions")[0] == 404


def test_an_action_that_is_not_there_is_told(cloud):
    server = running(cloud)
    answer = cloud("GET", f"/servers/{server}/os-instance-actions/req-x")
    assert (answer[0], message(answer)) == (404, "Action req-x not found")


def test_a_crash_dump_is_an_interrupt_of_the_node():
    cloud = Cloud(hardware_types=("ipmi",), interfaces={"deploy": ("direct",)})
    access = {"ipmi_address": "192.0.2.1", "ipmi_username": "u", "ipmi_password": "p"}
    kernel = {"deploy_kernel": "http://images/k", "deploy_ramdisk": "http://images/r"}
    node = cloud.node(connected=False, driver="ipmi", driver_info={**access, **kernel})
    port = {"node_uuid": node, "address": "52:54:00:aa:00:01"}
    cloud.ironic("POST", "/ports", port)
    formats = {"disk_format": "raw", "container_format": "bare"}
    image = cloud.send("image", "POST", "/images", formats)[1]["id"]
    binary = {"CONTENT_TYPE": "application/octet-stream"}
    cloud.app.answer(request("PUT", f"/image/v2/images/{image}/file", b"x", **binary))
    cloud.clock.advance(600)
    server = cloud.boot(cloud.flavor(), imageRef=image)[1]["server"]["id"]
    cloud.clock.advance(600)
    assert cloud("GET", f"/servers/{server}")[1]["server"]["status"] == "ACTIVE"
    assert cloud.act(server, "trigger_crash_dump")[0] == 202
    assert event(cloud, server, "2.105")["result"] == "Success"
    assert names(cloud, server) == ["trigger_crash_dump", "create"]
    assert cloud.get("baremetal", f"/nodes/{node}")["last_error"] is None


def test_a_crash_dump_that_the_hardware_can_not_make_is_told_by_the_action():
    cloud = Cloud()
    server = running(cloud)
    assert cloud.act(server, "trigger_crash_dump")[0] == 202
    assert event(cloud, server, "2.105")["result"] == "Error"
    assert cloud("GET", f"/servers/{server}")[1]["server"]["status"] == "ACTIVE"
    assert cloud.act(server, "os-stop")[0] == 202
    cloud.clock.advance(600)
    answer = cloud.act(server, "trigger_crash_dump")
    problem = f"Cannot 'trigger_crash_dump' instance {server} while it is in vm_state stopped"
    assert (answer[0], message(answer)) == (409, problem)
