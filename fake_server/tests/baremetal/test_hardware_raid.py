"""RAID by controllers and agents, and what a rescue needs."""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.hardware_nodes import (
    DISKS,
    built,
    clean,
    drives,
    managed,
    raid,
    target,
)


@pytest.mark.parametrize(("size", "local_gb"), [("MAX", None), (10, 10)])
def test_the_size_of_the_root_volume_is_noted_if_it_is_known(size, local_gb):
    api = managed(raid_interface="agent")
    target(api, {**DISKS[0], "size_gb": size})
    node = clean(api, raid("create_configuration"))
    assert (node["provision_state"], node["last_error"]) == ("manageable", None)
    assert [disk["size_gb"] for disk in built(api)] == [size]
    assert node["properties"].get("local_gb") == local_gb
    assert node["properties"]["capabilities"] == "raid_level:1"


def test_a_target_that_was_taken_is_valid():
    api = managed(raid_interface="agent")
    target(api, *DISKS)
    assert api("GET", "/v1/nodes/n/validate")[1]["raid"] == {"result": True}
    roots = [{**DISKS[0], "volume_name": name} for name in ("a", "b")]
    status, text = api("PUT", "/v1/nodes/n/states/raid", {"logical_disks": roots})
    assert (status, "2 root volumes were specified" in text) == (400, True)
    assert api.node()["target_raid_config"] == {"logical_disks": DISKS}


def test_a_node_without_raid_has_no_such_page():
    """Ironic's exception says 400, and its API 404 here (``NodeStatesController.raid``)."""
    api = managed(raid_interface="no-raid")
    status, text = api("PUT", "/v1/nodes/n/states/raid", {"logical_disks": DISKS})
    assert (status, "does not support raid" in text) == (404, True)
    assert api.node()["target_raid_config"] == {}


@pytest.mark.parametrize(
    ("password", "problem"),
    [
        (
            None,
            "Node {node} is missing 'instance_info/rescue_password'. It is required for rescuing "
            "node.",
        ),
        (
            " ",
            "The 'instance_info/rescue_password' is an empty string for node {node}. The "
            "'rescue_password' must be a non-empty string value.",
        ),
        (5, "The 'instance_info/rescue_password' of node {node} must be a non-empty string."),
        ("secret", None),
    ],
)
def test_a_rescue_needs_a_password(password, problem):
    api = managed(rescue_interface="agent")
    for name in ("rescue_kernel", "rescue_ramdisk"):
        api.patch(f"driver_info/{name}", "http://images/x")
    api.patch("instance_info", {} if password is None else {"rescue_password": password})
    found = api("GET", "/v1/nodes/n/validate")[1]["rescue"]
    reason = problem and problem.format(node=api.node()["uuid"])
    assert (found["result"], found.get("reason")) == (problem is None, reason)


def test_raid_by_redfish_has_no_scsi():
    api = managed()
    disk = {"size_gb": 1, "raid_level": "0", "interface_type": "scsi"}
    assert api("PUT", "/v1/nodes/n/states/raid", {"logical_disks": [disk]}) == (
        400,
        "interface type `scsi` not supported by Redfish RAID",
    )


def test_an_idrac_builds_raid_without_a_ramdisk():
    api = managed("idrac")
    drives(api, 2)
    target(api, DISKS[0])
    node = clean(api, raid("create_configuration"), disable_ramdisk=True)
    assert (node["provision_state"], len(built(api))) == ("manageable", 1)
