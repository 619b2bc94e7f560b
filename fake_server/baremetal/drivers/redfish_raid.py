"""RAID by a Redfish controller: volumes on the drives of the machine."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from fake_server.baremetal import errors
from fake_server.baremetal.drivers import controller
from fake_server.baremetal.drivers.base import RAIDInterface
from fake_server.baremetal.drivers.raid import note_raid
from fake_server.baremetal.drivers.redfish import RedfishInterface
from fake_server.baremetal.drivers.steps import Step

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.drivers.controller import Controller
    from fake_server.baremetal.task.protocol import Task


class _Level(NamedTuple):
    """A RAID level.

    :param drives: how many drives it needs at least, and has at most.
    :param overhead: how many of them hold no data: of all, or of each pair or half.
    :param spans: how many spans it has; 0 for one for each pair of drives.
    """

    drives: tuple[int, float]
    overhead: int
    spans: int = 1


_LEVELS: Mapping[str, _Level] = {
    "0": _Level((1, inf), 0),
    "1": _Level((2, 2), 1),
    "5": _Level((3, inf), 1),
    "6": _Level((4, inf), 2),
    "1+0": _Level((4, inf), 1, 0),
    "5+0": _Level((6, inf), 1, 2),
    "6+0": _Level((8, inf), 2, 2),
}
_SWITCHES = ("create_root_volume", "create_nonroot_volumes", "delete_existing")


def _arguments(texts: tuple[str, str, str]) -> dict[str, dict[str, Any]]:
    pairs = zip(_SWITCHES, texts, strict=True)
    return {name: {"description": text, "required": False} for name, text in pairs}


_CREATE = Step(
    "create_configuration",
    arguments=_arguments(
        (
            "This specifies whether to create the root volume. Defaults to `True`.",
            "This specifies whether to create the non-root volumes. Defaults to `True`.",
            "Setting this to `True` indicates to delete existing RAID configuration prior to "
            "creating the new configuration. Default value is `False`.",
        )
    ),
)
_APPLY = Step(
    "apply_configuration",
    arguments={
        "raid_config": {"description": "The RAID configuration to apply.", "required": True},
        **_arguments(
            (
                "Setting this to 'False' indicates not to create root volume that is specified in "
                "'raid_config'. Default value is 'True'.",
                "Setting this to 'False' indicates not to create non-root volumes (all except the "
                "root volume) in 'raid_config'. Default value is 'True'.",
                "Setting this to 'True' indicates to delete existing RAID configuration prior to "
                "creating the new configuration. Default value is 'True'.",
            )
        ),
    },
)
_DELETE = Step("delete_configuration")
_DEPLOY = tuple(replace(step, abortable=True, ramdisk=None) for step in (_APPLY, _DELETE))


class RedfishRAID(RedfishInterface, RAIDInterface, names={"redfish": "redfish.raid.RedfishRAID"}):
    """RAID by the controller, which completes it at once."""

    steps: ClassVar = {"clean": (_CREATE, _DELETE), "deploy": _DEPLOY, "service": (_APPLY, _DELETE)}
    validate = RAIDInterface.validate

    def check_configuration(self, task: Task, configuration: Mapping[str, Any]) -> None:
        """Check a configuration; raise InvalidParameterValue if it isn't valid."""
        super().check_configuration(task, configuration)
        if any(disk.get("interface_type") == "scsi" for disk in configuration["logical_disks"]):
            raise errors.InvalidParameterValue(
                "interface type `scsi` not supported by Redfish RAID"
            )

    def run_step(self, task: Task, flow: str, step: dict[str, Any]) -> bool:
        """Create or delete volumes, and note in ``raid_config`` which there are then.

        :raises InvalidParameterValue: for a configuration that isn't valid.
        :raises RedfishError: if the drives don't suffice, or the controller fails.
        """
        super().run_step(task, flow, step)
        args = step.get("args") or {}
        found = controller.redfish(task, "raid")
        if step["step"] == "delete_configuration":
            found.change(volumes={})
        else:
            if step["step"] == "apply_configuration":
                self.check_configuration(task, args["raid_config"])
                task.node["target_raid_config"] = args["raid_config"]
                args = {"create_nonroot_volumes": False, **args}
            wanted = task.node["target_raid_config"].get("logical_disks")
            if wanted is None:
                raise errors.InvalidParameterValue("'logical_disks'")
            found.change(volumes=_with_volumes(task, found, wanted, args))
        _note(task, found)
        return False


class IdracRAID(RedfishRAID, names={"idrac-redfish": "drac.raid.DracRedfishRAID"}):
    """The same by an iDRAC, which needs no ramdisk for it in cleaning."""

    steps: ClassVar = {
        "clean": (replace(_CREATE, ramdisk=False), replace(_DELETE, ramdisk=False)),
        "deploy": _DEPLOY,
        "service": (_APPLY,),
    }


def _with_volumes(
    task: Task, found: Controller, disks: list[dict[str, Any]], args: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the volumes of the machine with those that are created on its drives."""
    for disk in disks:
        if disk["size_gb"] == "MAX" and "physical_disks" not in disk:
            raise errors.InvalidParameterValue(
                "create_configuration called with invalid target_raid_configuration for node "
                f"{task.node['uuid']}. 'physical_disks' is missing from logical_disk while "
                f"'size_gb'='MAX' was requested: {disk}"
            )
    volumes = dict(found.machine["volumes"])
    free = dict(found.machine["drives"])
    named = [disk for disk in disks if "physical_disks" in disk]
    others = [disk for disk in disks if "physical_disks" not in disk]
    chosen = [(disk, *_choose(found, free, disk)) for disk in (*named, *others)]
    # As Ironic does, create those for which drives had to be found in reverse.
    for disk, drives, size in (*chosen[: len(named)], *reversed(chosen[len(named) :])):
        wanted = "create_root_volume" if disk.get("is_root_volume") else "create_nonroot_volumes"
        if args.get(wanted, True):
            ident = str(max(map(int, volumes), default=0) + 1)
            volumes[ident] = {
                "name": disk.get("volume_name", f"Volume {ident}"),
                "raid_level": disk["raid_level"],
                "size_gb": size,
                "drives": drives,
            }
    return volumes


def _choose(found: Controller, free: dict[str, int], disk: dict[str, Any]) -> tuple[list[str], int]:
    """Take the space of a volume from drives; return the drives, and the size of the volume.

    :param free: the free GiB by drive; changed in place.
    """
    level = _LEVELS.get(disk["raid_level"])
    if level is None:
        raise errors.RedfishError(
            error=f"RAID level {disk['raid_level']} is not supported by the driver. Supported RAID "
            f"levels: {', '.join(_LEVELS)}"
        )
    usable = [
        name
        for name in disk.get("physical_disks") or free
        if name in free
        and (disk.get("share_physical_disks") or free[name] == found.machine["drives"][name])
    ]
    least, most = level.drives
    counts = [len(usable)] if "physical_disks" in disk else range(least, len(usable) + 1)
    for count in counts:
        spans = level.spans or count // 2
        data = count - level.overhead * spans
        if not least <= count <= most or (spans and count % spans):
            continue
        if disk.get("number_of_physical_disks", count) != count:
            continue
        chosen = sorted(usable, key=free.__getitem__)[:count]
        room = min(free[name] for name in chosen) * data
        size = room if disk["size_gb"] == "MAX" else disk["size_gb"]
        if size <= room:
            for name in chosen:
                free[name] -= -(-size // data)
            return chosen, size
    raise errors.RedfishError(error="failed to find matching physical disks for all logical disks")


def _note(task: Task, found: Controller) -> None:
    volumes: Mapping[str, dict[str, Any]] = found.machine["volumes"]
    disks = [
        {
            "id": ident,
            "name": volume["name"],
            "controller": "1",
            "size_gb": volume["size_gb"],
            "raid_level": volume["raid_level"],
        }
        for ident, volume in volumes.items()
    ]
    note_raid(task, {"logical_disks": disks})
