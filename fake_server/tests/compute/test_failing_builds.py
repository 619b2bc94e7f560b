"""What becomes of new servers where a service that Nova asks refuses something."""

from __future__ import annotations

import pytest

from fake_server.tests.compute.conftest import message
from fake_server.tests.compute.test_attach_modes import IMAGE
from fake_server.tests.compute.test_failing_services import NODE, fail


@pytest.mark.parametrize(
    ("method", "path", "match", "text"),
    [
        ("GET", NODE, {}, "Chosen ironic node {} is not available"),
        (
            *("PATCH", NODE, {}),
            "Failed to reserve node {} when provisioning the instance {}: Broken.",
        ),
    ],
)
@pytest.mark.parametrize("nodes", [1, 2])
def test_another_node_is_tried_where_the_first_cannot_be_claimed(
    cloud, method, path, match, text, nodes
):
    for number in range(nodes):
        cloud.node(f"n{number}")
    fail(cloud, method, path, 404 if method == "GET" else 409, **match)
    server = cloud.booted(cloud.flavor(), imageRef=IMAGE)
    if nodes == 2:
        assert server["status"] == "ACTIVE"
        assert len(cloud.left().allocations) == 1
        return
    (node,) = cloud.get("baremetal", "/nodes")["nodes"]
    assert server["status"] == "ERROR"
    expected = text.format(node["uuid"], server["id"])
    assert server["fault"]["message"] == f"No valid host was found. {expected}"
    assert cloud("DELETE", f"/servers/{server['id']}")[0] == 204
    cloud.assert_nothing_left()


def test_after_three_nodes_no_other_is_tried(cloud):
    for number in range(5):
        cloud.node(f"n{number}")
    fail(cloud, "PATCH", NODE, 409, times=4)
    server = cloud.booted(cloud.flavor(), imageRef=IMAGE)
    assert server["status"] == "ERROR"
    (fault,) = cloud.app.control.faults.rules()
    assert fault.done == 3


@pytest.mark.parametrize(
    ("method", "path", "match", "text"),
    [
        (
            *("PATCH", NODE, {"nth": 2}),
            "Failed to add deploy parameters on node {} when provisioning the instance {}: Broken.",
        ),
        (
            *("POST", "*/volume/targets", {}),
            "Failed to add volume target information of volume {volume} on node {} when "
            "provisioning the instance {}: Broken.",
        ),
        ("GET", "*/volume/targets", {}, "Build of instance {1} aborted: Broken."),
        ("GET", "*/validate", {}, "Build of instance {1} aborted: Broken."),
        (
            *("PUT", "*/states/provision", {}),
            "Failed to request Ironic to provision instance: Broken.",
        ),
    ],
)
def test_what_keeps_a_server_from_being_built_is_told(cloud, method, path, match, text):
    node, volume = cloud.node(), cloud.volume()
    fail(cloud, method, path, 400, **match)
    server = cloud.booted(cloud.flavor(), volume)
    assert server["status"] == "ERROR"
    assert server["fault"]["message"] == text.format(node, server["id"], volume=volume)
    assert cloud("DELETE", f"/servers/{server['id']}")[0] == 204
    cloud.assert_nothing_left()


def test_a_node_that_does_not_validate_is_not_deployed(cloud):
    node = cloud.node(deploy_interface="direct")
    flavor = cloud.flavor(resources__CUSTOM_GOLD="1", capabilities__boot_mode="moon")
    server = cloud.booted(flavor, imageRef=IMAGE)
    text = server["fault"]["message"]
    assert text.startswith(f"Ironic node: {node} failed to validate. (deploy: ")
    assert text.endswith(", power: No Error, storage: No Error)")
    assert cloud.get("baremetal", f"/nodes/{node}")["provision_state"] == "available"


@pytest.mark.parametrize(("status", "kept"), [(404, True), (500, False)])
def test_a_node_that_is_not_released_is_released_later(cloud, status, kept):
    node = cloud.node()
    fail(cloud, "GET", "*/validate")
    fail(cloud, "PATCH", NODE, status, nth=3)
    _, answer = cloud.boot(cloud.flavor(), imageRef=IMAGE)
    before = cloud.get("baremetal", f"/nodes/{node}")
    assert before["instance_uuid"] == answer["server"]["id"]
    server = cloud.server(answer["server"]["id"])
    assert (server["status"], server["OS-EXT-SRV-ATTR:hypervisor_hostname"]) == ("ERROR", None)
    # A node that isn't there any more need not be released.
    after = cloud.get("baremetal", f"/nodes/{node}")
    assert after["instance_uuid"] == (before["instance_uuid"] if kept else None)
    assert cloud("DELETE", f"/servers/{server['id']}")[0] == 204


@pytest.mark.parametrize("path", ["*/v1/nodes/*/vifs/*", "*/placement/allocations/*"])
@pytest.mark.parametrize("status", [409, 500])
def test_no_other_node_is_tried_where_the_first_cannot_be_left(cloud, path, status):
    network = cloud.send("network", "POST", "/networks", {"network": {"name": "private"}})[1]
    for name in ("n1", "n2"):
        cloud.node(name)
    fail(cloud, "POST", "*/v1/nodes/*/vifs")
    fail(cloud, "DELETE", path, status)
    wanted = [{"uuid": network["network"]["id"]}]
    server = cloud.booted(cloud.flavor(), imageRef=IMAGE, networks=wanted)
    assert server["status"] == "ERROR"
    assert "Cannot attach VIF to the node" in server["fault"]["message"]
    assert cloud("DELETE", f"/servers/{server['id']}")[0] == 204
    cloud.assert_nothing_left()


@pytest.mark.parametrize(
    ("device", "status", "text"),
    [
        ({"source_type": "image", "uuid": IMAGE, "volume_size": 1, "boot_index": 1}, 500, "Broken"),
        ({"source_type": "blank", "volume_size": 1, "volume_type": "moon"}, None, "moon"),
    ],
)
def test_a_volume_that_cinder_does_not_make_is_told(cloud, device, status, text):
    cloud.node()
    if status is not None:
        fail(cloud, "POST", "*/volume/v3/volumes", status)
    device = {"destination_type": "volume", **device}
    answer = cloud.boot(cloud.flavor(), imageRef=IMAGE, block_device_mapping_v2=[device])
    assert answer[0] == 400
    assert message(answer).startswith("Invalid volume: ")
    assert text in message(answer)
    cloud.assert_nothing_left()
