"""Drivers: the hardware types that conductors support.

API reference, sections "Drivers" and "Driver Vendor Passthru".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._resource import manager, passthru
from baremetalclient._resource.resource import Resource
from baremetalclient._resource.schema import Field, Filter, ResourceType
from baremetalclient.microversion import v1
from baremetalclient.v1.node.features import RAID

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.arguments import DriverFilters
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


def _default(kind: str) -> Field:
    label, minor = _INTERFACES[kind]
    return Field(
        f"default_{kind}_interface", f"Default {label} Interface", since=v1(minor), sortable=False
    )


def _enabled(kind: str) -> Field:
    label, minor = _INTERFACES[kind]
    return Field(
        f"enabled_{kind}_interfaces",
        f"Enabled {label} Interfaces",
        "list",
        v1(minor),
        sortable=False,
    )


_INTERFACES = {
    "bios": ("BIOS", 40),
    "boot": ("Boot", 30),
    "console": ("Console", 30),
    "deploy": ("Deploy", 30),
    "firmware": ("Firmware", 86),
    "inspect": ("Inspect", 30),
    "management": ("Management", 30),
    "network": ("Network", 30),
    "power": ("Power", 30),
    "raid": ("RAID", 30),
    "rescue": ("Rescue", 38),
    "storage": ("Storage", 33),
    "vendor": ("Vendor", 30),
}

RESOURCE_TYPE = ResourceType(
    name="driver",
    plural="drivers",
    path="drivers",
    list_key="drivers",
    fields=(
        Field("name", "Supported driver(s)", sortable=False),
        Field("type", "Type", since=v1(30), sortable=False),
        Field("hosts", "Active host(s)", "list", sortable=False),
        *(_default(kind) for kind in _INTERFACES),
        *(_enabled(kind) for kind in _INTERFACES),
        Field("links", "Links", "links", sortable=False, detailed=False),
        Field("properties", "Properties", "links", v1(14), sortable=False, detailed=False),
    ),
    listed=("name", "hosts"),
    filters=(Filter("driver_type", "type", since=v1(30)), Filter("detail", since=v1(30))),
    identifier="name",
    fields_since=v1(77),
)


class Driver(Resource):
    """A driver."""

    __slots__ = ()
    resource_type = RESOURCE_TYPE

    name: DriverName
    type: DriverType
    hosts: list[str]
    default_bios_interface: BIOSInterface | None
    default_boot_interface: BootInterface | None
    default_console_interface: ConsoleInterface | None
    default_deploy_interface: DeployInterface | None
    default_firmware_interface: FirmwareInterface | None
    default_inspect_interface: InspectInterface | None
    default_management_interface: ManagementInterface | None
    default_network_interface: NetworkInterface | None
    default_power_interface: PowerInterface | None
    default_raid_interface: RAIDInterface | None
    default_rescue_interface: RescueInterface | None
    default_storage_interface: StorageInterface | None
    default_vendor_interface: VendorInterface | None
    enabled_bios_interfaces: list[BIOSInterface] | None
    enabled_boot_interfaces: list[BootInterface] | None
    enabled_console_interfaces: list[ConsoleInterface] | None
    enabled_deploy_interfaces: list[DeployInterface] | None
    enabled_firmware_interfaces: list[FirmwareInterface] | None
    enabled_inspect_interfaces: list[InspectInterface] | None
    enabled_management_interfaces: list[ManagementInterface] | None
    enabled_network_interfaces: list[NetworkInterface] | None
    enabled_power_interfaces: list[PowerInterface] | None
    enabled_raid_interfaces: list[RAIDInterface] | None
    enabled_rescue_interfaces: list[RescueInterface] | None
    enabled_storage_interfaces: list[StorageInterface] | None
    enabled_vendor_interfaces: list[VendorInterface] | None
    links: list[Link]
    properties: list[Link]


class DriverManager(passthru.VendorPassthru[Driver]):
    """Calls for drivers."""

    resource_class = Driver

    def list(
        self,
        driver_type: DriverType | None = None,
        detail: bool | None = None,
        *,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> list[Driver]:
        """Return the enabled drivers.

        :param driver_type: only those of this type, ``classic`` or ``dynamic``; since version 1.30.
        :param detail: whether to return all fields; since version 1.30.
        :param fields: the fields to return; since version 1.77.
        :raises InvalidAttribute: if ``detail`` and ``fields`` are both given.
        """
        if detail and fields:
            raise exc.InvalidAttribute(manager.DETAIL_OR_FIELDS)
        return self._list({"driver_type": driver_type, "detail": detail}, fields=fields, **call)

    def iterate(self, **options: Unpack[DriverFilters]) -> Iterator[Driver]:
        """Yield all matching drivers, holding one page of the server in memory at a time.

        :param options: the filters of :meth:`list`, the arguments of all lists but ``limit``, and
            the options of every call.
        """
        return self._iterate(**options)

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
            "GET", driver_name, "raid", "logical_disk_properties", features=[RAID], **call
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
