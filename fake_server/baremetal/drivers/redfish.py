"""Interfaces of machines with a Redfish controller: ``redfish`` and ``idrac-redfish``."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import errors
from fake_server.baremetal.drivers import async_steps, controller
from fake_server.baremetal.drivers.base import InspectInterface, ManagementInterface, PowerInterface
from fake_server.baremetal.drivers.driver_info import check_redfish
from fake_server.baremetal.drivers.interface import Interface
from fake_server.baremetal.drivers.steps import Step
from fake_server.common.schemas import Checker, object_schema

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fake_server.baremetal.drivers.base import Indicators
    from fake_server.baremetal.task.protocol import Task

#: How long Ironic tries to connect with its default options: five times, and each ten times.
_TRIES_SECONDS = 152
_CHASSIS = "15693887-7984-9484-3272-842188918912"
_STATES = ["blinking", "off", "on"]
_INDICATOR: Mapping[str, Any] = {"readonly": False, "states": _STATES}
#: The device for virtual media that an image goes into, and the ending of its name.
_SLOTS: Mapping[str, tuple[str, str]] = {
    "cdrom": ("cdrom", "iso"),
    "disk": ("removable", "img"),
    "floppy": ("removable", "img"),
}
_TEXT = {"type": "string", "minLength": 1}
#: The images of the step that updates firmware.
_IMAGES = Checker(
    {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "type": "array",
        "items": {
            **object_schema(
                {
                    "url": _TEXT,
                    "checksum": _TEXT,
                    "wait": {"type": "integer", "minimum": 1},
                    "source": {"type": "string", "enum": ["http", "local", "swift"]},
                },
                "url",
                "checksum",
            ),
        },
    }
)
_MEDIA_TYPES: Mapping[str, list[str]] = {
    "cdrom": ["CD", "DVD"],
    "removable": ["Floppy", "USBStick"],
}


class RedfishInterface(Interface):
    """Base of the interfaces that need to know how to reach the controller."""

    properties = ("redfish",)

    def validate(self, task: Task) -> None:
        """Check how the controller is reached; raise InvalidParameterValue if that isn't clear."""
        check_redfish(task.node)


class RedfishPower(
    RedfishInterface,
    PowerInterface,
    names={"redfish": "redfish.power.RedfishPower", "idrac-redfish": "drac.power.DracRedfishPower"},
):
    """Power through the controller."""

    def state(self, task: Task) -> str | None:
        """Ask the machine; raise RedfishError if that fails."""
        found: str | None = controller.redfish(task, "power").machine["power_state"]
        return found

    def seconds_lost(self, task: Task, *, acts: bool) -> float:
        """Return for how long a controller is tried that doesn't answer, or waited for."""
        found = controller.Controller(task)
        return found.seconds_stuck(acts=acts) if found.machine["reachable"] else _TRIES_SECONDS

    def act(self, task: Task, action: str) -> None:
        """Have the controller carry a power action out; raise ApiError if it doesn't."""
        controller.redfish(task, "power").act_on_power(action)


_KEYS = (Step("clear_secure_boot_keys"), Step("reset_secure_boot_keys_to_default"))
_CLOCK = Step(
    "set_bmc_clock",
    arguments={
        "target_datetime": {
            "description": "The datetime to set in ISO8601 format. If omitted, the current "
            "conductor UTC time is used.",
            "required": False,
        },
        "datetime_local_offset": {
            "description": "The local time offset from UTC",
            "required": False,
        },
    },
)
_UPDATE = Step(
    "update_firmware",
    arguments={
        "firmware_images": {
            "description": "A list of firmware images to apply.",
            "required": True,
        }
    },
)


class RedfishManagement(
    RedfishInterface, ManagementInterface, names={"redfish": "redfish.management.RedfishManagement"}
):
    """Boot devices, boot mode, indicators and virtual media of the controller."""

    boot_devices = ("pxe", "disk", "cdrom", "bios", "uefihttp")
    steps: ClassVar = {
        "clean": (*_KEYS, _CLOCK, _UPDATE),
        "deploy": tuple(replace(step, abortable=True, ramdisk=None) for step in _KEYS),
        "service": (_UPDATE,),
    }

    def run_step(self, task: Task, flow: str, step: dict[str, Any]) -> bool:
        """Ask the controller for something that leaves no trace that it shows; or update it.

        :raises InvalidParameterValue: for images that aren't valid.
        :raises RedfishError: for a time that can't be read, or if the controller fails.
        """
        super().run_step(task, flow, step)
        controller.redfish(task, "bmc")
        args = step.get("args") or {}
        if step["step"] == "set_bmc_clock" and "target_datetime" in args:
            _check_time(args["target_datetime"])
        if step["step"] != "update_firmware":
            return False
        images = deepcopy(args["firmware_images"])
        problem = _IMAGES.best(images)
        if problem is not None:
            raise errors.InvalidParameterValue(
                f"Invalid firmware update {images}. Errors: {problem}"
            )
        images[0]["task_monitor"] = controller.UPDATE_TASK
        task.internal["firmware_updates"] = images
        async_steps.wait(task, flow, reboots=True, polls=True, skips=True)
        async_steps.reboot(task, flow)
        return True

    def is_done(self, task: Task, step: dict[str, Any]) -> bool:
        """Return whether an update has come to its end: at the first question."""
        try:
            controller.redfish(task, "bmc")
        except errors.ApiError:
            return False
        task.forget("firmware_updates")
        task.save()
        return True

    def refresh(self, task: Task) -> None:
        """Note the vendor, the boot mode and secure boot; raise RedfishError if that fails."""
        machine = controller.redfish(task, "boot_mode").machine
        task.node["properties"]["vendor"] = controller.VENDOR
        task.node["boot_mode"] = machine["boot_mode"]
        task.node["secure_boot"] = machine["secure_boot"]

    def mac_addresses(self, task: Task) -> list[str]:
        """Return what the machine says of its network cards; raise RedfishError if that fails."""
        found: list[str] = controller.redfish(task, "inspect").machine["nics"]
        return [address.lower() for address in found]

    def health(self, task: Task) -> str | None:
        """Return what the machine says of its health; raise RedfishError if it can't be asked."""
        found: str | None = controller.redfish(task, "power").machine["health"]
        return found

    def set_boot_device(self, task: Task, device: str | None, *, persistent: bool | None) -> None:
        """Set what the machine boots from, which is always persistent.

        :raises InvalidParameterValue: for an unknown device, or if ``persistent`` is ``None``.
        :raises RedfishError: for the set-up of the firmware, or if setting it fails.
        """
        super().set_boot_device(task, device, persistent=persistent)
        if persistent is None:  # Ironic fails at it
            raise errors.InvalidParameterValue(
                f"The boot device of node {task.node['uuid']} has to be persistent or not."
            )
        found = controller.redfish(task, "boot_device")
        if device == "bios":
            raise errors.RedfishError(
                error=f"Redfish set boot device failed for node {task.node['uuid']}. Error: The "
                'parameter "target" value "BootSource.BIOS_SETUP" is invalid. Valid values are: '
                "{<BootSource.HDD: 'Hdd'>, <BootSource.CD: 'Cd'>, <BootSource.PXE: 'Pxe'>, "
                "<BootSource.UEFI_HTTP: 'UefiHttp'>}"
            )
        found.change(boot_device="pxe" if device == "uefihttp" else device)

    def boot_device(self, task: Task) -> dict[str, Any]:
        """Return what the machine boots from; raise RedfishError if that fails."""
        machine = controller.redfish(task, "boot_device").machine
        return {"boot_device": machine["boot_device"] or "disk", "persistent": True}

    def inject_nmi(self, task: Task) -> None:
        """Send the machine an interrupt; raise RedfishError if that fails."""
        controller.redfish(task, "power")

    def indicators(self, task: Task) -> Indicators:
        """Return the indicators of the machine; raise ApiError if that fails."""
        self.validate(task)
        system = controller.redfish(task, "indicators").ident
        return {
            "chassis": {_CHASSIS: _INDICATOR},
            "system": {system: _INDICATOR},
            "disk": {"1:d1": _INDICATOR},
        }

    def indicator(self, task: Task, component: str, name: str) -> str:
        """Return the state of an indicator; raise InvalidParameterValue for an unknown one."""
        self._check_indicator(task, component, name)
        return str(controller.redfish(task, "indicators").machine["indicators"][component])

    def set_indicator(self, task: Task, component: str, name: str, state: str | None) -> None:
        """Switch an indicator; raise InvalidParameterValue for an unknown one or state."""
        self._check_indicator(task, component, name)
        if state not in _STATES:
            raise errors.InvalidParameterValue(
                f"Invalid state {state} of indicator {name}: use one of blinking, off, on."
            )
        found = controller.redfish(task, "indicators")
        found.change(indicators={**found.machine["indicators"], component: state})

    def set_boot_mode(self, task: Task, mode: str) -> None:
        """Change between ``bios`` and ``uefi``; raise RedfishError if that fails."""
        controller.redfish(task, "boot_mode").change(boot_mode=mode)
        task.node["boot_mode"] = mode
        task.save()

    def set_secure_boot(self, task: Task, wanted: bool) -> None:
        """Turn secure boot on or off; raise RedfishError if that fails."""
        found = controller.redfish(task, "boot_mode")
        changes = wanted != found.machine["secure_boot"]
        if changes and found.machine["boot_mode"] != "uefi":
            raise errors.RedfishError(
                error=f"Configuring secure boot requires UEFI for node {task.node['uuid']}"
            )
        found.change(secure_boot=wanted)
        task.node["secure_boot"] = wanted
        task.save()

    def media(self, task: Task) -> list[dict[str, Any]]:
        """Return the devices for virtual media, and what is in them."""
        media = controller.redfish(task, "media").machine["media"]
        return [
            {"media_types": types, "inserted": media[slot] is not None, "image": media[slot] or ""}
            for slot, types in _MEDIA_TYPES.items()
        ]

    def attach_media(self, task: Task, device: str) -> None:
        """Attach an image to a device, from where the conductor publishes it."""
        publish(task, device, *_SLOTS[device])

    def detach_media(self, task: Task, devices: Sequence[str] | None) -> None:
        """Detach images from devices, from all if none is named."""
        eject(task, {_SLOTS[device][0] for device in devices or _SLOTS})

    def _check_indicator(self, task: Task, component: str, name: str) -> None:
        if name not in self.indicators(task).get(component, {}):
            raise errors.InvalidParameterValue(
                f"Unknown indicator {name} for component {component} of node {task.node['uuid']}"
            )


class IdracManagement(
    RedfishManagement, names={"idrac-redfish": "drac.management.DracRedfishManagement"}
):
    """The same of an iDRAC, which can be reset."""

    steps: ClassVar = {
        **RedfishManagement.steps,
        "clean": (
            *RedfishManagement.steps["clean"],
            Step("clear_job_queue", ramdisk=False),
            Step("known_good_state", ramdisk=False),
            Step("reset_idrac", ramdisk=False),
        ),
    }


def publish(task: Task, name: str, slot: str, ending: str) -> None:
    """Insert an image that the conductor publishes; raise RedfishError if that fails.

    :param name: the beginning of its name.
    :param slot: the device that it is inserted into.
    :param ending: the end of its name.
    """
    found = controller.redfish(task, "media")
    base = task.session.settings.deploy_http_url
    image = f"{base}/redfish/{name}-{task.node['uuid']}.{ending}"
    found.change(media={**found.machine["media"], slot: image})


def eject(task: Task, slots: Iterable[str]) -> None:
    """Eject the images from devices; raise RedfishError if that fails."""
    found = controller.redfish(task, "media")
    found.change(media={**found.machine["media"], **dict.fromkeys(slots)})


def _check_time(value: Any) -> None:
    """Raise RedfishError unless a time is one of ISO 8601."""
    try:
        datetime.fromisoformat(value)
    except (TypeError, ValueError) as exc:
        raise errors.RedfishError(error=str(exc)) from exc


class RedfishInspect(
    RedfishInterface,
    InspectInterface,
    names={
        "redfish": "redfish.inspect.RedfishInspect",
        "idrac-redfish": "drac.inspect.DracRedfishInspect",
    },
):
    """Inspection by what the controller knows, without an agent."""

    def inventory(self, task: Task) -> dict[str, Any]:
        """Return what the controller knows, and note the sizes; raise RedfishError if it fails."""
        found = controller.redfish(task, "inspect")
        properties, mode = task.node["properties"], found.machine["boot_mode"]
        properties.update(memory_mb=65536, local_gb=99)
        capabilities = properties.get("capabilities") or ""
        if "boot_mode:" not in capabilities:
            added = f"boot_mode:{mode}"
            properties["capabilities"] = f"{added},{capabilities}" if capabilities else added
        task.save()
        return found.inventory()
