"""Interfaces of machines with an IPMI controller."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import errors, states
from fake_server.baremetal.drivers.base import (
    ConsoleInterface,
    ManagementInterface,
    PowerInterface,
)
from fake_server.baremetal.drivers.controller import ipmi
from fake_server.baremetal.drivers.driver_info import (
    check_ipmi,
    check_ipmi_address,
    check_ipmi_console,
)
from fake_server.baremetal.drivers.interface import Interface
from fake_server.baremetal.drivers.steps import Step
from fake_server.baremetal.drivers.vendor import Method, VendorInterface
from fake_server.common.parsing import parse_boolean, parse_integer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.task.protocol import Task


#: Ironic's default of ``[ipmi]command_retry_timeout``.
_TRIES_SECONDS = 60
_PROFILES = ("0x00", "0x01", "0x02")
_PROFILE = Step(
    "configure_intel_speedselect",
    priority=200,
    abortable=True,
    arguments={
        "intel_speedselect_config": {
            "description": "Hexadecimal code of Intel SST-PP configuration provided. Input value "
            f"should be string. Accepted values are {', '.join(_PROFILES)}.",
            "required": True,
        },
        "socket_count": {
            "description": "Number of sockets. Input value should be a positive integer."
        },
    },
    ramdisk=None,
)
_RAW = Step(
    "send_raw",
    arguments={
        "raw_bytes": {
            "description": "A string of raw bytes to convey the request to transmit to the remote "
            "BMC.",
            "required": True,
        }
    },
)


class _IPMI(Interface):
    """Base of the IPMI interfaces, which need the address of the controller."""

    properties = ("ipmi",)

    def validate(self, task: Task) -> None:
        """Check how the controller is reached; raise InvalidParameterValue if that isn't clear."""
        check_ipmi(task.node)


class IPMIPower(_IPMI, PowerInterface, names={"ipmitool": "ipmitool.IPMIPower"}):
    """Power through the controller."""

    def validate(self, task: Task) -> None:
        """Check how the controller is reached, its address included."""
        super().validate(task)
        check_ipmi_address(task.node)

    def state(self, task: Task) -> str | None:
        """Ask the machine; raise IPMIFailure if that fails."""
        found: str | None = ipmi(task, "power", "power status").machine["power_state"]
        return found

    def seconds_lost(self, task: Task, *, acts: bool) -> float:
        """Return for how long a command is tried that fails, or its effect waited for."""
        try:
            return ipmi(task, "power", "power status").seconds_stuck(acts=acts)
        except errors.IPMIFailure:
            return _TRIES_SECONDS

    def act(self, task: Task, action: str) -> None:
        """Have the controller carry a power action out; raise ApiError if it doesn't."""
        on = action in states.POWERING_ON
        ipmi(task, "power", f"power {'on' if on else 'off'}").act_on_power(action)


class IPMIManagement(_IPMI, ManagementInterface, names={"ipmitool": "ipmitool.IPMIManagement"}):
    """Boot devices of the controller."""

    boot_devices = ("pxe", "disk", "cdrom", "bios", "safe")

    def refresh(self, task: Task) -> None:
        """Note the vendor, which is none that needs to be known."""
        super().refresh(task)
        ipmi(task, "bmc", "mc info")
        task.node["properties"]["vendor"] = "unknown"

    def set_boot_device(self, task: Task, device: str | None, *, persistent: bool | None) -> None:
        """Set what the machine boots from the next time.

        :raises InvalidParameterValue: for an unknown device.
        :raises IPMIFailure: if setting it fails.
        """
        super().set_boot_device(task, device, persistent=persistent)
        ipmi(task, "boot_device", "raw 0x00 0x08 0x03 0x08").change(boot_device=device)

    def boot_device(self, task: Task) -> dict[str, Any]:
        """Return what the machine boots from; raise IPMIFailure if that fails."""
        machine = ipmi(task, "boot_device", "chassis bootparam get 5").machine
        return {"boot_device": machine["boot_device"], "persistent": False}

    def inject_nmi(self, task: Task) -> None:
        """Send the machine an interrupt; raise IPMIFailure if that fails."""
        ipmi(task, "power", "power diag")


class IntelIPMIManagement(
    IPMIManagement, names={"intel-ipmitool": "intel_ipmi.management.IntelIPMIManagement"}
):
    """The same of a machine of Intel, whose processors have profiles."""

    steps: ClassVar = {"deploy": (_PROFILE,)}

    def run_step(self, task: Task, flow: str, step: dict[str, Any]) -> bool:
        """Choose a profile; raise InvalidParameterValue for a wrong one, or IPMIFailure."""
        super().run_step(task, flow, step)
        args = step.get("args") or {}
        profile, count = args.get("intel_speedselect_config"), args.get("socket_count", 1)
        if profile not in _PROFILES:
            raise errors.InvalidParameterValue(
                f"Invalid Intel SST-PP configuration value {profile} specified. Valid values are "
                f"{list(_PROFILES)}."
            )
        sockets = range(parse_integer(count) or 0)
        if not sockets:
            raise errors.InvalidParameterValue(
                f"Invalid number of socket {count} value specified. Expected a positive integer."
            )
        for socket in sockets:
            try:
                ipmi(task, "bmc", f"raw 0x2c 0x41 0x04 0x00 0x0{socket} {profile}")
            except errors.IPMIFailure as exc:
                raise errors.IPMIFailure(
                    f"Failed to set Intel SST-PP configuration level {profile} on socket number "
                    f"{socket} due to reason {exc}."
                ) from exc
        return False


class IPMIConsole(ConsoleInterface, names={"ipmitool-socat": "ipmitool.IPMISocatConsole"}):
    """A serial console over IPMI, on a port of the conductor."""

    properties = ("ipmi", "ipmi-console")

    def validate(self, task: Task) -> None:
        """Check how the controller is reached, and on which port the console is to be."""
        check_ipmi_console(task.node)

    def access(self, task: Task) -> dict[str, Any]:
        """Return where the conductor gives access to the console."""
        port = task.node["driver_info"]["ipmi_terminal_port"]
        return {"type": "socat", "url": f"tcp://{task.session.settings.host}:{port}"}


class IPMIVendor(VendorInterface, names={"ipmitool": "ipmitool.VendorPassthru"}):
    """Raw commands to the controller, which no flow has as steps by default."""

    properties = ("ipmi",)
    methods: ClassVar = {
        "bmc_reset": Method(
            "Reset the BMC. Required argument: 'warm' (Boolean) - for warm (True) or cold "
            "(False) reset."
        ),
        "send_raw": Method(
            "Send raw bytes to the BMC. Required argument: 'raw_bytes' - a string of raw bytes "
            "(e.g. '0x00 0x01')."
        ),
    }

    steps: ClassVar = {
        "clean": (replace(_RAW, ramdisk=False),),
        "deploy": (replace(_RAW, abortable=True, ramdisk=None),),
        "service": (_RAW,),
    }

    def check_call(self, task: Task, name: str, arguments: Mapping[str, Any]) -> None:
        """Check the arguments of a method and how the controller is reached."""
        if name == "send_raw" and not arguments.get("raw_bytes"):
            raise errors.MissingParameterValue(
                "Parameter raw_bytes (string of bytes) was not specified."
            )
        check_ipmi(task.node)

    def call(self, task: Task, name: str, arguments: Mapping[str, Any]) -> None:
        """Send a command, which leaves the machine as it is; raise IPMIFailure if that fails."""
        warm = "warm" if parse_boolean(arguments.get("warm", True)) else "cold"
        command = f"raw {arguments.get('raw_bytes')}" if name == "send_raw" else f"bmc reset {warm}"
        ipmi(task, "bmc", command)
