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
    try:
        task.driver.deploy.switch_interface(task)
    except errors.InvalidParameterValue as exc:
        text = f"Failed to select a deploy interface for cleaning node {node['uuid']}: {exc}"
        failures.cleaning_error_handler(task, text, tear_down=False)
        return
    try:
        task.driver.power.validate(task)
        if not without_ramdisk:
            task.driver.network.validate(task)
    except (errors.InvalidParameterValue, errors.NetworkError) as exc:
        text = f"Validation of node {node['uuid']} for cleaning failed: {exc}"
        failures.cleaning_error_handler(task, text)
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
    try:
        waits = not without_ramdisk and task.driver.deploy.prepare_cleaning(task)
    except errors.ApiError as exc:
        failures.cleaning_error_handler(
            task, f"Failed to prepare node {node['uuid']} for cleaning: {exc}"
        )
        return
    if waits:
        FLOW.boot_agent(task)
        return
    if not checked:
        try:
            set_steps(task, named=bool(wanted), without_ramdisk=without_ramdisk)
        except errors.InvalidParameterValue as exc:
            task.revert("driver_internal_info")
            failures.cleaning_error_handler(task, f"Cannot clean node {node['uuid']}: {exc}")
            return
    history.record_flow_start(task, _flow_name(task), FLOW.steps(task))
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


def _is_manual(task: Task) -> bool:
    return bool(task.node["target_provision_state"] == states.MANAGEABLE)


def _flow_name(task: Task) -> str:
    return "manual_cleaning" if _is_manual(task) else "automated_cleaning"


def _fail(task: Task, step: dict[str, Any], exc: errors.ApiError) -> None:
    found = FLOW.steps(task)
    history.record_flow(task, _flow_name(task), found, aborted_step=step["step"])
    failures.cleaning_error_handler(task, f"Node {task.node['uuid']} failed step {step}: {exc}")


def _end(task: Task) -> None:
    manual, name = _is_manual(task), _flow_name(task)
    without_ramdisk = task.internal.get("cleaning_disable_ramdisk", False)
    FLOW.clear(task)
    if not without_ramdisk:
        try:
            task.driver.deploy.tear_down_cleaning(task)
        except errors.ApiError as exc:
            text = f"Failed to tear down from cleaning for node {task.node['uuid']}, reason: {exc}"
            failures.cleaning_error_handler(task, text, tear_down=False)
            return
    refresh_cache(task)
    history.record_flow(task, name, FLOW.steps(task))
    task.driver.deploy.restore_interface(task)
    task.process("manage" if manual or task.node["retired"] else "done")


def _fail_abort(task: Task) -> None:
    text = "Failed to tear down cleaning after aborting the operation"
    failures.cleaning_error_handler(task, text, tear_down=False, set_state=False)


FLOW = Flow(
    FLOWS["clean"],
    failures.cleaning_error_handler,
    fail=_fail,
    end=_end,
    undo=lambda task: task.driver.deploy.tear_down_cleaning(task),
    fail_abort=_fail_abort,
)
