"""Servicing: steps on a node that is in use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors, states
from fake_server.baremetal.conductor import failures, steps
from fake_server.baremetal.conductor.cleaning import refresh_cache
from fake_server.baremetal.conductor.flows import Flow
from fake_server.baremetal.step_flows import FLOWS
from fake_server.baremetal.task import history

if TYPE_CHECKING:
    from fake_server.baremetal.conductor.task import Task

_NAME = "servicing"


def request(task: Task, wanted: list[dict[str, Any]], without_ramdisk: bool | None) -> None:
    """Start the requested servicing.

    :param wanted: the steps.
    :param without_ramdisk: whether to do without booting a ramdisk.
    """
    FLOW.validate(task, "service")
    arguments = {"wanted": wanted, "without_ramdisk": without_ramdisk}
    task.process("service", work="do_node_service", arguments=arguments, target=states.ACTIVE)


def do_node_service(
    task: Task, wanted: list[dict[str, Any]], without_ramdisk: bool | None = None
) -> None:
    """Service the node."""
    node = task.node
    try:
        task.driver.deploy.switch_interface(task)
    except errors.InvalidParameterValue as exc:
        text = f"Failed to select a deploy interface for servicing node {node['uuid']}: {exc}"
        failures.servicing_error_handler(task, text, tear_down=False)
        return
    try:
        task.driver.power.validate(task)
        if not without_ramdisk:
            task.driver.network.validate(task)
    except (errors.InvalidParameterValue, errors.NetworkError) as exc:
        failures.servicing_error_handler(
            task, f"Validation of node {node['uuid']} for service failed: {exc}"
        )
        return
    failures.forget_flow(task, "service")
    task.internal.update(service_steps=wanted, service_disable_ramdisk=without_ramdisk)
    task.save()
    refresh_cache(task)
    needs_ramdisk = False
    try:
        found = steps.check(
            task, "service", task.internal["service_steps"], without_ramdisk=bool(without_ramdisk)
        )
    except errors.InvalidParameterValue:
        if without_ramdisk:
            raise
        # Unknown steps may be the agent's.
        needs_ramdisk = True
    else:
        FLOW.set_steps(task, found)
    found = FLOW.steps(task)
    history.record_flow_start(task, _NAME, found)
    needs_ramdisk = needs_ramdisk or any(step.get("requires_ramdisk") for step in found)
    if needs_ramdisk and not without_ramdisk:
        try:
            waits = task.driver.deploy.prepare_service(task)
        except errors.ApiError as exc:
            failures.servicing_error_handler(
                task, f"Failed to prepare node {node['uuid']} for service: {exc}"
            )
            return
        if waits:
            FLOW.boot_agent(task)
            return
    else:
        task.internal["service_disable_ramdisk"] = True
        task.save()
    FLOW.start_step(task, 0)


def abort(task: Task) -> None:
    """Abort servicing that waits for its agent or has failed."""
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
    if FLOW.ask_abort(task):
        task.process("fail")
        task.process("abort", work="do_node_service_abort")


def _fail(task: Task, step: dict[str, Any], exc: errors.ApiError) -> None:
    history.record_flow(task, _NAME, FLOW.steps(task), aborted_step=step["step"])
    failures.servicing_error_handler(task, f"Node {task.node['uuid']} failed step {step}: {exc}")


def _end(task: Task) -> None:
    without_ramdisk = task.internal.get("service_disable_ramdisk", False)
    FLOW.clear(task)
    history.record_flow(task, _NAME, FLOW.steps(task))
    if not without_ramdisk:
        try:
            task.driver.deploy.tear_down_service(task)
        except errors.ApiError as exc:
            text = f"Failed to tear down from service for node {task.node['uuid']}, reason: {exc}"
            failures.servicing_error_handler(task, text, tear_down=False)
            return
    refresh_cache(task)
    task.driver.deploy.restore_interface(task)
    task.process("done")


def _fail_abort(task: Task) -> None:
    text = "Failed to tear down service after aborting the operation"
    failures.servicing_error_handler(task, text, tear_down=False, set_state=False)


FLOW = Flow(
    FLOWS["service"],
    failures.servicing_error_handler,
    fail=_fail,
    end=_end,
    undo=lambda task: task.driver.deploy.tear_down_service(task),
    fail_abort=_fail_abort,
)
