"""Values of fields and arguments of the Bare Metal API: closed sets, and names that Ironic has.

For annotations in users' programs, too. Nothing else in this package imports the module at run
time, so that it costs nothing there.

A name that other software may extend, such as that of a driver or an interface, is ``str`` beside
the names that Ironic itself has: editors offer these, checkers accept any.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from baremetalclient._resource import arguments
from baremetalclient.v1 import provision_states

ProvisionState: TypeAlias = provision_states.ProvisionState
"""A provision state of a node."""

ProvisionVerb: TypeAlias = provision_states.ProvisionVerb
"""What can be requested of a node with ``set_provision_state()``."""

PowerState = Literal["power on", "power off", "error"]
"""A power state of a node."""

TargetPowerState = Literal["power on", "power off", "rebooting", "soft power off", "soft rebooting"]
"""A power state that was requested of a node."""

PowerTarget = Literal["on", "off", "reboot", TargetPowerState]
"""What can be requested of a node with ``set_power_state()``: short, or as the API writes it."""

BootMode = Literal["uefi", "bios"]
"""A boot mode of a node."""

BootDevice: TypeAlias = (
    Literal["pxe", "disk", "cdrom", "bios", "safe", "wanboot", "iscsiboot", "floppy", "uefihttp"]
    | str
)
"""A device that a node boots from; management interfaces may know others."""

VirtualMediaDevice = Literal["disk", "cdrom", "floppy"]
"""A type of device that an image can be attached to a node as."""

ImageDownloadSource = Literal["http", "local", "swift"]
"""How a machine gets an image that is attached to it."""

IndicatorState = Literal["on", "off", "blinking"]
"""What an indicator can be set to."""

Fault = Literal["power failure", "clean failure", "rescue abort failure", "service failure"]
"""A fault for which Ironic put a node into maintenance."""

Health = Literal["OK", "Warning", "Critical"]
"""The health of a node, as its management controller reports it."""

Severity = Literal["error", "warning", "info"]
"""How bad it is what was found about a node, the worst first."""

AllocationState = Literal["allocating", "active", "error"]
"""A state of an allocation."""

DriverType = Literal["classic", "dynamic"]
"""The type of a driver."""

InspectionPhase: TypeAlias = Literal["main"] | str
"""The phase of an inspection in which a rule applies; later versions may know others."""

SortDirection = Literal["asc", "desc"]
"""The direction in which a list is sorted."""

HTTPMethod: TypeAlias = arguments.HTTPMethod
"""The HTTP method of a vendor method."""

RAIDLevel = Literal["JBOD", "0", "1", "2", "5", "6", "1+0", "5+0", "6+0"]
"""The RAID level of a logical disk."""

PatchVerb = Literal["add", "replace", "remove"]
"""What an operation of a patch does."""

DriverName: TypeAlias = (
    Literal["fake-hardware", "idrac", "intel-ipmi", "ipmi", "manual-management", "redfish"] | str
)
"""The name of a driver; others can be installed."""

InterfaceKind = Literal[
    "bios",
    "boot",
    "console",
    "deploy",
    "firmware",
    "inspect",
    "management",
    "network",
    "power",
    "raid",
    "rescue",
    "storage",
    "vendor",
]
"""A kind of hardware interfaces."""

BIOSInterface: TypeAlias = Literal["fake", "idrac-redfish", "no-bios", "redfish"] | str
"""The name of a BIOS interface."""

BootInterface: TypeAlias = (
    Literal[
        "fake",
        "http",
        "http-ipxe",
        "idrac-redfish-virtual-media",
        "ipxe",
        "pxe",
        "redfish-https",
        "redfish-virtual-media",
    ]
    | str
)
"""The name of a boot interface."""

ConsoleInterface: TypeAlias = (
    Literal["fake", "fake-graphical", "ipmitool-socat", "no-console", "redfish-graphical"] | str
)
"""The name of a console interface."""

DeployInterface: TypeAlias = (
    Literal[
        "anaconda",
        "ansible",
        "autodetect",
        "bootc",
        "custom-agent",
        "direct",
        "fake",
        "noop",
        "ramdisk",
    ]
    | str
)
"""The name of a deploy interface."""

FirmwareInterface: TypeAlias = Literal["fake", "no-firmware", "redfish"] | str
"""The name of a firmware interface."""

InspectInterface: TypeAlias = (
    Literal["agent", "fake", "idrac-redfish", "no-inspect", "redfish"] | str
)
"""The name of an inspect interface."""

ManagementInterface: TypeAlias = (
    Literal["fake", "idrac-redfish", "intel-ipmitool", "ipmitool", "noop", "redfish"] | str
)
"""The name of a management interface."""

NetworkInterface: TypeAlias = Literal["flat", "ironic-networking", "neutron", "noop"] | str
"""The name of a network interface."""

PowerInterface: TypeAlias = Literal["agent", "fake", "idrac-redfish", "ipmitool", "redfish"] | str
"""The name of a power interface."""

RAIDInterface: TypeAlias = Literal["agent", "fake", "idrac-redfish", "no-raid", "redfish"] | str
"""The name of a RAID interface."""

RescueInterface: TypeAlias = Literal["agent", "fake", "no-rescue"] | str
"""The name of a rescue interface."""

StorageInterface: TypeAlias = Literal["cinder", "external", "fake", "noop"] | str
"""The name of a storage interface."""

VendorInterface: TypeAlias = (
    Literal["fake", "idrac-redfish", "ipmitool", "no-vendor", "redfish"] | str
)
"""The name of a vendor interface."""


PortgroupMode: TypeAlias = (
    Literal[
        "active-backup",
        "balance-rr",
        "balance-xor",
        "broadcast",
        "802.3ad",
        "balance-tlb",
        "balance-alb",
    ]
    | str
)
"""The bonding mode of a port group: one of Linux, or that of a switch."""

VolumeConnectorType: TypeAlias = (
    Literal["iqn", "ip", "mac", "wwnn", "wwpn", "port", "portgroup", "net-id"] | str
)
"""The type of a volume connector."""

VolumeType: TypeAlias = Literal["iscsi", "fibre_channel"] | str
"""The type of a volume target: a volume driver of Cinder."""
