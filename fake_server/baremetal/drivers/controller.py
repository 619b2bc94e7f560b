"""The controller (BMC) of a node's simulated machine, as the interfaces of Ironic see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urlsplit

from fake_server.baremetal import errors, states
from fake_server.baremetal.drivers.driver_info import redfish_url
from fake_server.baremetal.models import machines

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.task.protocol import Task

#: Ironic's default of ``[conductor]power_state_change_timeout``.
_POWER_SECONDS = 60
VENDOR = "Sushy Emulator"
#: Where it tells about an update of firmware.
UPDATE_TASK = "/redfish/v1/TaskService/Tasks/42"

#: The request that is refused with a wrong password, and why: without a session and with one.
_UNAUTHORIZED = (("GET", "Incorrect username or password"), ("POST", "Authorization required"))
_MESSAGES = [
    {
        "@odata.type": "/redfish/v1/$metadata#Message.1.0.0.Message",
        "MessageId": "Base.1.0.GeneralError",
    }
]


class Controller:
    """Reads and changes the machine of a node.

    :param task: the task on the node.
    """

    def __init__(self, task: Task) -> None:
        self._task = task
        self.machine = machines.get(task.session.tx, task.node["id"])

    def change(self, **changes: Any) -> None:
        """Change parts of the machine's state; see :data:`~.models.machines.NEW`."""
        machines.change(self._task.session.tx, self._task.node["id"], changes)
        self.machine.update(changes)

    def act_on_power(self, action: str) -> None:
        """Carry a power action out; raise PowerStateFailure if the machine is stuck."""
        target = states.POWER_ON if action in states.POWERING_ON else states.POWER_OFF
        if self.machine["power_stuck"]:
            raise errors.PowerStateFailure(pstate=target)
        self.change(power_state=target)
        if target == states.POWER_ON and self.machine["pending_bios"]:
            self.change(bios=self.machine["pending_bios"], pending_bios={})

    def seconds_stuck(self, *, acts: bool) -> float:
        """Return for how long a power state is waited for that the machine doesn't take.

        :param acts: whether one is to be taken.
        """
        return _POWER_SECONDS if acts and self.machine["power_stuck"] else 0

    def inventory(self) -> dict[str, Any]:
        """Return the hardware of the machine, as an inspection reports it."""
        address = self.address
        drives = [
            {"name": f"Drive {number}", "size": size * 1024**3}
            for number, size in enumerate(self.machine["drives"].values(), 1)
        ]
        health = {"health": "OK", "state": "Enabled"}
        return {
            "memory": {"physical_mb": 65536},
            "cpu": {"count": 16, "architecture": "x86_64", "model_name": "Fake"},
            "disks": [
                {
                    **drive,
                    "vendor": "Contoso",
                    "model": "C123",
                    "serial": "1234570",
                    "rotational": True,
                }
                for drive in drives
            ],
            "storage_controllers": [
                {
                    "id": "1",
                    "name": "Local storage",
                    "storage_controllers": [
                        {
                            "member_id": "0",
                            "name": "Fake RAID",
                            "raid_types": [],
                            "speed_gbps": 12,
                            "controller_protocols": ["PCIe"],
                            "device_protocols": ["SAS", "SATA"],
                            "status": health,
                        }
                    ],
                    "drives": [
                        {
                            **drive,
                            "id": ident,
                            "media_type": "HDD",
                            "serial_number": "1234570",
                            "manufacturer": "Contoso",
                            "model": "C123",
                            "revision": "100A",
                            "protocol": "SAS",
                            "status": health,
                        }
                        for ident, drive in zip(self.machine["drives"], drives, strict=True)
                    ],
                }
            ],
            "interfaces": [{"mac_address": address, "name": address}],
            "system_vendor": {"manufacturer": VENDOR, "system_uuid": self.ident},
            "boot": {"current_boot_mode": self.machine["boot_mode"]},
        }

    @property
    def ident(self) -> str:
        """The identifier of the machine: that in ``redfish_system_id``, or the node's UUID."""
        node = self._task.node
        return str(node["driver_info"].get("redfish_system_id") or node["uuid"]).rpartition("/")[2]

    @property
    def address(self) -> str:
        """The MAC address of the machine: locally administered, and made of the node's UUID."""
        digits = self._task.node["uuid"].replace("-", "")[:10]
        return ":".join(("02", *(digits[index : index + 2] for index in range(0, 10, 2))))

    def is_failing(self, part: str) -> bool:
        """Return whether a part, one of :data:`~.models.machines.PARTS`, is to fail."""
        return part in self.machine["failing"]

    def takes_password(self, given: Any) -> bool:
        """Return whether a password opens the controller; one without a password takes any."""
        wanted = self.machine["password"]
        return wanted is None or given == wanted


def redfish(task: Task, part: str) -> Controller:
    """Return the controller of a node for something that is asked of it by Redfish.

    :param part: the part that is asked for, one of :data:`~.models.machines.PARTS`.
    :raises RedfishError: if it isn't reachable, refuses the password, or the part fails.
    """
    controller, info = Controller(task), task.node["driver_info"]
    parts = urlsplit(redfish_url(str(info.get("redfish_address"))))
    url = f"{parts.scheme}://{parts.netloc}"
    if not controller.machine["reachable"]:
        raise errors.RedfishConnectionError(node=task.node["uuid"], error=_unreachable(parts))
    if not controller.takes_password(info.get("redfish_password")):
        by_session = info.get("redfish_auth_type") == "session"
        request, reason = _UNAUTHORIZED[by_session]
        path = "SessionService/Sessions" if by_session else f"Systems/{controller.ident}"
        raise errors.RedfishError(
            error=f"HTTP {request} {url}/redfish/v1/{path} returned code 401. "
            f"Base.1.0.GeneralError: {reason} Extended information: {_MESSAGES}"
        )
    if controller.is_failing(part):
        raise errors.RedfishError(
            error=f"HTTP GET {url}/redfish/v1/Systems/{controller.ident} returned code 500. "
            "unknown error Extended information: None"
        )
    return controller


def ipmi(task: Task, part: str, command: str) -> Controller:
    """Return the controller of a node for something that is asked of it by IPMI.

    :param part: the part that is asked for, one of :data:`~.models.machines.PARTS`.
    :param command: the arguments of ``ipmitool``, which errors show.
    :raises IPMIFailure: if it isn't reachable, refuses the password, or the part fails.
    """
    controller, info = Controller(task), task.node["driver_info"]
    if (
        not controller.machine["reachable"]
        or not controller.takes_password(info.get("ipmi_password"))
        or controller.is_failing(part)
    ):
        raise errors.IPMIFailure(cmd=command)
    return controller


def _unreachable(parts: SplitResult) -> str:
    """Return the error of a connection that the host of a URL doesn't take."""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    connection = f"{parts.scheme.upper()}Connection"
    host = f"(host='{parts.hostname}', port={port})"
    return (
        f"Unable to connect to {parts.scheme}://{parts.netloc}/redfish/v1/. Error: "
        f"{connection}Pool{host}: Max retries exceeded with url: /redfish/v1/ (Caused by "
        f'NewConnectionError("{connection}{host}: '
        'Failed to establish a new connection: [Errno 111] Connection refused"))'
    )


def registry_entry(name: str) -> Mapping[str, Any]:
    """Return what the registry of the machine's BIOS says of a setting."""
    if name not in _ALLOWABLE:
        return {"attribute_type": "String", "read_only": False}
    return {
        "attribute_type": "Enumeration",
        "allowable_values": list(_ALLOWABLE[name]),
        "read_only": False,
    }


_ALLOWABLE: Mapping[str, tuple[str, ...]] = {
    "BootMode": ("Bios", "Uefi"),
    "EmbeddedSata": ("Ata", "Ahci", "Raid", "Off"),
    "NicBoot1": ("NetworkBoot", "Disabled"),
    "ProcTurboMode": ("Enabled", "Disabled"),
}
