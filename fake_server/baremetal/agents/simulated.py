"""The simulated agent: it has every step, and never fails."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import states
from fake_server.baremetal.agents.parameters import RAID_ARGUMENTS
from fake_server.baremetal.step_flows import BY_WAITING
from fake_server.common.parsing import parse_integer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.task.protocol import Task

#: Value of the setting ``agent`` that has it play.
SIMULATED = "simulated"
VERSION = "11.5.0"
URL = "https://192.0.2.1:9999"
_MANAGER = "GenericHardwareManager"


def _step(name: str, priority: int, **more: Any) -> dict[str, Any]:
    return {
        "step": name,
        "priority": priority,
        "interface": "deploy",
        "reboot_requested": False,
        "abortable": True,
        **more,
    }


#: Steps that it offers, by flow, as a generic hardware manager does.
_STEPS: Mapping[str, list[dict[str, Any]]] = {
    "clean": [
        _step("erase_devices", 10),
        _step("erase_devices_metadata", 99),
        _step("erase_devices_express", 0),
        _step("delete_configuration", 0, interface="raid"),
        _step("create_configuration", 0, interface="raid"),
    ],
    "deploy": [
        _step("erase_devices_metadata", 0),
        _step("write_image", 0),
        _step("apply_configuration", 0, interface="raid", argsinfo=RAID_ARGUMENTS),
    ],
    "service": [_step("erase_devices_metadata", 0), _step("burnin_cpu", 0)],
}


class SimulatedAgent:
    """The agent of one node.

    It remembers nothing: the command that it was given last is the step that the node is at.

    :param task: a task on its node.
    """

    def __init__(self, task: Task) -> None:
        self._task = task

    def commands(self) -> list[dict[str, Any]]:
        """Return the command to carry out the node's present step, done."""
        flow = BY_WAITING.get(self._task.node["provision_state"])
        step = self._task.node[flow.step_field] if flow else None
        if flow is None or not step or step["step"] == "deploy":
            return []
        built = (step.get("args") or {}).get("raid_config")
        if step["step"] == "create_configuration":
            built = self._task.internal.get("target_raid_config")
        result = {flow.step_field: step, f"{flow.kind}_result": built}
        return [_done(f"execute_{flow.kind}_step", result)]

    def get_steps(self, flow: str) -> dict[str, Any]:
        """Return the steps that it offers, as the result of a command."""
        found = {
            f"{flow}_steps": {_MANAGER: [dict(step) for step in _STEPS[flow]]},
            "hardware_manager_version": {_MANAGER: "1.2"},
        }
        return _done(f"get_{flow}_steps", found)

    def execute_step(self, flow: str, step: dict[str, Any]) -> dict[str, Any]:
        """Run a step at once."""
        return _done(f"execute_{flow}_step", {})

    def call(self, method: str, params: dict[str, Any], *, wait: bool = False) -> dict[str, Any]:
        """Carry a command out at once."""
        return _done(method.rpartition(".")[2], {})

    @property
    def inventory(self) -> dict[str, Any]:
        """What it finds on its node: what the node's properties and ports say."""
        node = self._task.node
        properties = node["properties"]
        ports = self._task.ports
        addresses = [port["address"] for port in ports] or [_made_up_address(node["id"])]
        size = _number(properties.get("local_gb"), 100) * 2**30
        memory = _number(properties.get("memory_mb"), 8192)
        return {
            "interfaces": [
                {
                    "name": f"eth{number}",
                    "mac_address": address,
                    "ipv4_address": f"192.0.2.{10 + number}",
                    "has_carrier": True,
                    "lldp": None,
                }
                for number, address in enumerate(addresses)
            ],
            "cpu": {
                "architecture": properties.get("cpu_arch") or "x86_64",
                "count": _number(properties.get("cpus"), 4),
                "model_name": "Simulated CPU",
                "frequency": "2000.0",
                "flags": [],
            },
            "memory": {"total": memory * 2**20, "physical_mb": memory},
            "disks": [
                {"name": "/dev/sda", "size": size, "rotational": False, "model": "Simulated"}
            ],
            "boot": {
                "current_boot_mode": "uefi",
                "pxe_interface": next(
                    (port["address"] for port in ports if port["pxe_enabled"]), addresses[0]
                ),
            },
            "system_vendor": {
                "manufacturer": "Simulated",
                "product_name": "Machine",
                "serial_number": node["uuid"],
            },
            "bmc_address": None,
            "hostname": node["name"] or node["uuid"],
        }


def runs_on(task: Task) -> bool:
    """Return whether a simulated agent was booted on a node, and the node waits for it."""
    node = task.node
    if task.session.settings.agent != SIMULATED or node["power_state"] != states.POWER_ON:
        return False
    state = node["provision_state"]
    if state not in states.WAITING or node["maintenance"]:
        return False
    kind = {states.RESCUEWAIT: "rescue", states.INSPECTWAIT: "inspect"}.get(state, "deploy")
    return task.driver.interface(kind).boots_agent


def _done(name: str, result: dict[str, Any]) -> dict[str, Any]:
    return {"command_name": name, "command_status": "SUCCEEDED", "command_result": result}


def _number(value: Any, default: int) -> int:
    number = parse_integer(value)
    return default if number is None else number


def _made_up_address(number: int) -> str:
    digits = f"{number:06x}"
    return f"52:54:00:{digits[:2]}:{digits[2:4]}:{digits[4:6]}"
