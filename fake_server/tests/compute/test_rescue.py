"""Rescuing servers, and what administrators do to broken ones."""

from __future__ import annotations

import pytest

from fake_server.compute import driver
from fake_server.tests.compute.conftest import INTERFACES, Cloud, message
from fake_server.tests.compute.test_attach_modes import IMAGE
from fake_server.tests.wsgi import request


def start(cloud, **values):
    """Have a server on a node that can be rescued; return its id and its node."""
    node = cloud.node(rescue_interface="fake")
    server = cloud.booted(cloud.flavor(), imageRef=IMAGE, **values)
    return server["id"], node


def state(cloud, server):
    found = cloud.server(server)
    return found["status"], found["OS-EXT-STS:vm_state"], found["OS-EXT-STS:task_state"]


def test_a_server_is_rescued_and_unrescued(cloud):
    server, node = start(cloud)
    status, body = cloud.act(server, "rescue", {"adminPass": "p"})
    assert (status, body) == (200, {"adminPass": "p"})
    assert state(cloud, server) == ("RESCUE", "rescued", None)
    assert cloud.ironic("GET", f"/nodes/{node}")["provision_state"] == "rescue"
    assert cloud.act(server, "rescue")[0] == 409
    assert cloud.act(server, "unrescue") == (202, None)
    assert state(cloud, server) == ("ACTIVE", "active", None)
    answer = cloud.act(server, "unrescue")
    text = f"Cannot 'unrescue' instance {server} while it is in vm_state active"
    assert (answer[0], message(answer)) == (409, text)


@pytest.mark.parametrize(("rescue_interface", "power"), [("fake", 4), ("agent", 1)])
def test_the_power_of_a_rescued_server_is_that_of_its_node(rescue_interface, power):
    # As a Nova 34 does: it powers the node off before, and boots nothing itself.
    interfaces = {**INTERFACES, "boot": ("ipxe",), "rescue": ("agent", "fake")}
    cloud = Cloud(interfaces=interfaces, agent="simulated")
    node = cloud.node(rescue_interface=rescue_interface, deploy_interface="direct")
    cloud.ironic("POST", "/ports", {"node_uuid": node, "address": "52:54:00:00:00:01"})
    formats = {"name": "i", "disk_format": "raw", "container_format": "bare"}
    image = cloud.send("image", "POST", "/images", formats)[1]["id"]
    binary = {"CONTENT_TYPE": "application/octet-stream"}
    path = f"/image/v2/images/{image}/file"
    assert cloud.app.answer(request("PUT", path, b"content", **binary)).status == 204
    server = cloud.booted(cloud.flavor(), imageRef=image)["id"]
    cloud.clock.advance(600)
    launched = cloud.server(server)["OS-SRV-USG:launched_at"]
    for action in ("rescue", "unrescue"):
        assert cloud.act(server, action)[0] in (200, 202)
        cloud.clock.advance(600)
        found = cloud.server(server)
        assert (found["OS-EXT-STS:task_state"], found["OS-EXT-STS:power_state"]) == (None, power)
        assert found["OS-SRV-USG:launched_at"] > launched


def test_rescuing_takes_the_nodes_time(cloud):
    server, node = start(cloud)
    cloud.app.control.delays.set(default=10)
    assert len(cloud.act(server, "rescue")[1]["adminPass"]) > 8
    seen = []
    for _ in range(5):
        assert state(cloud, server) == ("ACTIVE", "active", "rescuing")
        found = cloud.ironic("GET", f"/nodes/{node}")
        seen.append((found["provision_state"], found["power_state"], found["target_power_state"]))
        if found["provision_state"] == "rescuing":
            break
        cloud.clock.advance(5)
    assert seen[0] == ("active", "power on", "power off")
    assert seen[-1] == ("rescuing", "power off", None)
    cloud.clock.advance(10)
    assert state(cloud, server) == ("RESCUE", "rescued", None)


def test_a_server_whose_node_cannot_be_switched_off_is_broken(cloud):
    server, _ = start(cloud)
    match = {"method": "PUT", "path": "*/states/power"}
    cloud.app.control.faults.add(match, {"status": 500, "message": "No power."})
    assert cloud.act(server, "rescue")[0] == 200
    found = cloud.server(server)
    text = f"Instance {server} cannot be rescued: Driver Error: No power."
    assert (found["status"], found["fault"]["message"]) == ("ERROR", text)


@pytest.mark.parametrize(
    ("action", "failed", "text"),
    [
        (
            *("rescue", "rescue failed"),
            "Instance {} cannot be rescued: Driver Error: Failed to move instance to rescue mode: "
            "No ramdisk.",
        ),
        ("unrescue", "unrescue failed", "Failed to unrescue instance: No ramdisk."),
    ],
)
def test_a_server_whose_node_fails_is_broken(cloud, monkeypatch, action, failed, text):
    server, _ = start(cloud)
    if action == "unrescue":
        assert cloud.act(server, "rescue")[0] == 200
    cloud.app.control.delays.set(default=10)
    assert cloud.act(server, action)[0] in (200, 202)
    get_node = driver.get_node

    def broken(session, uuid):
        node = get_node(session, uuid)
        return {**node, "provision_state": failed, "last_error": "No ramdisk."}

    monkeypatch.setattr(driver, "get_node", broken)
    found = cloud.server(server)
    assert (found["status"], found["fault"]["message"]) == ("ERROR", text.format(server))


def test_a_node_that_cannot_be_rescued_breaks_the_server(cloud):
    cloud.node(rescue_interface="no-rescue")
    server = cloud.booted(cloud.flavor(), imageRef=IMAGE)["id"]
    assert cloud.act(server, "rescue")[0] == 200
    assert state(cloud, server) == ("ERROR", "error", None)


def test_a_server_with_a_volume_as_root_is_not_rescued(cloud):
    cloud.node()
    server = cloud.booted(cloud.flavor(), cloud.volume())["id"]
    answer = cloud.act(server, "rescue")
    text = f"Instance {server} cannot be rescued: Cannot rescue a volume-backed instance"
    assert (answer[0], message(answer)) == (400, text)


def test_states_are_reset_and_servers_deleted_at_all_costs(cloud):
    server, _ = start(cloud)
    for wanted in ("error", "active"):
        assert cloud.act(server, "os-resetState", {"state": wanted}) == (202, None)
        assert state(cloud, server)[1:] == (wanted, None)
    assert cloud.act(server, "os-resetState", {"state": "up"})[0] == 400
    assert cloud.act(server, "forceDelete") == (202, None)
    cloud.assert_nothing_left()
