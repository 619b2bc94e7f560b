"""Cleaning: automated, before a node becomes available, or manual, by named steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import errors, states
from . import failures, history, steps

if TYPE_CHECKING:
    from .task import Task


def request(task: Task, wanted: list[dict[str, Any]], without_ramdisk: bool) -> None:
    """Start manual cleaning that was asked for.

    :param wanted: the steps.
    :param without_ramdisk: whether to do without booting a ramdisk.
    """
    node = task.node
    if node["maintenance"]:
        raise errors.NodeInMaintenance(op="cleaning", node=node["uuid"])
    try:
        task.hardware.power.validate(task)
        task.hardware.network.validate(task)
    except errors.InvalidParameterValue as exc:
        raise errors.InvalidParameterValue(
            f"Validation of node {node['uuid']} for cleaning failed: {exc}"
        ) from exc
    arguments = {"wanted": wanted, "without_ramdisk": without_ramdisk}
    task.process("clean", work="do_node_clean", arguments=arguments, target=states.MANAGEABLE)


def do_node_clean(
    task: Task,
    wanted: list[dict[str, Any]] | None = None,
    without_ramdisk: bool = False,
) -> None:
    """Clean the node.

    :param wanted: the steps of manual cleaning; ``None`` for those of the driver.
    """
    node, manual = task.node, wanted is not None
    if not manual and _is_skipped(task):
        node["clean_step"] = {}
        task.save()
        task.process("done")
        return
    try:
        task.hardware.power.validate(task)
        if not without_ramdisk:
            task.hardware.network.validate(task)
    except (errors.InvalidParameterValue, errors.NetworkError) as exc:
        text = f"Validation of node {node['uuid']} for cleaning failed: {exc}"
        failures.cleaning(task, text)
        return
    failures.forget_flow(task, "clean")
    if wanted:
        task.internal.update(
            clean_steps=wanted,
            cleaning_disable_ramdisk=without_ramdisk,
            declarative_cleaning=True,
        )
    task.save()
    refresh_cache(task)
    checked = False
    if wanted and not without_ramdisk:
        checked, without_ramdisk = _check_early(task)
    try:
        waits = not without_ramdisk and task.hardware.deploy.prepare_cleaning(task)
    except errors.ApiError as exc:
        failures.cleaning(task, f"Failed to prepare node {node['uuid']} for cleaning: {exc}")
        return
    if waits:
        task.process("wait", target=states.MANAGEABLE if manual else None)
        return
    if not checked:
        try:
            set_steps(task, named=bool(wanted), without_ramdisk=without_ramdisk)
        except errors.InvalidParameterValue as exc:
            task.revert("driver_internal_info")
            failures.cleaning(task, f"Cannot clean node {node['uuid']}: {exc}")
            return
    found = task.internal.get("clean_steps") or []
    history.record_flow_start(task, _flow(manual), found)
    next_clean_step(task, 0 if found else None, without_ramdisk)


def next_clean_step(task: Task, index: int | None, without_ramdisk: bool) -> None:
    """Do the steps from one on; end cleaning after the last."""
    manual = task.node["target_provision_state"] == states.MANAGEABLE
    found = task.internal.get("clean_steps") or []
    for position in range(len(found) if index is None else index, len(found)):
        step = found[position]
        task.node["clean_step"] = step
        task.internal["clean_step_index"] = position
        task.save()
        try:
            steps.check_script(task, "clean", step)
            goes_on = steps.run_own(task, step)
            if goes_on is False:
                return
            waits = goes_on is None and task.hardware.interface(step["interface"]).run_step(
                task, "clean", step
            )
        except errors.ApiError as exc:
            history.record_flow(task, _flow(manual), found, aborted_step=step["step"])
            text = f"Node {task.node['uuid']} failed step {step}: {exc}"
            failures.cleaning(task, text)
            return
        if waits:
            task.process("wait", target=states.MANAGEABLE if manual else None)
            return
    task.node["clean_step"] = {}
    failures.forget_flow(task, "clean")
    task.save()
    if not without_ramdisk:
        try:
            task.hardware.deploy.tear_down_cleaning(task)
        except errors.ApiError as exc:
            text = f"Failed to tear down from cleaning for node {task.node['uuid']}, reason: {exc}"
            failures.cleaning(task, text, tear_down=False)
            return
    refresh_cache(task)
    history.record_flow(task, _flow(manual), task.internal.get("clean_steps") or [])
    task.process("manage" if manual or task.node["retired"] else "done")


def set_steps(task: Task, *, named: bool, without_ramdisk: bool) -> None:
    """Note the steps that cleaning consists of.

    :param named: whether a user named them.
    :param without_ramdisk: whether only steps that need no ramdisk may be done.
    :raises InvalidParameterValue: naming those that don't fit.
    """
    if named:
        found = steps.check(
            task,
            "clean",
            task.internal["clean_steps"],
            without_ramdisk=without_ramdisk,
        )
    else:
        found = steps.of_node(task, "clean", enabled=True)
    task.node["clean_step"] = {}
    task.internal.update(clean_steps=found, clean_step_index=None)
    task.save()


def abort(task: Task) -> None:
    """Stop cleaning that waits; a step that may not be aborted is waited for."""
    node = task.node
    step = node["clean_step"]
    if step and not step.get("abortable"):
        step["abort_after"] = True
        task.save()
        return
    manual = node["target_provision_state"] == states.MANAGEABLE
    task.process(
        "abort",
        work="do_node_clean_abort",
        target=states.MANAGEABLE if manual else None,
        last_error=_abort_text(task),
    )


def do_node_clean_abort(task: Task) -> None:
    """Undo the preparations of cleaning that was aborted."""
    try:
        task.hardware.deploy.tear_down_cleaning(task)
    except errors.ApiError:
        text = "Failed to tear down cleaning after aborting the operation"
        failures.cleaning(task, text, tear_down=False, set_state=False)
        return
    task.node["last_error"] = _abort_text(task)
    task.node["clean_step"] = {}
    failures.forget_flow(task, "clean")
    task.save()


def refresh_cache(task: Task) -> None:
    """Note what the hardware says about itself; it knows of no boot mode."""
    task.node["boot_mode"] = None
    task.node["secure_boot"] = None
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


def _flow(manual: bool) -> str:
    return "manual_cleaning" if manual else "automated_cleaning"


def _abort_text(task: Task) -> str:
    text = "By request, the clean operation was aborted"
    step = task.node["clean_step"]
    if step:
        text += f' during or after the completion of step "{steps.identify(step)}"'
    return text
