"""Provision verbs: where they lead, what they refuse, and what they leave behind."""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.api import Api
from fake_server.tests.wsgi import request


@pytest.fixture
def api():
    return Api()


def test_a_transition_takes_as_long_as_it_is_told(api):
    api = Api(delay=60)
    uuid = api.enrol()
    api.provision("manage")
    node = api.node()
    assert node["provision_state"] == "verifying"
    assert node["target_provision_state"] == "manageable"
    assert node["reservation"] == "localhost"
    assert api("PUT", "/v1/nodes/n/states/power", {"target": "power on"}) == (
        409,
        f"Node {uuid} is locked by host localhost, please retry after the current operation is "
        "completed.",
    )
    api.clock.advance(59)
    assert api.state() == "verifying"
    api.clock.advance(1)
    node = api.node()
    assert node["provision_state"] == "manageable"
    assert node["reservation"] is None


def test_a_list_shows_transitions_that_are_due():
    api = Api(delay=10)
    api.enrol()
    api.provision("manage")
    api.clock.advance(10)
    _, body = api("GET", "/v1/nodes?provision_state=manageable")
    assert [node["name"] for node in body["nodes"]] == ["n"]


@pytest.mark.parametrize(
    ("project", "lessee"), [("p1", "p1"), (5, "5"), (True, "True"), ("", None), (0, None)]
)
def test_who_owns_the_instance_rents_the_node_meanwhile(api, project, lessee):
    api.enrol()
    api.provision("manage", "provide")
    api.patch("instance_info", {"project_id": project})
    api.provision("active")
    node = api.node()
    assert node["lessee"] == lessee
    assert node["driver_internal_info"].get("automatic_lessee") is (True if lessee else None)
    api.provision("deleted")
    node = api.node()
    assert node["lessee"] is None
    assert "automatic_lessee" not in node["driver_internal_info"]


def test_who_rents_a_node_keeps_it(api):
    api.enrol()
    api.provision("manage", "provide")
    api.patch("lessee", "tenant")
    api.patch("instance_info", {"project_id": "p1"})
    api.provision("active")
    api.provision("deleted")
    assert api.node()["lessee"] == "tenant"


def test_rebuilding_needs_an_image(api):
    api.enrol()
    api.provision("manage", "adopt")
    status, text = api.provision("rebuild")
    assert status == 400
    assert "image_source" in text
    assert api.state() == "active"
    api.patch("instance_info", {"image_source": "http://images/one"})
    assert api.provision("rebuild") == (202, None)
    assert api.node()["instance_info"]["image_type"] == "whole-disk"


@pytest.mark.parametrize(
    ("properties", "kind"),
    [
        ({}, "whole-disk"),
        ({"kernel_id": "k"}, "partition"),
        ({"ramdisk_id": "r"}, "partition"),
        ({"img_type": "partition"}, "partition"),
        ({"img_type": "whole-disk", "kernel_id": "k"}, "whole-disk"),
    ],
)
@pytest.mark.parametrize("prefix", ["", "glance://"])
def test_glance_knows_what_kind_an_image_is(api, properties, kind, prefix):
    formats = {"disk_format": "raw", "container_format": "bare"}
    _, image = api("POST", "/image/v2/images", {"name": "linux", **formats, **properties})
    binary = {"CONTENT_TYPE": "application/octet-stream"}
    path = f"/image/v2/images/{image['id']}/file"
    assert api.app.answer(request("PUT", path, b"content", **binary)).status == 204
    api.enrol(instance_info={"image_source": prefix + image["id"]})
    api.provision("manage", "provide", "active")
    node = api.node()
    assert node["instance_info"]["image_type"] == kind
    assert node["driver_internal_info"]["is_whole_disk_image"] is (kind == "whole-disk")
    assert api.provision("rebuild") == (202, None)


def test_an_image_that_glance_does_not_hold_yet_is_of_no_kind(api):
    _, image = api("POST", "/image/v2/images", {"name": "linux"})
    api.enrol(instance_info={"image_source": image["id"]})
    api.provision("manage", "provide", "active")
    assert api.node()["instance_info"] == {"image_source": image["id"]}
    assert api.provision("rebuild")[0] == 400


def test_an_image_that_nobody_can_fetch_is_refused(api):
    api.enrol(deploy_interface="direct")
    api.provision("manage", "provide")
    api.patch("instance_info", {"image_source": "gopher://images/one"})
    status, text = api.provision("active")
    assert (status, text) == (
        400,
        "Validation of image href gopher://images/one failed, reason: Image download protocol "
        "gopher is not supported.",
    )


@pytest.mark.parametrize(("interface", "left"), [("fake", 1), ("direct", 0)])
def test_tear_down_clears_volume_targets_where_the_interface_does(api, interface, left):
    uuid = api.enrol(
        deploy_interface=interface,
        storage_interface="external",
        properties={"capabilities": "iscsi_boot:true"},
    )
    target = {"node_uuid": uuid, "volume_type": "iscsi", "boot_index": 0, "volume_id": "v"}
    assert api("POST", "/v1/volume/targets", target)[0] == 201
    api.provision("manage", "provide", "active")
    assert api.state() == "active"
    api.provision("deleted")
    _, body = api("GET", "/v1/volume/targets")
    assert len(body["targets"]) == left


def test_rescue_keeps_its_password_to_itself(api):
    api.enrol()
    api.provision("manage", "adopt")
    assert api.provision("rescue", rescue_password=" ")[0] == 400
    assert api.provision("rescue", rescue_password="secret") == (202, None)
    node = api.node()
    assert node["provision_state"] == "rescue"
    assert "secret" not in str(node)
    assert api.provision("unrescue") == (202, None)
    assert api.state() == "active"


def test_instance_traits_have_to_be_the_nodes(api):
    uuid = api.enrol()
    api.provision("manage", "provide")
    api("PUT", "/v1/nodes/n/traits", {"traits": ["CUSTOM_A"]})
    api.patch("instance_info", {"traits": ["CUSTOM_A", "CUSTOM_B"]})
    assert api.provision("active") == (
        400,
        f"Failed to validate deploy or power info for node {uuid}: Cannot specify instance traits "
        f"that are not also set on the node. Node {uuid} is missing traits CUSTOM_B",
    )
    _, body = api("GET", "/v1/nodes/n/validate")
    assert body["deploy"]["result"] is False
    api("PUT", "/v1/nodes/n/traits/CUSTOM_B")
    assert api.provision("active") == (202, None)


def test_a_volume_needs_the_capability_to_boot_from_it(api):
    uuid = api.enrol(deploy_interface="direct", storage_interface="external")
    target = {"node_uuid": uuid, "volume_type": "iscsi", "boot_index": 0, "volume_id": "v"}
    api("POST", "/v1/volume/targets", target)
    api.provision("manage", "provide", "active")
    node = api.node()
    assert node["provision_state"] == "deploy failed"
    assert node["last_error"] == (
        f"Failed to prepare to deploy: Node {uuid} has an iSCSI boot volume defined and no iSCSI "
        "boot support available."
    )


def test_adoption_reads_capabilities_that_are_no_text(api):
    fields = {"deploy_interface": "direct", "storage_interface": "external"}
    uuid = api.enrol(properties={"capabilities": ["iscsi_boot"]}, **fields)
    target = {"node_uuid": uuid, "volume_type": "iscsi", "boot_index": 0, "volume_id": "v"}
    assert api("POST", "/v1/volume/targets", target)[0] == 201
    api.provision("manage", "adopt")
    node = api.node()
    assert (node["provision_state"], node["last_error"]) == (
        "adopt failed",
        f"Error while attempting to adopt node {uuid}: Value of 'capabilities' must be string. "
        "Got <class 'list'>.",
    )


@pytest.mark.parametrize("target", ["active", "deploy", "rebuild"])
def test_nodes_in_maintenance_are_not_deployed(api, target):
    uuid = api.enrol()
    api.provision("manage", "provide")
    api("PUT", "/v1/nodes/n/maintenance", {})
    assert api("PUT", "/v1/nodes/n/states/provision", {"target": target}) == (
        400,
        f"The provisioning operation can't be performed on node {uuid} because it's in "
        "maintenance mode.",
    ), target
    assert api.state() == "available"
