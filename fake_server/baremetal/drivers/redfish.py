"""Interfaces of machines with a Redfish controller: ``redfish`` and ``idrac-redfish``."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import errors
from fake_server.baremetal.drivers.base import Interface
from fake_server.baremetal.drivers.boot import check_images
from fake_server.baremetal.drivers.driver_info import check_redfish, is_uri
from fake_server.baremetal.drivers.fake import FakeBoot, FakeInspect, FakePower
from fake_server.baremetal.drivers.management import ManagementInterface
from fake_server.baremetal.drivers.raid import FakeRAID
from fake_server.baremetal.drivers.vendor import Method, VendorInterface

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.task.task import Task


class _Redfish(Interface):
    """Needs to know how to reach the controller."""

    properties = ("redfish",)

    def validate(self, task: Task) -> None:
        """Check how the controller is reached; raise InvalidParameterValue if that isn't clear."""
        check_redfish(task.node)


class RedfishPower(_Redfish, FakePower):
    """Power through the controller."""


class RedfishManagement(_Redfish, ManagementInterface):
    """Boot devices of the controller."""

    boot_devices = ("pxe", "disk", "cdrom", "bios", "uefihttp")


class RedfishBIOS(_Redfish):
    """BIOS settings of the controller."""

    kind = "bios"


class RedfishFirmware(_Redfish):
    """Firmware components of the controller."""

    kind = "firmware"


class RedfishInspect(_Redfish, FakeInspect):
    """Inspection by what the controller knows, without an agent."""


class RedfishRAID(_Redfish, FakeRAID):
    """RAID by the controller."""

    def validate(self, task: Task) -> None:
        """Check how the controller is reached, and the target configuration if there is one."""
        FakeRAID.validate(self, task)


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
        info = task.node["instance_info"]
        missing = [name for name in ("kernel", "ramdisk") if not info.get(name)]
        boots_image = task.interface_name("deploy") == "ramdisk" and not info.get("boot_iso")
        if boots_image and missing:
            raise errors.MissingParameterValue(
                f"Cannot validate image information for node {task.node['uuid']} because one or "
                "more parameters are missing from its instance_info and insufficient information "
                f"is present to boot from a remote volume. Missing are: {missing}"
            )

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


class RedfishVendor(VendorInterface):
    """Virtual media, and subscriptions to events of the controller."""

    methods = MappingProxyType(
        {
            "create_subscription": Method(
                "Creates a subscription on a node. Required argument: a dictionary of "
                "{'Destination': 'destination_url'}",
                runs_later=False,
            ),
            "delete_subscription": Method(
                "Delete a subscription on a node. Required argument: a dictionary of {'id': "
                "'subscription_bmc_id'}",
                "DELETE",
                runs_later=False,
            ),
            "eject_vmedia": Method(
                "Eject a virtual media device. If no device is provided then all attached devices "
                "will be ejected. Optional arguments: 'boot_device' - the boot device to eject, "
                "either 'cd', 'dvd', 'usb', or 'floppy'"
            ),
            "get_all_subscriptions": Method(
                "Returns all subscriptions on the node.", "GET", runs_later=False
            ),
            "get_subscription": Method(
                "Get a subscription on the node. Required argument: a dictionary of {'id': "
                "'subscription_bmc_id'}",
                "GET",
                runs_later=False,
            ),
        }
    )

    def check_call(self, task: Task, name: str, arguments: Mapping[str, Any]) -> None:
        """Check the arguments of a method; raise InvalidParameterValue for a wrong one."""
        if name == "delete_subscription" and not arguments.get("id"):
            raise errors.InvalidParameterValue("id can't be None")
        if name != "create_subscription":
            return
        context, protocol = arguments.get("Context", ""), arguments.get("Protocol", "Redfish")
        headers, destination = arguments.get("HttpHeaders"), arguments.get("Destination")
        if not isinstance(context, str):
            raise errors.InvalidParameterValue(f"Context {context} is not a valid string")
        if not isinstance(protocol, str):
            raise errors.InvalidParameterValue(f"Protocol {protocol} is not a string")
        if headers is not None and not isinstance(headers, list):
            raise errors.InvalidParameterValue(f"HttpHeaders {headers} is not a list of headers")
        if not is_uri(destination):
            raise errors.InvalidParameterValue(f"Destination {destination} is not a valid URI")
