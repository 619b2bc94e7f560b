"""The class names of Ironic's hardware interfaces, which some of its errors show."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

#: By kind and name of the interface, below ``ironic.drivers.modules``.
_CLASSES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "boot": {
            "fake": "fake.FakeBoot",
            "http": "pxe.HttpBoot",
            "http-ipxe": "ipxe.iPXEHttpBoot",
            "idrac-redfish-virtual-media": "drac.boot.DracRedfishVirtualMediaBoot",
            "ipxe": "ipxe.iPXEBoot",
            "pxe": "pxe.PXEBoot",
            "redfish-https": "redfish.boot.RedfishHttpsBoot",
            "redfish-virtual-media": "redfish.boot.RedfishVirtualMediaBoot",
        },
        "deploy": {
            "anaconda": "pxe.PXEAnacondaDeploy",
            "ansible": "ansible.deploy.AnsibleDeploy",
            "autodetect": "autodetect.AutodetectDeploy",
            "bootc": "agent.BootcAgentDeploy",
            "custom-agent": "agent.CustomAgentDeploy",
            "direct": "agent.AgentDeploy",
            "fake": "fake.FakeDeploy",
            "noop": "noop.NoDeploy",
            "ramdisk": "ramdisk.RamdiskDeploy",
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
            "no-bios": "noop.NoBIOS",
            "redfish": "redfish.bios.RedfishBIOS",
        },
        "console": {
            "fake": "fake.FakeConsole",
            "fake-graphical": "fake.FakeGraphicalConsole",
            "ipmitool-socat": "ipmitool.IPMISocatConsole",
            "no-console": "noop.NoConsole",
            "redfish-graphical": "redfish.graphical_console.RedfishGraphicalConsole",
        },
        "firmware": {
            "fake": "fake.FakeFirmware",
            "no-firmware": "noop.NoFirmware",
            "redfish": "redfish.firmware.RedfishFirmware",
        },
        "inspect": {
            "agent": "inspector.agent.AgentInspect",
            "fake": "fake.FakeInspect",
            "idrac-redfish": "drac.inspect.DracRedfishInspect",
            "no-inspect": "noop.NoInspect",
            "redfish": "redfish.inspect.RedfishInspect",
        },
        "raid": {
            "agent": "agent.AgentRAID",
            "fake": "fake.FakeRAID",
            "idrac-redfish": "drac.raid.DracRedfishRAID",
            "no-raid": "noop.NoRAID",
            "redfish": "redfish.raid.RedfishRAID",
        },
        "rescue": {
            "agent": "agent.AgentRescue",
            "fake": "fake.FakeRescue",
            "no-rescue": "noop.NoRescue",
        },
        "storage": {
            "cinder": "storage.cinder.CinderStorage",
            "external": "storage.external.ExternalStorage",
            "fake": "fake.FakeStorage",
            "noop": "storage.noop.NoopStorage",
        },
        "vendor": {
            "fake": "fake.FakeVendorB",
            "idrac-redfish": "drac.vendor_passthru.DracRedfishVendorPassthru",
            "ipmitool": "ipmitool.VendorPassthru",
            "no-vendor": "noop.NoVendor",
            "redfish": "redfish.vendor.RedfishVendorPassthru",
        },
    }
)
#: Ironic shows the address of the object in the memory of its process.
_ADDRESS = "0x7f0000000000"


def python_name(kind: str, name: str) -> str:
    """Return how Ironic prints an interface: the ``repr`` of an object."""
    return f"<ironic.drivers.modules.{_CLASSES[kind][name]} object at {_ADDRESS}>"
