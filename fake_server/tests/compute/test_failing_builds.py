"""What becomes of new servers where a service that Nova asks refuses something."""

from __future__ import annotations

import pytest

from fake_server.tests.compute.conftest import Cloud, image_device, message
from fake_server.tests.compute.test_attach_modes import IMAGE
from fake_server.tests.compute.test_failing_services import NODE, fail

NO_OTHER = (
    "Exceeded maximum number of retries. Exhausted all hosts available for retrying build failures "
    "for instance {1}."
)


@pytest.mark.rows
@pytest.mark.parametrize("do", [{"status": 500}, {"drop": "before"}, {"drop": "after"}])
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("PUT", "*/states/provision"),
        ("POST", "*/volume/targets"),
        ("PATCH", "*/v1/nodes/*"),
        ("PUT", "*/volume/v3/attachments/*"),
        ("PUT", "*/placement/allocations/*"),
        ("GET", "*/placement/allocation_candidates"),
        ("GET", "*/validate"),
    ],
)
def test_a_service_that_fails_does_not_leave_a_server_half_built(cloud, method, path, do):
    cloud.node()
    cloud.app.control.faults.add({"method": method, "path": path}, do, 1)
    server = cloud.booted(cloud.flavor(), cloud.volume())
    assert server["status"] == "ERROR"
    cloud.delete_without_a_trace(server)


@pytest.mark.parametrize(
    ("method", "path", "status", "match", "text"),
    [
        ("GET", NODE, 404, {}, NO_OTHER),
        ("PATCH", NODE, 409, {}, NO_OTHER),
        (
            *("PATCH", NODE, 400, {"nth": 2}),
            "Failed to add deploy parameters on node {} when provisioning the instance {}: Broken.",
        ),
        (
            *("POST", "*/volume/targets", 400, {}),
            "Failed to add volume target information of volume {volume} on node {} when "
            "provisioning the instance {}: Broken.",
        ),
        ("GET", "*/volume/targets", 400, {}, "Build of instance {1} aborted: Broken."),
        ("GET", "*/validate", 400, {}, "Build of instance {1} aborted: Broken."),
        (
            *("PUT", "*/states/provision", 400, {}),
            "Failed to request Ironic to provision instance: Broken.",
        ),
    ],
)
def test_what_keeps_a_server_from_being_built_is_told(cloud, method, path, status, match, text):
    node, volume = cloud.node(), cloud.volume()
    fail(cloud, method, path, status, **match)
    server = cloud.booted(cloud.flavor(), volume)
    assert server["status"] == "ERROR"
    assert server["fault"]["message"] == text.format(node, server["id"], volume=volume)
    cloud.delete_without_a_trace(server)


@pytest.mark.parametrize(
    ("values", "volume", "part", "text"),
    [
        ({"deploy_interface": "direct"}, False, "details", f"Image {IMAGE} could not be found"),
        ({"connected": False}, True, "message", "can't be connected to node"),
    ],
)
def test_a_node_that_does_not_suit_fails_the_server(cloud, values, volume, part, text):
    cloud.node(**values)
    wanted = {"volume": cloud.volume()} if volume else {"imageRef": IMAGE}
    server = cloud.booted(cloud.flavor(), **wanted)
    assert server["status"] == "ERROR"
    assert text in server["fault"][part]
    cloud.delete_without_a_trace(server)


def test_a_node_that_does_not_validate_is_not_deployed(cloud):
    node = cloud.node(deploy_interface="direct")
    flavor = cloud.flavor(resources__CUSTOM_GOLD="1", capabilities__boot_mode="moon")
    server = cloud.booted(flavor, imageRef=IMAGE)
    text = server["fault"]["message"]
    assert text.startswith(f"Ironic node: {node} failed to validate. (deploy: ")
    assert text.endswith(", power: No Error, storage: No Error)")
    assert cloud.get("baremetal", f"/nodes/{node}")["provision_state"] == "available"


@pytest.mark.parametrize(("method", "status"), [("GET", 404), ("PATCH", 409)])
def test_another_node_is_tried_where_the_first_cannot_be_claimed(cloud, method, status):
    for number in range(2):
        cloud.node(f"n{number}")
    fail(cloud, method, NODE, status)
    server = cloud.booted(cloud.flavor(), imageRef=IMAGE)
    assert server["status"] == "ACTIVE"
    assert len(cloud.allocations()) == 1


def test_after_three_nodes_no_other_is_tried(cloud):
    for number in range(5):
        cloud.node(f"n{number}")
    fail(cloud, "PATCH", NODE, 409, times=4)
    server = cloud.booted(cloud.flavor(), imageRef=IMAGE)
    assert server["status"] == "ERROR"
    (fault,) = cloud.app.control.faults.rules()
    assert fault.done == 3


@pytest.mark.parametrize(("status", "kept"), [(404, True), (500, False)])
def test_a_node_that_is_not_released_is_released_later(cloud, status, kept):
    node = cloud.node()
    fail(cloud, "GET", "*/validate")
    fail(cloud, "PATCH", NODE, status, nth=3)
    _, answer = cloud.boot(cloud.flavor(), imageRef=IMAGE)
    assert [fault.done for fault in cloud.app.control.faults.rules()] == [1, 1]
    server = cloud.server(answer["server"]["id"])
    assert (server["status"], server["OS-EXT-SRV-ATTR:hypervisor_hostname"]) == ("ERROR", None)
    # A node that isn't there any more need not be released.
    after = cloud.get("baremetal", f"/nodes/{node}")
    assert after["instance_uuid"] == (server["id"] if kept else None)


@pytest.mark.parametrize("path", ["*/v1/nodes/*/vifs/*", "*/placement/allocations/*"])
@pytest.mark.parametrize("status", [409, 500])
def test_no_other_node_is_tried_where_the_first_cannot_be_left(cloud, path, status):
    network = cloud.network()
    for name in ("n1", "n2"):
        cloud.node(name)
    fail(cloud, "POST", "*/v1/nodes/*/vifs")
    fail(cloud, "DELETE", path, status)
    server = cloud.booted(cloud.flavor(), imageRef=IMAGE, networks=[{"uuid": network}])
    assert server["status"] == "ERROR"
    assert "Cannot attach VIF to the node" in server["fault"]["message"]
    cloud.delete_without_a_trace(server)


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
    answer = cloud.boot(
        cloud.flavor(), imageRef=IMAGE, block_device_mapping_v2=[image_device(IMAGE), device]
    )
    assert answer[0] == 400
    assert message(answer).startswith("Invalid volume: ")
    assert text in message(answer)
    cloud.assert_nothing_left()


def failed(cloud, deployments, nodes, **values):
    """Ask for a server of which some deployments fail; return what the first answer shows."""
    enrolled = [cloud.node(f"n{number}") for number in range(nodes)]
    failing = {"last_error": "No disk."}
    cloud.app.control.faults.add({"flow": "deploy"}, failing, deployments)
    cloud.app.control.delays.set(default=10)
    if values.pop("forced", False):
        values["hypervisor_hostname"] = enrolled[0]
    return cloud.booted(cloud.flavor(), imageRef=IMAGE, **values)


def finished(cloud, server):
    """Return a server once it isn't built any more."""
    for _ in range(40):
        found = cloud.server(server["id"])
        if found["status"] != "BUILD":
            return found
        cloud.clock.advance(10)
    raise AssertionError(found)


def test_a_server_whose_deployment_fails_is_deployed_on_another_node(cloud):
    server = failed(cloud, 2, 4)
    found = finished(cloud, server)
    assert found["status"] == "ACTIVE"
    assert len(cloud.allocations()) == 1
    nodes = cloud.get("baremetal", "/nodes?associated=True")["nodes"]
    assert [node["uuid"] for node in nodes] == [found["OS-EXT-SRV-ATTR:hypervisor_hostname"]]


@pytest.mark.parametrize(
    ("nodes", "forced", "text"),
    [
        (
            *(4, False),
            "Exceeded maximum number of retries. Exceeded max scheduling attempts 3 for instance "
            "{1}. Last exception: Failed to provision instance {1}: ",
        ),
        (2, False, NO_OTHER),
        (2, True, "Build of instance {1} was re-scheduled: Failed to provision instance {1}: "),
    ],
)
def test_a_server_of_which_all_deployments_fail_is_given_up(cloud, nodes, forced, text):
    found = finished(cloud, failed(cloud, 9, nodes, forced=forced))
    assert found["status"] == "ERROR"
    assert found["fault"]["message"].startswith(text.format("", found["id"]))
    assert found["OS-EXT-SRV-ATTR:hypervisor_hostname"] is None or forced
    cloud.app.control.delays.set()
    cloud.clock.advance(100)
    cloud.delete_without_a_trace(found)


def test_only_administrators_are_told_the_details_of_a_fault():
    cloud = Cloud(auth="keystone")
    cloud.log_in("admin", None)
    cloud.node()
    cloud.log_in("project-admin")
    flavor = cloud.flavor()
    fail(cloud, "GET", NODE, 404)
    shown = {}
    cloud.log_in("project-member")
    server = cloud.booted(flavor, imageRef=IMAGE)["id"]
    for name in ("project-member", "project-admin"):
        cloud.log_in(name)
        shown[name] = cloud.server(server)["fault"]
    assert "is not available" in shown["project-admin"].pop("details")
    assert shown["project-admin"] == shown["project-member"]
