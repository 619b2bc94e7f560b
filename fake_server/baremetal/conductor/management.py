"""Boot mode, secure boot and virtual media."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.baremetal import errors
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
    """Change the boot mode; if that fails, the node's ``last_error`` says why."""
    try:
        task.driver.management.set_boot_mode(task, mode)
    except errors.ApiError as exc:
        task.node["last_error"] = f"Failed to change boot mode to '{mode}: {exc}"
        task.save()


def change_secure_boot(task: Task, wanted: bool) -> None:
    """Turn secure boot on or off; if that fails, the node's ``last_error`` says why."""
    try:
        task.driver.management.set_secure_boot(task, wanted)
    except errors.ApiError as exc:
        task.node["last_error"] = f"Failed to change secure_boot state to '{wanted}': {exc}"
        task.save()


def request_attachment(task: Task, device: str) -> None:
    """Plan to attach an image as a device."""
    _plan(task, Plan("do_attach_virtual_media", {"device": device}))


def request_detachment(task: Task, devices: Sequence[str] | None) -> None:
    """Plan to detach devices, all of them if none is named."""
    _plan(task, Plan("do_detach_virtual_media", {"devices": devices}))


def attach_media(task: Task, device: str) -> None:
    """Attach an image to a device; if that fails, the node's ``last_error`` says why."""
    try:
        task.driver.management.attach_media(task, device)
    except errors.ApiError as exc:
        _fail(task, f"Could not attach device {device} to node {task.node['uuid']}: {exc}")


def detach_media(task: Task, devices: Sequence[str] | None) -> None:
    """Detach images from devices; if that fails, the node's ``last_error`` says why."""
    try:
        task.driver.management.detach_media(task, devices)
    except errors.ApiError as exc:
        _fail(task, f"Could not detach device(s) {devices} from node {task.node['uuid']}: {exc}")


def _plan(task: Task, plan: Plan) -> None:
    task.driver.management.validate(task)
    task.node["last_error"] = None
    task.save()
    task.plan = plan


def _fail(task: Task, text: str) -> None:
    history.record(task, text, "UNKNOWN", error=True)
    task.save()
