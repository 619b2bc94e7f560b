"""Servicing: steps on a node that is in use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import errors, states
from . import failures, history, steps
from .cleaning import refresh_cache

if TYPE_CHECKING:
    from .task import Task

_FLOW = "servicing"


def request(task: Task, wanted: list[dict[str, Any]], without_ramdisk: bool | None) -> None:
    """Start servicing that was asked for.

    :param wanted: the steps.
    :param without_ramdisk: whether to do without booting a ramdisk.
    """
    node = task.node
    if node["maintenance"]:
        raise errors.NodeInMaintenance(op="service", node=node["uuid"])
    try:
        task.hardware.power.validate(task)
        task.hardware.network.validate(task)
    except errors.InvalidParameterValue as exc:
        raise errors.InvalidParameterValue(
            f"Validation of node {node['uuid']} for servicing failed: {exc}"
        ) from exc
    arguments = {"wanted": wanted, "without_ramdisk": without_ramdisk}
    task.process("service", work="do_node_service", arguments=arguments, target=states.ACTIVE)


def do_node_service(
    task: Task, wanted: list[dict[str, Any]], without_ramdisk: bool | None = None
) -> None:
    """Service the node."""
    node = task.node
    try:
        task.hardware.power.validate(task)
        if not without_ramdisk:
            task.hardware.network.validate(task)
    except (errors.InvalidParameterValue, errors.NetworkError) as exc:
        failures.servicing(task, f"Validation of node {node['uuid']} for service failed: {exc}")
        return
    failures.forget_flow(task, "service")
    task.internal.update(service_steps=wanted, service_disable_ramdisk=without_ramdisk)
    task.save()
    refresh_cache(task)
    needs_ramdisk = False
    try:
        found = steps.check(
            task,
            "service",
            task.internal["service_steps"],
            without_ramdisk=bool(without_ramdisk),
        )
    except errors.InvalidParameterValue:
        if without_ramdisk:
            raise
        # Unknown steps may be the agent's.
        needs_ramdisk = True
    else:
        task.node["service_step"] = {}
        task.internal.update(service_steps=found, service_step_index=None)
        task.save()
    found = task.internal.get("service_steps") or []
    history.record_flow_start(task, _FLOW, found)
    needs_ramdisk = needs_ramdisk or any(step.get("requires_ramdisk") for step in found)
    if needs_ramdisk and not without_ramdisk:
        try:
            waits = task.hardware.deploy.prepare_service(task)
        except errors.ApiError as exc:
            failures.servicing(task, f"Failed to prepare node {node['uuid']} for service: {exc}")
            return
        if waits:
            task.process("wait")
            return
    else:
        without_ramdisk = True
        task.internal["service_disable_ramdisk"] = True
        task.save()
    next_service_step(task, 0 if found else None, without_ramdisk)


def next_service_step(task: Task, index: int | None, without_ramdisk: bool | None) -> None:
    """Do the steps from one on; end servicing after the last."""
    found = task.internal.get("service_steps") or []
    if without_ramdisk is None:
        without_ramdisk = task.internal.get("service_disable_ramdisk", False)
    for position in range(len(found) if index is None else index, len(found)):
        step = found[position]
        task.node["service_step"] = step
        task.internal["service_step_index"] = position
        task.save()
        try:
            steps.check_script(task, "service", step)
            goes_on = steps.run_own(task, step)
            if goes_on is False:
                return
            waits = goes_on is None and task.hardware.interface(step["interface"]).run_step(
                task, "service", step
            )
        except errors.ApiError as exc:
            history.record_flow(task, _FLOW, found, aborted_step=step["step"])
            text = f"Node {task.node['uuid']} failed step {step}: {exc}"
            failures.servicing(task, text)
            return
        if waits:
            task.process("wait")
            return
    failures.forget_flow(task, "service")
    _end(task, without_ramdisk)


def continue_node_service(task: Task) -> None:
    """Go on with the step after the current one."""
    step = task.node["service_step"]
    index = task.internal.get("service_step_index")
    if not step:
        position: int | None = 0
    elif index is None:
        position = None
    else:
        position = index + 1 if index + 1 < len(task.internal["service_steps"]) else None
    task.forget("skip_current_service_step", "servicing_polling")
    if step and step.get("abort_after"):
        task.process("fail")
        do_node_service_abort(task)
        return
    next_service_step(task, position, None)


def abort(task: Task) -> None:
    """Stop servicing that waits, or let a node go whose servicing failed."""
    node = task.node
    if node["provision_state"] == states.SERVICEFAIL:
        if node["maintenance"]:
            raise errors.InvalidState(
                f'Can not abort service on node "{node["uuid"]}" while it is in maintenance mode. '
                "Please remove the node from maintenance prior to issuing the request to abort the "
                "service operation."
            )
        task.process("abort", work="do_node_service_abort")
        return
    step = node["service_step"]
    if step and not step.get("abortable"):
        step["abort_after"] = True
        task.save()
        return
    task.process("fail")
    task.process("abort", work="do_node_service_abort")


def do_node_service_abort(task: Task) -> None:
    """Boot the instance again after servicing was aborted."""
    try:
        task.hardware.deploy.tear_down_service(task)
    except errors.ApiError:
        text = "Failed to tear down service after aborting the operation"
        failures.servicing(task, text, tear_down=False, set_state=False)
        return
    text = "By request, the service operation was aborted"
    if task.node["service_step"]:
        step = steps.identify(task.node["service_step"])
        text += f' during or after the completion of step "{step}"'
    task.node["last_error"] = text
    task.node["service_step"] = {}
    failures.forget_flow(task, "service")
    task.save()


def _end(task: Task, without_ramdisk: bool | None) -> None:
    task.node["service_step"] = {}
    failures.forget_flow(task, "service")
    task.save()
    history.record_flow(task, _FLOW, task.internal.get("service_steps") or [])
    if not without_ramdisk:
        try:
            task.hardware.deploy.tear_down_service(task)
        except errors.ApiError as exc:
            text = f"Failed to tear down from service for node {task.node['uuid']}, reason: {exc}"
            failures.servicing(task, text, tear_down=False)
            return
    refresh_cache(task)
    task.process("done")
