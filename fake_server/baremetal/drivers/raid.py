"""RAID interfaces: which configurations they accept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors
from fake_server.baremetal.models.node_properties import set_capability
from fake_server.common.schemas import Checker

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.task.protocol import Task

#: The schema of a configuration, in a file as Ironic has it.
_SCHEMA = json.loads(Path(__file__).with_name("raid_config_schema.json").read_bytes())
_CONFIGURATION = Checker(_SCHEMA)
#: Properties of a logical disk, described as ``…/raid/logical_disk_properties`` does.
LOGICAL_DISK: Mapping[str, Any] = _SCHEMA["properties"]["logical_disks"]["items"]["properties"]


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
    node, now = task.node, task.session.clock.now()
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
