"""RAID that controllers and agents build as steps."""

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


def test_raid_by_the_agent():
    api = managed(raid_interface="agent")
    target(api, *DISKS)
    node = clean(api, raid("delete_configuration"), raid("create_configuration"))
    assert (node["provision_state"], node["last_error"]) == ("manageable", None)
    assert built(api) == DISKS
    properties = node["properties"]
    assert (properties["local_gb"], properties["capabilities"]) == (10, "raid_level:1")
    node = clean(api, raid("delete_configuration"))
    assert node["raid_config"] == {}


def test_raid_by_the_agent_without_a_target():
    api = managed(raid_interface="agent")
    node = clean(api, raid("create_configuration"))
    assert node["last_error"].endswith(f"Node {node['uuid']} has no target RAID configuration.")


@pytest.mark.parametrize(
    ("more", "sizes"), [({}, [10]), ({"create_nonroot_volumes": True}, [10, 20])]
)
def test_a_configuration_is_applied_to_the_root_volume_unless_more_is_asked_for(more, sizes):
    api = managed()
    drives(api, 3)
    api.provision("adopt")
    step = raid("apply_configuration", raid_config={"logical_disks": DISKS}, **more)
    api.provision("service", service_steps=[step])
    assert sorted(disk["size_gb"] for disk in built(api)) == sizes
