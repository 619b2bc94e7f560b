"""Boot mode and secure boot, which hardware that isn't there doesn't have."""

from __future__ import annotations

from fake_server.baremetal.drivers.base import unsupported
from fake_server.baremetal.task.task import Plan, Task


def request_boot_mode(task: Task, mode: str) -> None:
    """Plan a change of the boot mode."""
    _plan(task, Plan("node_change_boot_mode", {"mode": mode}))


def request_secure_boot(task: Task, wanted: bool) -> None:
    """Plan a change of secure boot."""
    _plan(task, Plan("node_change_secure_boot", {"wanted": wanted}))


def change_boot_mode(task: Task, mode: str) -> None:
    """Fail to change the boot mode."""
    reason = unsupported(task.node, "set_boot_mode")
    task.node["last_error"] = f"Failed to change boot mode to '{mode}: {reason}"
    task.save()


def change_secure_boot(task: Task, wanted: bool) -> None:
    """Fail to change secure boot."""
    reason = unsupported(task.node, "set_secure_boot_state")
    task.node["last_error"] = f"Failed to change secure_boot state to '{wanted}': {reason}"
    task.save()


def _plan(task: Task, plan: Plan) -> None:
    task.hardware.management.validate(task)
    task.node["last_error"] = None
    task.save()
    task.plan = plan
