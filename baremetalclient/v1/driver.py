"""Drivers: the hardware types that conductors support.

API reference, sections "Drivers" and "Driver Vendor Passthru".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient._resource import passthru
from baremetalclient._resource.fields import Filter, field
from baremetalclient._resource.resource import Resource
from baremetalclient._resource.schema import ResourceType
from baremetalclient.microversion import Feature, v1
from baremetalclient.v1.calls.driver import DriverCalls

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.objects import Link, Patch
    from baremetalclient.v1.types import (
        BIOSInterface,
        BootInterface,
        ConsoleInterface,
        DeployInterface,
        DriverName,
        DriverType,
        FirmwareInterface,
        HTTPMethod,
        InspectInterface,
        ManagementInterface,
        NetworkInterface,
        PowerInterface,
        RAIDInterface,
        RescueInterface,
        StorageInterface,
        VendorInterface,
    )

_RAID = Feature("RAID properties of drivers", v1(12))


def _default(minor: int = 30) -> Any:
    meaning = "Interface that nodes get that name none."
    return field(meaning, since=v1(minor), sortable=False)


def _enabled(minor: int = 30) -> Any:
    return field("Interfaces that nodes can have.", type="list", since=v1(minor))


class Driver(Resource):
    """A driver."""

    __slots__ = ()
    resource_type = ResourceType(
        name="driver",
        path="drivers",
        identifier="name",
        fields_since=v1(77),
        listed=("name", "hosts"),
        list_arguments=("driver_type", "detail"),
        list_keywords=("fields",),
        filters=(
            Filter(
                "driver_type",
                "Only those of this type, classic or dynamic.",
                "DriverType | None",
                query="type",
                since=v1(30),
            ),
            Filter("detail", "Whether to return all fields.", "bool | None", since=v1(30)),
        ),
    )

    name: DriverName = field("Name of the driver.", "Supported driver(s)", sortable=False)
    type: DriverType = field("Type of the driver.", since=v1(30), sortable=False)
    hosts: list[str] = field("Hosts of the conductors that have it.", "Active host(s)")
    default_bios_interface: BIOSInterface | None = _default(40)
    default_boot_interface: BootInterface | None = _default()
    default_console_interface: ConsoleInterface | None = _default()
    default_deploy_interface: DeployInterface | None = _default()
    default_firmware_interface: FirmwareInterface | None = _default(86)
    default_inspect_interface: InspectInterface | None = _default()
    default_management_interface: ManagementInterface | None = _default()
    default_network_interface: NetworkInterface | None = _default()
    default_power_interface: PowerInterface | None = _default()
    default_raid_interface: RAIDInterface | None = _default()
    default_rescue_interface: RescueInterface | None = _default(38)
    default_storage_interface: StorageInterface | None = _default(33)
    default_vendor_interface: VendorInterface | None = _default()
    enabled_bios_interfaces: list[BIOSInterface] | None = _enabled(40)
    enabled_boot_interfaces: list[BootInterface] | None = _enabled()
    enabled_console_interfaces: list[ConsoleInterface] | None = _enabled()
    enabled_deploy_interfaces: list[DeployInterface] | None = _enabled()
    enabled_firmware_interfaces: list[FirmwareInterface] | None = _enabled(86)
    enabled_inspect_interfaces: list[InspectInterface] | None = _enabled()
    enabled_management_interfaces: list[ManagementInterface] | None = _enabled()
    enabled_network_interfaces: list[NetworkInterface] | None = _enabled()
    enabled_power_interfaces: list[PowerInterface] | None = _enabled()
    enabled_raid_interfaces: list[RAIDInterface] | None = _enabled()
    enabled_rescue_interfaces: list[RescueInterface] | None = _enabled(38)
    enabled_storage_interfaces: list[StorageInterface] | None = _enabled(33)
    enabled_vendor_interfaces: list[VendorInterface] | None = _enabled()
    links: list[Link] = field("Links to the driver.", detailed=False)
    properties: list[Link] = field("Links to its properties.", since=v1(14), detailed=False)


class DriverManager(DriverCalls[Driver], passthru.VendorPassthru[Driver]):
    """Calls for drivers."""

    resource_class = Driver

    def get(
        self, driver_name: str, *, fields: Sequence[str] | None = None, **call: Unpack[CallOptions]
    ) -> Driver:
        """Return a driver.

        :param driver_name: its name.
        :param fields: the fields to return, None for all; since version 1.77.
        :raises NotFound: if it does not exist or is not enabled.
        """
        return self._get(driver_name, fields, **call)

    def update(
        self,
        driver_name: str,
        patch: Patch,
        http_method: str = "PATCH",
        **call: Unpack[CallOptions],
    ) -> Driver:
        """Change a driver, which no version of the API can do so far.

        :param driver_name: its name.
        :param patch: a JSON patch.
        :param http_method: the HTTP method.
        :raises MethodNotAllowed: if the server cannot do it.
        """
        return self._update(driver_name, patch, http_method=http_method, **call)

    def delete(self, driver_name: str, **call: Unpack[CallOptions]) -> None:
        """Delete a driver, which no version of the API can do so far.

        :param driver_name: its name.
        :raises MethodNotAllowed: if the server cannot do it.
        """
        self._delete(driver_name, **call)

    def properties(self, driver_name: str, **call: Unpack[CallOptions]) -> dict[str, str]:
        """Return the properties of a driver in ``driver_info``: descriptions by name.

        :param driver_name: the name of the driver.
        """
        return self._call("GET", driver_name, "properties", **call).object()

    def raid_logical_disk_properties(
        self, driver_name: str, **call: Unpack[CallOptions]
    ) -> dict[str, str]:
        """Return the properties of logical disks: descriptions by name; since version 1.12.

        :param driver_name: the name of the driver.
        """
        response = self._call(
            "GET", driver_name, "raid", "logical_disk_properties", features=[_RAID], **call
        )
        return response.object()

    def vendor_passthru(
        self,
        driver_name: str,
        method: str,
        args: dict[str, Any] | None = None,
        http_method: HTTPMethod | None = None,
        **call: Unpack[CallOptions],
    ) -> Any:
        """Call a vendor method of a driver.

        :param driver_name: the name of the driver.
        :param method: the name of the method.
        :param args: its arguments.
        :param http_method: the HTTP method, ``POST`` by default.
        :returns: an object as a resource, any other JSON as it is, None for an empty response.
        :raises InvalidAttribute: if vendor methods do not support the HTTP method.
        """
        return self._vendor_passthru(driver_name, method, args, http_method, **call)

    def get_vendor_passthru_methods(
        self, driver_name: str, **call: Unpack[CallOptions]
    ) -> dict[str, Any]:
        """Return the vendor methods of a driver by name.

        :param driver_name: the name of the driver.
        """
        return self._vendor_passthru_methods(driver_name, **call)
