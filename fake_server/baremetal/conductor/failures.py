"""Fail deployments, cleaning, servicing, rescue and inspection, and clear what they stored."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from fake_server.baremetal import errors, states
from fake_server.baremetal.models.node_properties import fast_track
from fake_server.baremetal.step_flows import FLOWS
from fake_server.baremetal.task import history, power

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fake_server.baremetal.conductor.task import Task
    from fake_server.baremetal.step_flows import StepFlow

_TOKEN_AND_URL = (
    "agent_secret_token",
    "agent_secret_token_pregenerated",
    "agent_url",
    "agent_verify_ca",
)
_MARKS = tuple(name for flow in FLOWS.values() for name in flow.marks)
_OF_ANY_FLOW = ("steps_validated", "agent_start_attempted", *_MARKS)


def forget_agent(task: Task) -> None:
    """Forget token and address of the agent."""
    task.forget(*_TOKEN_AND_URL)


def forget_flow(task: Task, flow: str) -> None:
    """Remove the data of a flow of steps from ``driver_internal_info``.

    :param flow: ``clean``, ``deploy`` or ``service``.
    """
    if flow == "service" or not _keeps_agent(task):
        forget_agent(task)
    task.internal[f"{flow}_steps"] = None
    own = (*FLOWS[flow].others, f"agent_cached_{flow}_steps", f"{flow}_step_index")
    task.forget(*own, *_OF_ANY_FLOW)


def deploying_error_handler(task: Task, text: str, *, clean_up: bool = True) -> None:
    """Fail a deployment.

    :param text: becomes ``last_error``.
    :param clean_up: whether the deploy interface is to clean up.
    """
    history.record(task, text, states.DEPLOYING, error=True)
    task.save()
    also = None
    if clean_up:
        try:
            task.driver.deploy.clean_up(task)
        except errors.ApiError as exc:
            also = f"{text}. Also failed to clean up due to: {exc}"
    task.refresh()
    if task.node["provision_state"] in (states.DEPLOYING, states.DEPLOYWAIT, states.DEPLOYFAIL):
        task.node["deploy_step"] = {}
        forget_flow(task, "deploy")
    if also:
        history.record(task, also, states.DEPLOYING, error=True)
    task.save()
    task.process("fail")


def deploy_step_error_handler(task: Task, text: str) -> None:
    """Fail a deployment whose step reported a failure: the node is powered off."""
    step = task.node["deploy_step"]
    if step and f"{step['interface']}.{step['step']}" not in text:
        text = f"Deploy step {step['interface']}.{step['step']} failed: {text}"
    deploying_error_handler_with_power_off(task, text)


def deploying_error_handler_with_power_off(task: Task, text: str) -> None:
    """Fail a deployment, and power the node off."""
    deploying_error_handler(task, text, clean_up=False)
    with suppress(errors.ApiError):
        power.act(task, states.POWER_OFF)
    task.node["last_error"] = text
    task.save()


def rescuing_error_handler(task: Task, text: str, *, set_state: bool = True) -> None:
    """Fail a rescue: the node is powered off.

    :param text: becomes ``last_error``.
    :param set_state: whether the node goes into the failed state.
    """
    try:
        power.act(task, states.POWER_OFF)
        task.driver.rescue.clean_up(task)
        history.record(task, text, states.RESCUE, error=True)
    except errors.ApiError as exc:
        text = f"Rescue operation was unsuccessful, clean up failed for node: {exc}"
        history.record(task, text, states.RESCUE, error=True)
    task.forget("agent_url")
    task.save()
    if set_state:
        task.process("fail")


def inspecting_error_handler(task: Task, text: str) -> None:
    """Undo the preparations of an inspection that failed.

    :param text: goes into the node's history, and becomes ``last_error`` unless the node is powered
        off afterwards.
    """
    history.record(task, text, "introspection", error=True)
    with suppress(errors.ApiError):
        task.driver.inspect.clean_up(task)
    forget_agent(task)
    task.save()


def cleaning_error_handler(
    task: Task, text: str, *, tear_down: bool = True, set_state: bool = True
) -> None:
    """Fail cleaning; a node that was at a step goes into maintenance.

    :param text: becomes ``last_error``.
    :param tear_down: whether the deploy interface is to undo its preparations.
    :param set_state: whether the node goes into the failed state.
    """
    in_maintenance = _start_maintenance(task, "clean")
    if tear_down:
        try:
            task.driver.deploy.tear_down_cleaning(task)
        except errors.ApiError as exc:
            uuid = task.node["uuid"]
            text = f"{text}. Also Failed to tear down cleaning on node {uuid}, reason: {exc}"
    manual = task.node["target_provision_state"] == states.MANAGEABLE
    _end_flow(task, FLOWS["clean"], text, in_maintenance=in_maintenance)
    if set_state and task.node["provision_state"] != states.CLEANFAIL:
        task.process("fail", target=states.MANAGEABLE if manual else None)


def servicing_error_handler(
    task: Task, text: str, *, tear_down: bool = True, set_state: bool = True
) -> None:
    """Fail servicing; the parameters are those of :func:`cleaning_error_handler`."""
    in_maintenance = _start_maintenance(task, "service")
    if tear_down:
        try:
            task.driver.deploy.tear_down_service(task)
        except errors.ApiError:
            text = f"{text}. Also failed to tear down servicing."
    _end_flow(task, FLOWS["service"], text, in_maintenance=in_maintenance)
    if set_state and task.node["provision_state"] != states.SERVICEFAIL:
        task.process("fail")


def spawn_error_handler(task: Task, text: str, *, clean_up: bool = True) -> None:
    """Fail what a node was doing when its work crashed.

    :param text: becomes ``last_error``.
    :param clean_up: whether the hardware interfaces are to undo their preparations.
    """
    node = task.node
    state, target = node["provision_state"], node["target_provision_state"]
    fail = _OF_STATE.get(state) if clean_up else None
    if fail is not None:
        fail(task, text)
    else:
        history.record(task, text, state or "UNKNOWN", error=True)
    node = task.node
    if states.accepts(node["provision_state"], "fail"):
        manual = state in (states.CLEANING, states.CLEANWAIT) and target == states.MANAGEABLE
        task.process("fail", target=states.MANAGEABLE if manual else None)
    node.update(last_error=text, target_power_state=None)
    task.save()


_OF_STATE: Mapping[str, Callable[[Task, str], None]] = {
    states.DEPLOYING: deploying_error_handler,
    states.DEPLOYWAIT: deploying_error_handler,
    states.CLEANING: cleaning_error_handler,
    states.CLEANWAIT: cleaning_error_handler,
    states.SERVICING: servicing_error_handler,
    states.SERVICEWAIT: servicing_error_handler,
    states.RESCUING: rescuing_error_handler,
    states.RESCUEWAIT: rescuing_error_handler,
    states.INSPECTING: inspecting_error_handler,
    states.INSPECTWAIT: inspecting_error_handler,
}


def _start_maintenance(task: Task, flow: str) -> bool:
    """Put a node that was at a step into maintenance; return whether it was."""
    at_step = bool(task.node[f"{flow}_step"])
    if at_step:
        task.node.update(fault=f"{flow} failure", maintenance=True)
    return at_step


def _end_flow(task: Task, flow: StepFlow, text: str, *, in_maintenance: bool) -> None:
    """Remove the step of a failed flow, and store the failure."""
    node = task.node
    if node["provision_state"] in (flow.running, flow.waiting, flow.failed):
        node[flow.step_field] = {}
        task.forget(f"{flow.kind}_step_index", *_MARKS)
        forget_agent(task)
    history.record(task, text, flow.running, error=True)
    if in_maintenance and not node["maintenance_reason"]:
        node["maintenance_reason"] = text
    task.save()
    task.driver.deploy.restore_interface(task)


def _keeps_agent(task: Task) -> bool:
    """Return whether the agent may stay alive for what comes next."""
    node = task.node
    return (
        fast_track(node)
        and task.driver.storage.writes_image(task)
        and node["last_error"] is None
        and node["provision_state"]
        not in (states.SERVICING, states.SERVICEWAIT, states.SERVICEFAIL, states.SERVICEHOLD)
    )
