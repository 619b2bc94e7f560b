"""The class names of Ironic's hardware interfaces, which some of its errors show."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

#: By kind and name of the interface, below ``ironic.drivers.modules``. Only the refusal of an
#: interface shows its class, so those that all hardware types support are left out.
_CLASSES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "boot": {
            "fake": "fake.FakeBoot",
            "idrac-redfish-virtual-media": "drac.boot.DracRedfishVirtualMediaBoot",
            "redfish-https": "redfish.boot.RedfishHttpsBoot",
            "redfish-virtual-media": "redfish.boot.RedfishVirtualMediaBoot",
        },
        "deploy": {
            "fake": "fake.FakeDeploy",
            "noop": "noop.NoDeploy",
        },
        "management": {
            "fake": "fake.FakeManagement",
            "idrac-redfish": "drac.management.DracRedfishManagement",
            "intel-ipmitool": "intel_ipmi.management.IntelIPMIManagement",
            "ipmitool": "ipmitool.IPMIManagement",
            "noop": "noop_mgmt.NoopManagement",
            "redfish": "redfish.management.RedfishManagement",
        },
        "power": {
            "agent": "agent_power.AgentPower",
            "fake": "fake.FakePower",
            "idrac-redfish": "drac.power.DracRedfishPower",
            "ipmitool": "ipmitool.IPMIPower",
            "redfish": "redfish.power.RedfishPower",
        },
        "bios": {
            "fake": "fake.FakeBIOS",
            "idrac-redfish": "drac.bios.DracRedfishBIOS",
            "redfish": "redfish.bios.RedfishBIOS",
        },
        "console": {
            "fake": "fake.FakeConsole",
            "ipmitool-socat": "ipmitool.IPMISocatConsole",
            "redfish-graphical": "redfish.graphical_console.RedfishGraphicalConsole",
        },
        "firmware": {
            "fake": "fake.FakeFirmware",
            "redfish": "redfish.firmware.RedfishFirmware",
        },
        "inspect": {
            "fake": "fake.FakeInspect",
            "idrac-redfish": "drac.inspect.DracRedfishInspect",
            "redfish": "redfish.inspect.RedfishInspect",
        },
        "raid": {
            "fake": "fake.FakeRAID",
            "idrac-redfish": "drac.raid.DracRedfishRAID",
            "redfish": "redfish.raid.RedfishRAID",
        },
        "rescue": {
            "fake": "fake.FakeRescue",
        },
        "storage": {
            "fake": "fake.FakeStorage",
        },
        "vendor": {
            "fake": "fake.FakeVendorB",
            "idrac-redfish": "drac.vendor_passthru.DracRedfishVendorPassthru",
            "ipmitool": "ipmitool.VendorPassthru",
            "redfish": "redfish.vendor.RedfishVendorPassthru",
        },
    }
)
#: Ironic shows the address of the object in the memory of its process.
_ADDRESS = "0x7f0000000000"


def python_name(kind: str, name: str) -> str:
    """Return how Ironic prints an interface: the ``repr`` of an object."""
    return f"<ironic.drivers.modules.{_CLASSES[kind][name]} object at {_ADDRESS}>"
