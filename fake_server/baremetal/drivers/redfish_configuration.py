"""BIOS settings and firmware of machines with a Redfish controller, and their steps."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import errors, states
from fake_server.baremetal.drivers import async_steps, controller
from fake_server.baremetal.drivers.base import BIOSInterface, FirmwareInterface
from fake_server.baremetal.drivers.redfish import RedfishInterface
from fake_server.baremetal.drivers.steps import Arguments, Step
from fake_server.baremetal.models import hardware
from fake_server.baremetal.models.machines import NEW
from fake_server.baremetal.task import power
from fake_server.common.schemas import Checker

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.drivers.controller import Controller
    from fake_server.baremetal.task.protocol import Task

#: Keys of ``driver_internal_info``, by which Ironic knows what it waits for.
_STATE = "redfish_bios_state"
_UPDATED = "redfish_fw_updates"
_OF_UPDATE = (_UPDATED, "redfish_fw_update_start_time", "bmc_fw_version_before_update")
#: Seconds that Ironic gives a machine to be up again.
_REBOOT_SECONDS = 300


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


class RedfishBIOS(
    RedfishInterface,
    BIOSInterface,
    names={"redfish": "redfish.bios.RedfishBIOS", "idrac-redfish": "drac.bios.DracRedfishBIOS"},
):
    """BIOS settings of the controller."""

    steps: ClassVar = {
        "clean": _BIOS_STEPS,
        "deploy": tuple(replace(step, abortable=True, ramdisk=None) for step in _BIOS_STEPS),
        "service": _BIOS_STEPS,
    }

    def refresh(self, task: Task) -> None:
        """Keep the settings, and what their registry says; raise RedfishError if that fails."""
        values: Mapping[str, str] = controller.redfish(task, "bios").machine["bios"]
        hardware.replace_bios_settings(
            task.session,
            task.node,
            {
                name: {"value": value, **controller.registry_entry(name)}
                for name, value in values.items()
            },
        )

    def run_step(self, task: Task, flow: str, step: dict[str, Any]) -> bool:
        """Change settings, or reset all, and reboot the machine for that.

        The step runs again once the machine is up again.

        :raises InvalidParameterValue: for values that a setting can't have.
        :raises RedfishError: if the controller fails, or settings have other values afterwards.
        """
        super().run_step(task, flow, step)
        found = controller.redfish(task, "bios")
        waits = not self._finish(task, found) and self._start(task, flow, step, found)
        self.refresh(task)
        return waits

    def is_done(self, task: Task, step: dict[str, Any]) -> bool:
        """Return whether the machine has the settings that a step asked for."""
        try:
            found = controller.redfish(task, "bios")
        except errors.ApiError:
            return False
        return not _missing(task, found)

    def _start(self, task: Task, flow: str, step: dict[str, Any], found: Controller) -> bool:
        """Ask for settings; return whether the machine is rebooted for them."""
        state: dict[str, Any] = {"reboot_requested": True}
        if step["step"] == "factory_reset":
            found.change(pending_bios=dict(NEW["bios"]))
        else:
            wanted = _wanted(task, step)
            if wanted.items() <= found.machine["bios"].items():
                return False
            machine = found.machine
            found.change(pending_bios={**machine["bios"], **machine["pending_bios"], **wanted})
            state["requested_bios_attrs"] = wanted
        task.internal[_STATE] = state
        polls = not async_steps.needs_ramdisk(task, flow)
        async_steps.wait(task, flow, reboots=True, polls=polls, skips=False)
        async_steps.reboot(task, flow)
        return True

    def _finish(self, task: Task, found: Controller) -> bool:
        """Return whether the machine was rebooted for the step that runs."""
        if _STATE not in task.internal:
            return False
        missing = _missing(task, found)
        task.forget(_STATE)
        task.save()
        if missing:
            raise errors.RedfishError(
                error="Redfish BIOS apply_configuration step failed. Attributes "
                f"{missing} are not updated."
            )
        return True


class RedfishFirmware(
    RedfishInterface, FirmwareInterface, names={"redfish": "redfish.firmware.RedfishFirmware"}
):
    """Firmware components of the controller."""

    steps: ClassVar = {
        "clean": (_UPDATE,),
        "deploy": (replace(_UPDATE, ramdisk=None),),
        "service": (replace(_UPDATE, ramdisk=False),),
    }

    def refresh(self, task: Task) -> None:
        """Keep the components; raise RedfishError if that fails."""
        versions: Mapping[str, str] = controller.redfish(task, "firmware").machine["firmware"]
        known = {row["component"]: row for row in hardware.firmware(task.session, task.node)}
        for component, version in versions.items():
            values = {
                "current_version": version,
                "model": "Joo Janta 200" if component == "bmc" else None,
            }
            if component in known and known[component]["current_version"] != version:
                values["last_version_flashed"] = version
            hardware.store_firmware(task.session, task.node, component, values)

    def run_step(self, task: Task, flow: str, step: dict[str, Any]) -> bool:
        """Hand the images to the controller, which is done with them later.

        :raises InvalidParameterValue: for settings that don't name components and images.
        :raises RedfishError: if the controller fails.
        """
        super().run_step(task, flow, step)
        wanted = deepcopy(step["args"]["settings"])
        problem = _UPDATES.best(wanted)
        if problem is not None:
            raise errors.InvalidParameterValue(
                f"Invalid firmware update {wanted}. Errors: {problem}"
            )
        versions = controller.redfish(task, "firmware").machine["firmware"]
        first = wanted[0]
        first.update(power_timeout=_REBOOT_SECONDS, task_monitor=controller.UPDATE_TASK)
        now = task.session.clock.now().isoformat(timespec="microseconds")
        if first["component"] == "bmc":
            first.setdefault("wait", _REBOOT_SECONDS)
            first.update(wait_start_time=now, bmc_check_start_time=now, component_type="bmc")
            task.internal["bmc_fw_version_before_update"] = versions["bmc"]
        task.internal.update({_UPDATED: wanted, "redfish_fw_update_start_time": now})
        async_steps.wait(task, flow, reboots=first["component"] == "bios", polls=True)
        return True

    def is_done(self, task: Task, step: dict[str, Any]) -> bool:
        """Update components, each to the version after its present one, and reboot the machine.

        Where only the controller itself is updated, the machine keeps running.
        """
        wanted = [item["component"] for item in step["args"]["settings"]]
        try:
            found = controller.redfish(task, "firmware")
            if wanted != ["bmc"]:
                power.act(task, states.REBOOT)
        except errors.ApiError:
            return False
        versions = dict(found.machine["firmware"])
        for component in wanted:
            versions[component] = _following(versions.get(component, "1.00"))
        found.change(firmware=versions)
        task.forget(*_OF_UPDATE)
        self.refresh(task)
        task.save()
        return True


def _wanted(task: Task, step: dict[str, Any]) -> dict[str, str]:
    """Return the settings that a step names; raise InvalidParameterValue for a wrong value."""
    try:
        wanted = {item["name"]: item["value"] for item in step["args"]["settings"]}
    except (TypeError, KeyError) as exc:
        raise errors.InvalidParameterValue(str(exc)) from exc
    known = {row["name"]: row for row in hardware.bios_settings(task.session, task.node)}
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


def _missing(task: Task, found: Controller) -> dict[str, str]:
    """Return the settings that a step asked for and the machine doesn't have."""
    wanted = task.internal.get(_STATE, {}).get("requested_bios_attrs", {})
    present = found.machine["bios"]
    return {name: value for name, value in wanted.items() if present.get(name) != value}


def _following(version: str) -> str:
    """Return the version after another one: 1.01 after 1.00."""
    major, _, minor = version.rpartition(".")
    return f"{major or '1'}.{int(minor) + 1:02}" if minor.isdecimal() else f"{version}.1"
