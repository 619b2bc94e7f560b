"""BIOS settings, firmware and RAID of machines with a Redfish controller, and their steps."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors, states
from fake_server.baremetal.drivers import controller
from fake_server.baremetal.drivers.base import Arguments, Step
from fake_server.baremetal.drivers.raid import FakeRAID
from fake_server.baremetal.drivers.redfish import RedfishInterface
from fake_server.baremetal.models import bios_settings, firmware
from fake_server.baremetal.models.machines import NEW
from fake_server.baremetal.task import power
from fake_server.common.schemas import Checker

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.task.task import Task


def _settings(description: str) -> Arguments:
    return {"settings": {"description": description, "required": True}}


_BIOS_STEPS = (
    Step(
        "apply_configuration",
        arguments=_settings("A list of BIOS settings to be applied"),
        ramdisk=False,
    ),
    Step("factory_reset", ramdisk=False),
)
_UPDATE = Step(
    "update", arguments=_settings("A list of dicts with firmware components to be updated")
)
_COMPONENT = {
    "type": "string",
    "anyOf": [{"enum": ["bios", "bmc"]}, {"pattern": "^nic:.*"}],
}
_UPDATES = Checker(
    {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "type": "array",
        "minItems": 1,
        "items": {
            "type": "object",
            "required": ["component", "url"],
            "properties": {
                "component": _COMPONENT,
                "url": {"type": "string", "minLength": 1},
                "wait": {"type": "integer", "minimum": 1},
            },
            "additionalProperties": False,
        },
    }
)


class RedfishBIOS(RedfishInterface):
    """BIOS settings of the controller."""

    kind = "bios"
    steps = MappingProxyType(
        {
            "clean": _BIOS_STEPS,
            "deploy": tuple(replace(step, abortable=True, ramdisk=None) for step in _BIOS_STEPS),
            "service": _BIOS_STEPS,
        }
    )

    def refresh(self, task: Task) -> None:
        """Keep the settings, and what their registry says; raise RedfishError if that fails."""
        values: Mapping[str, str] = controller.redfish(task, "bios").machine["bios"]
        bios_settings.replace(
            task.session,
            task.node,
            {
                name: {"value": value, **controller.registry_entry(name)}
                for name, value in values.items()
            },
        )

    def run_step(self, task: Task, flow: str, step: dict[str, Any]) -> bool:
        """Change settings, or reset all, and reboot the machine for that.

        :raises InvalidParameterValue: for values that a setting can't have.
        :raises RedfishError: if the controller fails.
        """
        waits = super().run_step(task, flow, step)
        found = controller.redfish(task, "bios")
        present = found.machine["bios"]
        if step["step"] == "factory_reset":
            after = dict(NEW["bios"])
        else:
            after = {**present, **_wanted(task, step)}
        if after != present or step["step"] == "factory_reset":
            power.act(task, states.REBOOT)
        found.change(bios=after)
        self.refresh(task)
        return waits


class RedfishFirmware(RedfishInterface):
    """Firmware components of the controller."""

    kind = "firmware"
    steps = MappingProxyType(
        {
            "clean": (_UPDATE,),
            "deploy": (replace(_UPDATE, ramdisk=None),),
            "service": (replace(_UPDATE, ramdisk=False),),
        }
    )

    def refresh(self, task: Task) -> None:
        """Keep the components; raise RedfishError if that fails."""
        versions: Mapping[str, str] = controller.redfish(task, "firmware").machine["firmware"]
        known = {row["component"]: row for row in firmware.fetch(task.session, task.node)}
        for component, version in versions.items():
            values = {
                "current_version": version,
                "model": "Joo Janta 200" if component == "bmc" else None,
            }
            if component in known and known[component]["current_version"] != version:
                values["last_version_flashed"] = version
            firmware.store(task.session, task.node, component, values)

    def run_step(self, task: Task, flow: str, step: dict[str, Any]) -> bool:
        """Update components, each to the version after its present one, and reboot the machine.

        :raises InvalidParameterValue: for settings that don't name components and images.
        :raises RedfishError: if the controller fails.
        """
        waits = super().run_step(task, flow, step)
        wanted = step["args"]["settings"]
        problem = _UPDATES.best(wanted)
        if problem is not None:
            raise errors.InvalidParameterValue(
                f"Invalid firmware update {wanted}. Errors: {problem}"
            )
        found = controller.redfish(task, "firmware")
        versions = dict(found.machine["firmware"])
        for item in wanted:
            versions[item["component"]] = _following(versions.get(item["component"], "1.00"))
        found.change(firmware=versions)
        power.act(task, states.REBOOT)
        self.refresh(task)
        return waits


class RedfishRAID(RedfishInterface, FakeRAID):
    """RAID by the controller."""

    validate = FakeRAID.validate


def _wanted(task: Task, step: dict[str, Any]) -> dict[str, str]:
    """Return the settings that a step names; raise InvalidParameterValue for a wrong value."""
    try:
        wanted = {item["name"]: item["value"] for item in step["args"]["settings"]}
    except (TypeError, KeyError) as exc:
        raise errors.InvalidParameterValue(str(exc)) from exc
    known = {row["name"]: row for row in bios_settings.fetch(task.session, task.node)}
    invalid = [
        name
        for name, value in wanted.items()
        if name in known
        and known[name]["allowable_values"]
        and value not in known[name]["allowable_values"]
    ]
    if invalid:
        raise errors.InvalidParameterValue(
            f"Redfish BIOS apply_configuration failed for node {task.node['uuid']}: invalid value "
            f"for setting(s): {', '.join(invalid)}"
        )
    return wanted


def _following(version: str) -> str:
    """Return the version after another one: 1.01 after 1.00."""
    major, _, minor = version.rpartition(".")
    return f"{major or '1'}.{int(minor) + 1:02}" if minor.isdecimal() else f"{version}.1"
