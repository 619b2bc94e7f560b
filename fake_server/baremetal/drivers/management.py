"""Management interfaces: their base, and those of machines without management."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import errors
from fake_server.baremetal.agents.simulated import SIMULATED
from fake_server.baremetal.drivers.base import Interface, unsupported

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.baremetal.task.task import Task

    #: By component and name, whether they can't be switched, and their states.
    Indicators = Mapping[str, Mapping[str, Mapping[str, Any]]]


class ManagementInterface(Interface):
    """Can do nothing but name its boot devices."""

    kind = "management"
    boot_devices: ClassVar[tuple[str, ...]]

    def refresh(self, task: Task) -> None:
        """Forget the boot mode and secure boot, which it can't find out."""
        task.node["boot_mode"] = None
        task.node["secure_boot"] = None

    def health(self, task: Task) -> str | None:
        """Return what the machine says of its health; raise ApiError if it can't be asked."""
        raise unsupported(task.node, "get_node_health")

    def set_boot_device(self, task: Task, device: str | None, *, persistent: bool | None) -> None:
        """Set what the node boots from.

        :param persistent: whether for more than the next time; ``None`` where a user said so.
        :raises InvalidParameterValue: for a device that the node can't boot from.
        """
        if device not in self.boot_devices:
            raise errors.InvalidParameterValue(f"Invalid boot device {device} specified.")

    def boot_from_disk(self, task: Task) -> None:
        """Have the node boot from its disk from now on; raise ApiError if it can't."""
        self.set_boot_device(task, "disk", persistent=True)

    def boot_device(self, task: Task) -> dict[str, Any]:
        """Return what the node boots from."""
        return {"boot_device": "pxe", "persistent": False}

    def inject_nmi(self, task: Task) -> None:
        """Send the node an interrupt that it can't mask; raise ApiError if that fails."""
        raise unsupported(task.node, "inject_nmi")

    def indicators(self, task: Task) -> Indicators:
        """Return the indicators of the node."""
        raise unsupported(task.node, "get_supported_indicators")

    def indicator(self, task: Task, component: str, name: str) -> str:
        """Return the state of an indicator; raise InvalidParameterValue for an unknown one."""
        raise unsupported(task.node, "get_indicator_state")

    def set_indicator(self, task: Task, component: str, name: str, state: str | None) -> None:
        """Switch an indicator; raise InvalidParameterValue for an unknown one."""
        raise unsupported(task.node, "set_indicator_state")

    def set_boot_mode(self, task: Task, mode: str) -> None:
        """Change between ``bios`` and ``uefi``; raise ApiError if that fails."""
        raise unsupported(task.node, "set_boot_mode")

    def set_secure_boot(self, task: Task, wanted: bool) -> None:
        """Turn secure boot on or off; raise ApiError if that fails."""
        raise unsupported(task.node, "set_secure_boot_state")

    def media(self, task: Task) -> list[dict[str, Any]]:
        """Return the devices for virtual media, and what is in them."""
        raise unsupported(task.node, "get_virtual_media")

    def attach_media(self, task: Task, device: str) -> None:
        """Attach an image to a device; raise ApiError if that fails."""
        raise errors.UnsupportedDriverExtension(
            f"Publishing images is not supported for driver {task.node['driver']}"
        )

    def detach_media(self, task: Task, devices: Sequence[str] | None) -> None:
        """Detach images from devices, from all if none is named; raise ApiError if that fails."""
        raise unsupported(task.node, "detach_virtual_media")


class FakeManagement(ManagementInterface):
    """Boots from the network only."""

    boot_devices = ("pxe",)
    _indicators: ClassVar[Indicators] = MappingProxyType(
        {
            "chassis": {"led-0": {"readonly": True, "states": ["off", "on"]}},
            "system": {"led": {"readonly": False, "states": ["blinking", "off", "on"]}},
        }
    )

    def boot_from_disk(self, task: Task) -> None:
        """Raise InvalidParameterValue, unless the whole machine is simulated."""
        if task.session.settings.agent != SIMULATED:
            super().boot_from_disk(task)

    def indicators(self, task: Task) -> Indicators:
        """Return indicators that can't be switched."""
        return self._indicators

    def indicator(self, task: Task, component: str, name: str) -> str:
        """Return that an indicator is on; raise InvalidParameterValue for an unknown one."""
        if component not in self._indicators:
            raise errors.InvalidParameterValue(f"Invalid component {component} specified.")
        if name not in self._indicators[component]:
            raise errors.InvalidParameterValue(f"Invalid indicator {name} specified.")
        return "on"


class NoopManagement(ManagementInterface):
    """Trusts that the machine tries the network first, and then its disk."""

    boot_devices = ("pxe", "disk")

    def set_boot_device(self, task: Task, device: str | None, *, persistent: bool | None) -> None:
        """Accept a boot device; raise InvalidParameterValue unless it is the network or disk."""
        if device not in self.boot_devices:
            raise errors.InvalidParameterValue(
                f"Invalid boot device {device} specified, supported are "
                f"{', '.join(self.boot_devices)}."
            )

    def boot_device(self, task: Task) -> dict[str, Any]:
        """Return what the node boots from."""
        return {"boot_device": "pxe", "persistent": True}
