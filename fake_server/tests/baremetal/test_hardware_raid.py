"""RAID that controllers and agents build as steps."""

from __future__ import annotations

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
