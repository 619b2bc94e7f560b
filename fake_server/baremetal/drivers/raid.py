"""RAID interfaces: which configurations they accept."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors
from fake_server.baremetal.models.node_properties import set_capability
from fake_server.common.schemas import Checker

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.task.task import Task

#: Properties of a logical disk, described as ``…/raid/logical_disk_properties`` does.
LOGICAL_DISK: Mapping[str, Any] = MappingProxyType(
    {
        "raid_level": {
            "type": "string",
            "enum": ["JBOD", "0", "1", "2", "5", "6", "1+0", "5+0", "6+0"],
            "description": "RAID level for the logical disk. Valid values are 'JBOD', '0', '1', "
            "'2', '5', '6', '1+0', '5+0' and '6+0'. Required.",
        },
        "size_gb": {
            "anyOf": [{"type": "integer", "minimum": 0}, {"type": "string", "enum": ["MAX"]}],
            "description": "Size in GiB (Integer) for the logical disk. Use 'MAX' as size_gb if "
            "this logical disk is supposed to use the rest of the space available. Required.",
        },
        "volume_name": {
            "type": "string",
            "description": "Name of the volume to be created. If this is not specified, it will "
            "be auto-generated. Optional.",
        },
        "is_root_volume": {
            "type": "boolean",
            "description": "Specifies whether this disk is a root volume. By default, this is "
            "False. Optional.",
        },
        "share_physical_disks": {
            "type": "boolean",
            "description": "Specifies whether other logical disks can share physical disks with "
            "this logical disk. By default, this is False. Optional.",
        },
        "disk_type": {
            "type": "string",
            "enum": ["hdd", "ssd"],
            "description": "The type of disk preferred. Valid values are 'hdd' and 'ssd'. If this "
            "is not specified, disk type will not be a selection criterion for choosing backing "
            "physical disks. Optional.",
        },
        "interface_type": {
            "type": "string",
            "enum": ["sata", "scsi", "sas"],
            "description": "The interface type of disk. Valid values are 'sata', 'scsi' and 'sas'. "
            "If this is not specified, interface type will not be a selection criterion for "
            "choosing backing physical disks. Optional.",
        },
        "number_of_physical_disks": {
            "type": "integer",
            "minimum": 0,
            "exclusiveMinimum": True,
            "description": "Number of physical disks to use for this logical disk. By default, the "
            "driver uses the minimum number of disks required for that RAID level. Optional.",
        },
        "controller": {
            "type": "string",
            "description": "Controller to use for this logical disk. If not specified, the driver "
            "will choose a suitable RAID controller on the bare metal node. Optional.",
        },
        "physical_disks": {
            "anyOf": [
                {"type": "array", "items": {"type": "string"}},
                {"type": "array", "items": {"type": "object"}, "minItems": 2},
            ],
            "description": "The physical disks to use for this logical disk. If not specified, the "
            "driver will choose suitable physical disks to use. Optional.",
        },
    }
)
_CONFIGURATION = Checker(
    {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "type": "object",
        "properties": {
            "logical_disks": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": dict(LOGICAL_DISK),
                    "required": ["raid_level", "size_gb"],
                    "additionalProperties": False,
                    "dependencies": {"physical_disks": ["controller"]},
                },
                "minItems": 1,
            }
        },
        "required": ["logical_disks"],
        "additionalProperties": False,
    }
)


def check_raid(configuration: Mapping[str, Any]) -> None:
    """Check a RAID configuration; raise InvalidParameterValue if it isn't valid."""
    problem = _CONFIGURATION.best(configuration)
    if problem is not None:
        raise errors.InvalidParameterValue(f"RAID config validation error: {problem.message}")
    roots = [disk for disk in configuration["logical_disks"] if disk.get("is_root_volume")]
    if len(roots) > 1:
        raise errors.InvalidParameterValue(
            "Raid config cannot have more than one root volume. "
            f"{len(roots)} root volumes were specified"
        )


def note_raid(task: Task, found: Mapping[str, Any]) -> None:
    """Note the logical disks of a node, and what follows from its root volume.

    :param found: the value of ``raid_config``, without the time.
    """
    node, now = task.node, task.session.clock.now().replace(tzinfo=None)
    node["raid_config"] = {
        **found,
        "last_updated": now.isoformat(sep=" ", timespec="microseconds"),
    }
    for disk in found.get("logical_disks", []):
        if not disk.get("is_root_volume"):
            continue
        if disk["size_gb"] != "MAX":
            node["properties"]["local_gb"] = int(disk["size_gb"])
        if "root_device_hint" in disk:
            node["properties"]["root_device"] = disk["root_device_hint"]
        set_capability(node, "raid_level", disk["raid_level"])
    task.save()
