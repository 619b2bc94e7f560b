"""Boot mode, secure boot and virtual media."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors
from fake_server.baremetal.conductor.task import Plan, Task
from fake_server.baremetal.task import history, power

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def request(task: Task, work: str, **arguments: Any) -> None:
    """Plan one of the changes below.

    :param work: its name in :data:`.work.WORK`.
    """
    task.driver.management.validate(task)
    task.node["last_error"] = None
    task.save()
    task.plan = Plan(work, arguments)


def request_power(task: Task, action: str) -> None:
    """Plan a power action that was asked for.

    :param action: one of :data:`~..states.POWER_TARGETS`.
    :raises InvalidParameterValue: if the node lacks something that its power interface needs.
    """
    task.driver.power.validate(task)
    task.node["target_power_state"] = power.target_of(action)
    task.node["last_error"] = None
    task.save()
    task.plan = Plan("node_power_action", {"action": action})


def change_boot_mode(task: Task, mode: str) -> None:
    """Change the boot mode; if that fails, the node's ``last_error`` says why."""
    with _noting(task, f"Failed to change boot mode to '{mode}", recorded=False):
        task.driver.management.set_boot_mode(task, mode)


def change_secure_boot(task: Task, wanted: bool) -> None:
    """Turn secure boot on or off; if that fails, the node's ``last_error`` says why."""
    with _noting(task, f"Failed to change secure_boot state to '{wanted}'", recorded=False):
        task.driver.management.set_secure_boot(task, wanted)


def attach_media(task: Task, device: str) -> None:
    """Attach an image to a device; if that fails, the node's ``last_error`` says why."""
    with _noting(task, f"Could not attach device {device} to node {task.node['uuid']}"):
        task.driver.management.attach_media(task, device)


def detach_media(task: Task, devices: Sequence[str] | None) -> None:
    """Detach images from devices; if that fails, the node's ``last_error`` says why."""
    with _noting(task, f"Could not detach device(s) {devices} from node {task.node['uuid']}"):
        task.driver.management.detach_media(task, devices)


@contextmanager
def _noting(task: Task, text: str, *, recorded: bool = True) -> Iterator[None]:
    """Make an error the node's ``last_error``.

    :param text: comes before the error.
    :param recorded: whether it goes into the node's history, too.
    """
    try:
        yield
    except errors.ApiError as exc:
        if recorded:
            history.record(task, f"{text}: {exc}", "UNKNOWN", error=True)
        task.node["last_error"] = f"{text}: {exc}"
        task.save()
