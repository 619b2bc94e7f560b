"""Boot interfaces that hand the image to the controller: virtual media, and UEFI HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from fake_server.baremetal import errors, states
from fake_server.baremetal.drivers.base import BootInterface
from fake_server.baremetal.drivers.boot import (
    BOOTED_IMAGES,
    bootloader,
    check_images,
    check_instance,
    choose_mode,
    purpose,
)
from fake_server.baremetal.drivers.boot_modes import DEFAULT_BOOT_MODE, requested_boot_mode
from fake_server.baremetal.drivers.driver_info import check_redfish
from fake_server.baremetal.drivers.redfish import eject, publish
from fake_server.baremetal.task import power

if TYPE_CHECKING:
    from fake_server.baremetal.task.protocol import Task


class VirtualMediaBoot(
    BootInterface,
    names={
        "redfish-virtual-media": "redfish.boot.RedfishVirtualMediaBoot",
        "idrac-redfish-virtual-media": "drac.boot.DracRedfishVirtualMediaBoot",
    },
):
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

    def prepare_ramdisk(self, task: Task) -> None:
        """Insert the image of the agent, and have the machine boot from it.

        :raises ApiError: if the controller fails.
        """
        self._check(task, purpose(task))
        power.act(task, states.POWER_OFF)
        task.internal["vmedia_transport_protocol"] = "HTTP"
        self._check_bootloader(task)
        publish(task, "boot", "cdrom", "iso")
        choose_mode(task)
        task.driver.management.set_boot_device(task, "cdrom", persistent=False)

    def clean_up_ramdisk(self, task: Task) -> None:
        """Power the node off and eject the image; raise ApiError if the controller fails."""
        power.act(task, states.POWER_OFF)
        eject(task, {"cdrom"})

    def prepare_instance(self, task: Task) -> None:
        """Have the machine boot from its disk, or the image of an instance that is a ramdisk.

        :raises ApiError: if the controller fails.
        """
        if task.interface_name("deploy") in BOOTED_IMAGES:
            choose_mode(task)
            publish(task, "boot", "cdrom", "iso")
            task.driver.management.set_boot_device(task, "cdrom", persistent=True)
        elif task.node["provision_state"] not in (states.ACTIVE, states.ADOPTING):
            eject(task, {"cdrom"})
            task.driver.management.boot_from_disk(task)

    def _check(self, task: Task, images: str) -> None:
        if task.interface_name("deploy") == "ramdisk":
            return
        if not task.node["driver_info"].get(f"{images}_iso"):
            check_images(
                task,
                images,
                "Error validating Redfish virtual media. Some parameters were missing in node's "
                "driver_info",
            )
        check_redfish(task.node)

    def _check_bootloader(self, task: Task) -> None:
        """Raise ImageCreationFailed if an image that boots by UEFI can't be built."""
        if task.node["driver_info"].get(f"{purpose(task)}_iso") or bootloader(task):
            return
        if requested_boot_mode(task) in (None, DEFAULT_BOOT_MODE):
            raise errors.ImageCreationFailed(
                image_type="iso",
                error="Neither deploy ISO nor ESP image configured or both of them configured",
            )


class HttpsBoot(VirtualMediaBoot, names={"redfish-https": "redfish.boot.RedfishHttpsBoot"}):
    """Boots an image that the firmware loads over HTTP."""

    capabilities = ("ramdisk_boot",)

    def prepare_ramdisk(self, task: Task) -> None:
        """Have the machine boot the image of the agent; raise ApiError if that fails."""
        self._check(task, purpose(task))
        power.act(task, states.POWER_OFF)
        self._check_bootloader(task)
        choose_mode(task)
        task.driver.management.set_boot_device(task, "uefihttp", persistent=False)

    def clean_up_ramdisk(self, task: Task) -> None:
        """Do nothing."""

    def prepare_instance(self, task: Task) -> None:
        """Have the machine boot from its disk, or the image of a ramdisk over HTTP.

        :raises ApiError: if the controller fails.
        """
        choose_mode(task)
        if task.interface_name("deploy") == "ramdisk":
            task.driver.management.set_boot_device(task, "uefihttp", persistent=True)
        else:
            task.driver.management.boot_from_disk(task)

    def validate(self, task: Task) -> None:
        """Check how the controller is reached, and then the images of the agent."""
        check_redfish(task.node)
        super().validate(task)
