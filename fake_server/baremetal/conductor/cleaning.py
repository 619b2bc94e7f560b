"""Cleaning: automated, before a node becomes available, or manual, by named steps."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors, states
from fake_server.baremetal.conductor import failures, steps
from fake_server.baremetal.conductor.flows import Flow
from fake_server.baremetal.conductor.task import Plan
from fake_server.baremetal.step_flows import FLOWS
from fake_server.baremetal.task import history

if TYPE_CHECKING:
    from fake_server.baremetal.conductor.task import Task


def request(task: Task, wanted: list[dict[str, Any]], without_ramdisk: bool) -> None:
    """Start the requested manual cleaning.

    :param wanted: the steps.
    :param without_ramdisk: whether to do without booting a ramdisk.
    """
    FLOW.validate(task, "cleaning")
    arguments = {"wanted": wanted, "without_ramdisk": without_ramdisk}
    task.process("clean", work="do_node_clean", arguments=arguments, target=states.MANAGEABLE)


def do_node_clean(
    task: Task, wanted: list[dict[str, Any]] | None = None, without_ramdisk: bool = False
) -> None:
    """Clean the node.

    :param wanted: the steps of manual cleaning; ``None`` for those of the driver.
    """
    node = task.node
    if wanted is None and _is_skipped(task):
        node["clean_step"] = {}
        task.save()
        task.driver.deploy.restore_interface(task)
        task.plan = Plan("finish_skipped_clean", {})
        return
    if not FLOW.begin(task, without_ramdisk=without_ramdisk):
        return
    failures.forget_flow(task, "clean")
    if wanted:
        task.internal.update(
            clean_steps=wanted, cleaning_disable_ramdisk=without_ramdisk, declarative_cleaning=True
        )
    task.save()
    refresh_cache(task)
    checked = False
    if wanted and not without_ramdisk:
        checked, without_ramdisk = _check_early(task)
    if not without_ramdisk and not FLOW.prepare(task):
        return
    if not checked:
        try:
            set_steps(task, named=bool(wanted), without_ramdisk=without_ramdisk)
        except errors.InvalidParameterValue as exc:
            task.revert("driver_internal_info")
            failures.cleaning_error_handler(task, f"Cannot clean node {node['uuid']}: {exc}")
            return
    history.record_flow_start(task, FLOW.recorded(task), FLOW.steps(task))
    FLOW.start_step(task, 0)


def finish_skipped(task: Task) -> None:
    """End cleaning that was skipped."""
    task.process("done")


def set_steps(task: Task, *, named: bool, without_ramdisk: bool) -> None:
    """Note the steps that cleaning consists of.

    :param named: whether a user named them.
    :param without_ramdisk: whether only steps that need no ramdisk may be done.
    :raises InvalidParameterValue: naming those that don't fit.
    """
    if named:
        found = steps.check(
            task, "clean", task.internal["clean_steps"], without_ramdisk=without_ramdisk
        )
    else:
        found = steps.of_node(task, "clean", enabled=True)
    FLOW.set_steps(task, found)


def abort(task: Task) -> None:
    """Abort cleaning that waits for its agent; a step that can't be aborted ends first."""
    if FLOW.ask_abort(task):
        task.process(
            "abort",
            work="do_node_clean_abort",
            target=task.node["target_provision_state"],
            last_error=FLOW.abort_text(task),
        )


def refresh_cache(task: Task) -> None:
    """Update what the node keeps of its hardware, as far as its interfaces can tell."""
    for kind in ("management", "bios", "firmware"):
        with suppress(errors.ApiError):
            task.driver.interface(kind).refresh(task)
    task.save()


def _is_skipped(task: Task) -> bool:
    wanted = task.node["automated_clean"]
    return not (task.session.settings.automated_clean if wanted is None else wanted)


def _check_early(task: Task) -> tuple[bool, bool]:
    """Check the steps before anything is booted for them.

    :returns: whether they are fine, and whether they all can do without a ramdisk.
    """
    try:
        set_steps(task, named=True, without_ramdisk=False)
    except errors.InvalidParameterValue:
        return False, False
    found = task.internal.get("clean_steps") or []
    without_ramdisk = bool(found) and steps.need_no_ramdisk(task, found)
    if without_ramdisk:
        task.internal["cleaning_disable_ramdisk"] = True
        task.save()
    return True, without_ramdisk


class _Cleaning(Flow):
    names = FLOWS["clean"]
    called = "cleaning"
    error_handler = staticmethod(failures.cleaning_error_handler)

    def recorded(self, task: Task) -> str:
        """Return what the node's history calls it, by who named the steps."""
        manual = task.node["target_provision_state"] == states.MANAGEABLE
        return "manual_cleaning" if manual else "automated_cleaning"

    def prepare_node(self, task: Task) -> bool:
        """Bring the node into the cleaning network, with an agent if it has one."""
        return task.driver.deploy.prepare_cleaning(task)

    def undo(self, task: Task) -> None:
        """Take the node out of the cleaning network."""
        task.driver.deploy.tear_down_cleaning(task)

    def end(self, task: Task) -> None:
        """Go on to the state that cleaning leads to."""
        manual, name = task.node["target_provision_state"] == states.MANAGEABLE, self.recorded(task)
        without_ramdisk = task.internal.get("cleaning_disable_ramdisk", False)
        self.clear(task)
        if not without_ramdisk and not self.tear_down(task):
            return
        refresh_cache(task)
        history.record_flow(task, name, self.steps(task))
        task.driver.deploy.restore_interface(task)
        task.process("manage" if manual or task.node["retired"] else "done")


FLOW = _Cleaning()
