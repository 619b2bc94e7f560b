"""Virtual media, which hardware that isn't there doesn't have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.baremetal.drivers.base import unsupported
from fake_server.baremetal.task import history
from fake_server.baremetal.task.task import Plan, Task

if TYPE_CHECKING:
    from collections.abc import Sequence


def request_attachment(task: Task, device: str) -> None:
    """Plan to attach an image as a device."""
    _plan(task, Plan("do_attach_virtual_media", {"device": device}))


def request_detachment(task: Task, devices: Sequence[str] | None) -> None:
    """Plan to detach devices, all of them if none is named."""
    _plan(task, Plan("do_detach_virtual_media", {"devices": devices}))


def attach(task: Task, device: str) -> None:
    """Fail to attach an image."""
    node = task.node
    _fail(
        task,
        f"Could not attach device {device} to node {node['uuid']}: Publishing images is not "
        f"supported for driver {node['driver']}",
    )


def detach(task: Task, devices: Sequence[str] | None) -> None:
    """Fail to detach devices."""
    reason = unsupported(task.node, "detach_virtual_media")
    uuid = task.node["uuid"]
    _fail(task, f"Could not detach device(s) {devices} from node {uuid}: {reason}")


def _plan(task: Task, plan: Plan) -> None:
    task.hardware.management.validate(task)
    task.node["last_error"] = None
    task.save()
    task.plan = plan


def _fail(task: Task, text: str) -> None:
    history.record(task, text, "UNKNOWN", error=True)
    task.save()
