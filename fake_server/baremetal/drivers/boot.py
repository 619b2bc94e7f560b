"""Boot interfaces that boot the agent over the network, such as ``ipxe`` and ``http``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import errors, states
from fake_server.baremetal.drivers import images
from fake_server.baremetal.drivers.base import BootInterface
from fake_server.baremetal.drivers.boot_modes import DEFAULT_BOOT_MODE, requested_boot_mode
from fake_server.baremetal.drivers.deploy_checks import check_capabilities

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.task.protocol import Task

_PROBLEM = (
    "Cannot validate PXE bootloader. Some parameters were missing in node's driver_info and "
    "configuration"
)
_BOTH = "An 'image_source' and 'boot_iso' parameter may not be specified at the same time"
_KERNEL = ("kernel", "ramdisk")
#: The deploy interfaces whose instances don't boot from a disk.
BOOTED_IMAGES = ("ramdisk", "anaconda")


class PXEBoot(BootInterface, names={"pxe": "pxe.PXEBoot"}):
    """Boots kernel and ramdisk of the agent, which ``driver_info`` or the conductor names."""

    properties = ("pxe",)
    by_http: ClassVar[bool] = False
    by_ipxe: ClassVar[bool] = False
    capabilities: ClassVar[tuple[str, ...]] = ("ramdisk_boot", "pxe_boot")

    def validate(self, task: Task) -> None:
        """Check port, image of the agent, and what the instance boots from."""
        self._check(task)
        check_instance(task)

    def validate_inspection(self, task: Task) -> None:
        """Check port and image; raise UnsupportedDriverExtension for missing ones."""
        try:
            self._check(task)
        except errors.MissingParameterValue as exc:
            raise errors.UnsupportedDriverExtension(
                f"Insufficient information provided for managed inspection: {exc}"
            ) from exc

    def validate_rescue(self, task: Task) -> None:
        """Raise MissingParameterValue if there is no rescue system to boot."""
        check_images(task, "rescue")

    def _check(self, task: Task) -> None:
        if not task.ports:
            raise errors.MissingParameterValue(
                f"Node {task.node['uuid']} does not have any port associated with it"
            )
        if not task.session.settings.deploy_http_url:
            if self.by_ipxe:
                raise errors.MissingParameterValue(
                    "iPXE boot is enabled but no HTTP URL or HTTP root was specified"
                )
            if task.interface_name("deploy") == "anaconda":
                raise errors.MissingParameterValue(
                    "'kickstart' boot option is set on the node but no HTTP URL or HTTP root was "
                    "specified"
                )
        check_capabilities(task)
        info = task.node["instance_info"]
        if info.get("image_source") and info.get("boot_iso"):
            raise errors.InvalidParameterValue(_BOTH)
        check_images(task, "deploy")

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
        """Have the machine boot from its disk, or from images, unless it has done so before."""
        choose_mode(task)
        if task.interface_name("deploy") in BOOTED_IMAGES:
            task.driver.management.set_boot_device(task, "pxe", persistent=True)
        elif task.node["provision_state"] not in (states.ACTIVE, states.ADOPTING):
            task.driver.management.boot_from_disk(task)


class IPXEBoot(PXEBoot, names={"ipxe": "ipxe.iPXEBoot"}):
    """The same by iPXE, which can boot from iSCSI volumes."""

    by_ipxe = True
    capabilities = ("iscsi_volume_boot", "ramdisk_boot", "ipxe_boot", "pxe_boot")


class HttpBoot(PXEBoot, names={"http": "pxe.HttpBoot"}):
    """The same by UEFI HTTP."""

    by_http = True


class IPXEHttpBoot(IPXEBoot, names={"http-ipxe": "ipxe.iPXEHttpBoot"}):
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


def check_instance(task: Task) -> None:
    """Check the images of an instance that boots from something else than its disk.

    :raises InvalidParameterValue: if they contradict each other.
    :raises MissingParameterValue: if one is missing.
    """
    deploy, info = task.interface_name("deploy"), task.node["instance_info"]
    if deploy not in BOOTED_IMAGES or not task.driver.storage.writes_image(task):
        return
    source, iso = info.get("image_source"), info.get("boot_iso")
    if iso:
        if source:
            raise errors.InvalidParameterValue(f"{_BOTH}.")
        return
    whole = images.is_whole_disk(task)
    if deploy == "ramdisk":
        names = () if source and not any(map(info.get, _KERNEL)) else _KERNEL
    else:
        names = ("image_source", *(() if whole or images.is_in_glance(source) else _KERNEL))
    if missing := [name for name in names if not info.get(name)]:
        raise errors.MissingParameterValue(
            f"Cannot validate image information for node {task.node['uuid']} because one or more "
            "parameters are missing from its instance_info and insufficient information is present "
            f"to boot from a remote volume. Missing are: {missing}"
        )
    if not whole:
        _check_properties(task, deploy, source)


def _check_properties(task: Task, deploy: str, source: Any) -> None:
    """Raise MissingParameterValue if an image in Glance doesn't say what boots it."""
    image = images.find_in_glance(task, source)
    known = image["properties"] if image else {}
    if not images.is_in_glance(source) or (deploy == "ramdisk" and known.get("boot_iso_id")):
        return
    names = ("kernel_id", "ramdisk_id", *(("stage2_id",) if deploy == "anaconda" else ()))
    if missing := [name for name in names if not known.get(name)]:
        raise errors.MissingParameterValue(
            f"Image {source} is missing the following properties: {', '.join(missing)}"
        )


def agent_images(task: Task, purpose: str) -> dict[str, Any]:
    """Return kernel and ramdisk of the agent by their names, with ``None`` for a missing one.

    They come in pairs: those of ``driver_info``, those of the node's architecture, or the
    conductor's; one without the other does not count.

    :param purpose: ``deploy`` or ``rescue``.
    """
    names = (f"{purpose}_kernel", f"{purpose}_ramdisk")
    info, settings = task.node["driver_info"], task.session.settings
    own = {name: info.get(name) for name in names}
    of_architecture = {name: _for_architecture(task, name) for name in names}
    for found in (own, of_architecture):
        if all(found.values()):
            return found
    return {name: getattr(settings, name) for name in names}


def bootloader(task: Task) -> str | None:
    """Return the image with the UEFI boot loader that node or conductor name, if any."""
    own: str | None = task.node["driver_info"].get("bootloader")
    return own or _for_architecture(task, "bootloader") or task.session.settings.bootloader


def _for_architecture(task: Task, name: str) -> str | None:
    by_architecture: Mapping[str, str] = getattr(task.session.settings, f"{name}_by_arch")
    return by_architecture.get(str(task.node["properties"].get("cpu_arch")))


def check_images(task: Task, purpose: str, problem: str = _PROBLEM) -> None:
    """Raise MissingParameterValue unless node or conductor name kernel and ramdisk of the agent.

    :param purpose: ``deploy`` or ``rescue``.
    :param problem: the beginning of the error's text.
    """
    missing = [name for name, image in agent_images(task, purpose).items() if not image]
    if missing:
        raise errors.MissingParameterValue(f"{problem}. Missing are: {missing}")
