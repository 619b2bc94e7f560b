"""Boot interfaces that boot the agent over the network: ``pxe`` and ``ipxe``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.baremetal import errors
from fake_server.baremetal.drivers.boot_modes import DEFAULT_BOOT_MODE, requested_boot_mode
from fake_server.baremetal.drivers.fake import FakeBoot

if TYPE_CHECKING:
    from fake_server.baremetal.task.task import Task


class PXEBoot(FakeBoot):
    """Boots kernel and ramdisk of the agent, which ``driver_info`` names."""

    capabilities = ("ramdisk_boot", "ipxe_boot", "pxe_boot")

    def validate(self, task: Task) -> None:
        """Raise MissingParameterValue unless there is a port and an image to boot from."""
        _check_ports(task)
        _check_images(task, "deploy")

    def validate_inspection(self, task: Task) -> None:
        """Check the same for inspection; raise UnsupportedDriverExtension if it fails."""
        try:
            _check_images(task, "deploy")
        except errors.MissingParameterValue:
            super().validate_inspection(task)

    def validate_rescue(self, task: Task) -> None:
        """Raise MissingParameterValue if there is no rescue system to boot."""
        _check_images(task, "rescue")

    def prepare_ramdisk(self, task: Task) -> None:
        """Set the node's boot mode to the default if none is requested."""
        if requested_boot_mode(task) is None:
            task.internal["deploy_boot_mode"] = DEFAULT_BOOT_MODE
            task.save()


def _check_ports(task: Task) -> None:
    if not task.ports:
        raise errors.MissingParameterValue(
            f"Node {task.node['uuid']} does not have any port associated with it."
        )


def _check_images(task: Task, purpose: str) -> None:
    info = task.node["driver_info"]
    names = [f"{purpose}_kernel", f"{purpose}_ramdisk"]
    missing = [name for name in names if not info.get(name)]
    if missing:
        raise errors.MissingParameterValue(
            "Cannot validate PXE bootloader. Some parameters were missing in node's driver_info "
            f"and configuration. Missing are: {missing}"
        )
