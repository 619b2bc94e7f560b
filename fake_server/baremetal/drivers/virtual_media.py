"""Boot interfaces that hand the image to the controller: virtual media, and UEFI HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from fake_server.baremetal.drivers.boot import check_images, check_instance
from fake_server.baremetal.drivers.driver_info import check_redfish
from fake_server.baremetal.drivers.fake import FakeBoot

if TYPE_CHECKING:
    from fake_server.baremetal.task.task import Task


class VirtualMediaBoot(FakeBoot):
    """Boots an image that is attached as virtual media."""

    properties = ("virtual-media",)
    capabilities: ClassVar[tuple[str, ...]] = (
        "iscsi_volume_boot",
        "ramdisk_boot",
        "ramdisk_boot_configdrive",
    )

    def validate(self, task: Task) -> None:
        """Check the images to boot and how the controller is reached."""
        self._check(task, "deploy")
        check_instance(task)

    def validate_inspection(self, task: Task) -> None:
        """Check the same for inspection."""
        self._check(task, "deploy")

    def validate_rescue(self, task: Task) -> None:
        """Check the same for rescue."""
        self._check(task, "rescue")

    def _check(self, task: Task, purpose: str) -> None:
        if task.interface_name("deploy") == "ramdisk":
            return
        if not task.node["driver_info"].get(f"{purpose}_iso"):
            check_images(
                task,
                purpose,
                "Error validating Redfish virtual media. Some parameters were missing in node's "
                "driver_info",
            )
        check_redfish(task.node)


class HttpsBoot(VirtualMediaBoot):
    """Boots an image that the firmware loads over HTTP."""

    capabilities = ("ramdisk_boot",)

    def validate(self, task: Task) -> None:
        """Check how the controller is reached, and then the images of the agent."""
        check_redfish(task.node)
        super().validate(task)
