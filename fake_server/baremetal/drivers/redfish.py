"""Interfaces of machines with a Redfish controller: ``redfish`` and ``idrac-redfish``."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors
from fake_server.baremetal.drivers import controller
from fake_server.baremetal.drivers.base import Interface
from fake_server.baremetal.drivers.driver_info import check_redfish
from fake_server.baremetal.drivers.fake import FakeInspect, FakePower
from fake_server.baremetal.drivers.management import ManagementInterface

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.baremetal.drivers.management import Indicators
    from fake_server.baremetal.task.task import Task

_CHASSIS = "15693887-7984-9484-3272-842188918912"
_STATES = ["blinking", "off", "on"]
_INDICATOR: Mapping[str, Any] = MappingProxyType({"readonly": False, "states": _STATES})
#: The device for virtual media that an image goes into, and the ending of its name.
_SLOTS = MappingProxyType(
    {
        "cdrom": ("cdrom", "iso"),
        "disk": ("removable", "img"),
        "floppy": ("removable", "img"),
    }
)
_MEDIA_TYPES = MappingProxyType({"cdrom": ["CD", "DVD"], "removable": ["Floppy", "USBStick"]})


class RedfishInterface(Interface):
    """Base of the interfaces that need to know how to reach the controller."""

    properties = ("redfish",)

    def validate(self, task: Task) -> None:
        """Check how the controller is reached; raise InvalidParameterValue if that isn't clear."""
        check_redfish(task.node)


class RedfishPower(RedfishInterface, FakePower):
    """Power through the controller."""

    def state(self, task: Task) -> str | None:
        """Ask the machine; raise RedfishError if that fails."""
        found: str | None = controller.redfish(task, "power").machine["power_state"]
        return found

    def act(self, task: Task, action: str) -> None:
        """Have the controller carry a power action out; raise ApiError if it doesn't."""
        controller.redfish(task, "power").act_on_power(action)


class RedfishManagement(RedfishInterface, ManagementInterface):
    """Boot devices, boot mode, indicators and virtual media of the controller."""

    boot_devices = ("pxe", "disk", "cdrom", "bios", "uefihttp")

    def refresh(self, task: Task) -> None:
        """Note the vendor, the boot mode and secure boot; raise RedfishError if that fails."""
        machine = controller.redfish(task, "boot_mode").machine
        task.node["properties"]["vendor"] = controller.VENDOR
        task.node["boot_mode"] = machine["boot_mode"]
        task.node["secure_boot"] = machine["secure_boot"]

    def health(self, task: Task) -> str | None:
        """Return what the machine says of its health; raise RedfishError if it can't be asked."""
        found: str | None = controller.redfish(task, "power").machine["health"]
        return found

    def set_boot_device(self, task: Task, device: str | None, *, persistent: bool) -> None:
        """Set what the machine boots from, which is always persistent.

        :raises InvalidParameterValue: for an unknown device.
        :raises RedfishError: for the set-up of the firmware, or if setting it fails.
        """
        super().set_boot_device(task, device, persistent=persistent)
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
        found = controller.redfish(task, "media")
        slot, ending = _SLOTS[device]
        base = task.session.settings.deploy_http_url
        image = f"{base}/redfish/{device}-{task.node['uuid']}.{ending}"
        found.change(media={**found.machine["media"], slot: image})

    def detach_media(self, task: Task, devices: Sequence[str] | None) -> None:
        """Detach images from devices, from all if none is named."""
        found = controller.redfish(task, "media")
        emptied = {_SLOTS[device][0] for device in devices or _SLOTS}
        found.change(media={**found.machine["media"], **dict.fromkeys(emptied)})

    def _check_indicator(self, task: Task, component: str, name: str) -> None:
        if name not in self.indicators(task).get(component, {}):
            raise errors.InvalidParameterValue(
                f"Unknown indicator {name} for component {component} of node {task.node['uuid']}"
            )


class RedfishInspect(RedfishInterface, FakeInspect):
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
