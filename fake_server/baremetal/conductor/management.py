"""Boot mode, secure boot and virtual media, which the fake interfaces can't change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.baremetal.drivers.base import unsupported
from fake_server.baremetal.task import history
from fake_server.baremetal.task.task import Plan, Task

if TYPE_CHECKING:
    from collections.abc import Sequence


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


def request_attachment(task: Task, device: str) -> None:
    """Plan to attach an image as a device."""
    _plan(task, Plan("do_attach_virtual_media", {"device": device}))


def request_detachment(task: Task, devices: Sequence[str] | None) -> None:
    """Plan to detach devices, all of them if none is named."""
    _plan(task, Plan("do_detach_virtual_media", {"devices": devices}))


def attach_media(task: Task, device: str) -> None:
    """Fail to attach an image."""
    node = task.node
    _fail(
        task,
        f"Could not attach device {device} to node {node['uuid']}: Publishing images is not "
        f"supported for driver {node['driver']}",
    )


def detach_media(task: Task, devices: Sequence[str] | None) -> None:
    """Fail to detach devices."""
    reason = unsupported(task.node, "detach_virtual_media")
    uuid = task.node["uuid"]
    _fail(task, f"Could not detach device(s) {devices} from node {uuid}: {reason}")


def _plan(task: Task, plan: Plan) -> None:
    task.driver.management.validate(task)
    task.node["last_error"] = None
    task.save()
    task.plan = plan


def _fail(task: Task, text: str) -> None:
    history.record(task, text, "UNKNOWN", error=True)
    task.save()
