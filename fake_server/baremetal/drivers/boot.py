"""Boot interfaces that boot the agent over the network, such as ``ipxe`` and ``http``."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from fake_server.baremetal import errors, states
from fake_server.baremetal.drivers.boot_modes import DEFAULT_BOOT_MODE, requested_boot_mode
from fake_server.baremetal.drivers.fake import FakeBoot

if TYPE_CHECKING:
    from fake_server.baremetal.task.task import Task

_PROBLEM = (
    "Cannot validate PXE bootloader. Some parameters were missing in node's driver_info and "
    "configuration"
)


class PXEBoot(FakeBoot):
    """Boots kernel and ramdisk of the agent, which ``driver_info`` names."""

    properties = ("pxe",)
    by_http: ClassVar[bool] = False
    capabilities: ClassVar[tuple[str, ...]] = ("ramdisk_boot", "pxe_boot")

    def validate(self, task: Task) -> None:
        """Raise MissingParameterValue unless there is a port and an image to boot from."""
        _check_ports(task)
        check_images(task, "deploy")

    def validate_inspection(self, task: Task) -> None:
        """Check the same for inspection; raise UnsupportedDriverExtension if it fails."""
        try:
            self.validate(task)
        except errors.MissingParameterValue as exc:
            raise errors.UnsupportedDriverExtension(
                f"Insufficient information provided for managed inspection: {exc}"
            ) from exc

    def validate_rescue(self, task: Task) -> None:
        """Raise MissingParameterValue if there is no rescue system to boot."""
        check_images(task, "rescue")

    def prepare_ramdisk(self, task: Task) -> None:
        """Have the machine boot over the network; raise ApiError if that fails."""
        check_images(task, purpose(task))
        choose_mode(task)
        management = task.driver.management
        if self.by_http and "uefihttp" in management.boot_devices:
            management.set_boot_device(task, "uefihttp", persistent=False)
        else:
            management.set_boot_device(task, "pxe", persistent=False)

    def prepare_instance(self, task: Task) -> None:
        """Have the machine boot from its disk, unless it has done so before."""
        choose_mode(task)
        if task.node["provision_state"] not in (states.ACTIVE, states.ADOPTING):
            task.driver.management.boot_from_disk(task)


class IPXEBoot(PXEBoot):
    """The same by iPXE, which can boot from iSCSI volumes."""

    capabilities = ("iscsi_volume_boot", "ramdisk_boot", "ipxe_boot", "pxe_boot")


class HttpBoot(PXEBoot):
    """The same by UEFI HTTP."""

    by_http = True


class IPXEHttpBoot(IPXEBoot):
    """iPXE, which is loaded by UEFI HTTP."""

    by_http = True


def purpose(task: Task) -> str:
    """Return which images the agent is booted from: ``deploy`` or ``rescue``."""
    rescues = task.node["provision_state"] in (states.RESCUING, states.RESCUEWAIT)
    return "rescue" if rescues else "deploy"


def choose_mode(task: Task) -> None:
    """Set the node's boot mode to the default if none is requested."""
    if requested_boot_mode(task) is None:
        task.internal["deploy_boot_mode"] = DEFAULT_BOOT_MODE
        task.save()


def _check_ports(task: Task) -> None:
    if not task.ports:
        raise errors.MissingParameterValue(
            f"Node {task.node['uuid']} does not have any port associated with it"
        )


def check_images(task: Task, purpose: str, problem: str = _PROBLEM) -> None:
    """Raise MissingParameterValue unless ``driver_info`` names kernel and ramdisk of the agent.

    :param purpose: ``deploy`` or ``rescue``.
    :param problem: the beginning of the error's text.
    """
    info = task.node["driver_info"]
    names = [f"{purpose}_kernel", f"{purpose}_ramdisk"]
    missing = [name for name in names if not info.get(name)]
    if missing:
        raise errors.MissingParameterValue(f"{problem}. Missing are: {missing}")
