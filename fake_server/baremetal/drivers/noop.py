"""The interfaces that do nothing, named ``noop``, and those that refuse everything, ``no-…``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import errors
from fake_server.baremetal.drivers import base
from fake_server.baremetal.drivers.interface import Disabled, unsupported
from fake_server.baremetal.drivers.steps import deploy_step
from fake_server.baremetal.drivers.vendor import VendorInterface

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.task.protocol import Task


class NoopDeploy(base.DeployInterface, names={"noop": "noop.NoDeploy"}):
    """Deploys nothing, and leaves the networks as they are."""

    steps: ClassVar = {"deploy": (deploy_step("deploy", 100),)}


class NoopManagement(base.ManagementInterface, names={"noop": "noop_mgmt.NoopManagement"}):
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


class NoBIOS(base.BIOSInterface, Disabled, names={"no-bios": "noop.NoBIOS"}):
    """No BIOS."""


class NoConsole(base.ConsoleInterface, Disabled, names={"no-console": "noop.NoConsole"}):
    """No console."""

    def start(self, task: Task) -> None:
        """Refuse."""
        raise unsupported(task.node, self.kind)

    def stop(self, task: Task) -> None:
        """Refuse."""
        raise unsupported(task.node, self.kind)


class NoFirmware(base.FirmwareInterface, Disabled, names={"no-firmware": "noop.NoFirmware"}):
    """No firmware."""


class NoInspect(base.InspectInterface, Disabled, names={"no-inspect": "noop.NoInspect"}):
    """No inspection."""


class NoRAID(base.RAIDInterface, Disabled, names={"no-raid": "noop.NoRAID"}):
    """No RAID."""

    validate = Disabled.validate

    def check_configuration(self, task: Task, configuration: Mapping[str, Any]) -> None:
        """Refuse."""
        raise unsupported(task.node, self.kind)


class NoRescue(base.RescueInterface, Disabled, names={"no-rescue": "noop.NoRescue"}):
    """No rescue."""


class NoVendor(VendorInterface, Disabled, names={"no-vendor": "noop.NoVendor"}):
    """No vendor methods."""
