"""The provision verbs: manage, provide, inspect, adopt, abort, unhold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.baremetal import errors, states
from fake_server.baremetal.conductor import (
    cleaning,
    console,
    deploying,
    failures,
    inspection,
    rescue,
    servicing,
)
from fake_server.baremetal.conductor.task import Plan
from fake_server.baremetal.task import history

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fake_server.baremetal.conductor.task import Task

_INSPECTION_ABORTED = "Inspection was aborted by request."


def act(task: Task, action: str) -> None:
    """Start a simple verb, such as ``manage``; raise InvalidStateRequested in a wrong state."""
    node = task.node
    state = node["provision_state"]
    if action == "provide" and state == states.MANAGEABLE:
        if node["retired"]:
            raise errors.Invalid(
                f"The providing operation can't be performed on node {node['uuid']} because it is "
                "retired."
            )
        task.process("provide", work="do_node_clean")
    elif action == "manage" and state == states.ENROLL:
        task.process("manage", work="do_node_verify")
    elif action == "adopt" and state in (states.MANAGEABLE, states.ADOPTFAIL):
        task.process("adopt", work="_do_adoption")
    elif action == "abort" and state in _ABORTS:
        _ABORTS[state](task)
    elif action == "unhold" and state == states.SERVICEHOLD:
        task.process("unhold", work="continue_node_service")
    elif not states.accepts(state, action):
        raise errors.InvalidStateRequested(action=action, node=node["uuid"], state=state)
    else:
        task.process(action)


def request_inspection(task: Task) -> None:
    """Start inspecting the node."""
    task.driver.power.validate(task)
    task.driver.inspect.validate(task)
    task.process("inspect", work="inspect_hardware")


def do_node_verify(task: Task) -> None:
    """Verify that the node can be managed; if it can't, its ``last_error`` says why."""
    try:
        failure = f"Failed to validate power driver interface for node {task.node['uuid']}."
        task.driver.power.validate(task)
        failure = f"Failed to get power state for node {task.node['uuid']}."
        task.node["power_state"] = task.driver.power.state(task)
    except errors.ApiError as exc:
        history.record(task, f"{failure} Error: {exc}", "verify", error=True)
        task.process("fail")
        return
    cleaning.refresh_cache(task)
    task.process("done")


def inspect_hardware(task: Task) -> None:
    """Inspect the node, or boot the agent that does."""
    failures.forget_agent(task)
    try:
        waits = task.driver.inspect.inspect(task)
        if inventory := task.driver.inspect.inventory(task):
            inspection.keep(task, inventory, {})
    except errors.ApiError as exc:
        failures.inspecting_error_handler(task, str(exc))
        task.process("fail")
        raise
    task.plan = Plan("finish_inspection", {"event": "wait" if waits else "done"})


def do_adoption(task: Task) -> None:
    """Take a node over that was deployed by others."""
    node = task.node
    try:
        deploying.note_image_type(task)
        if node["deploy_interface"] == "ramdisk":
            task.driver.boot.validate(task)
        task.driver.deploy.switch_interface(task)
        task.driver.deploy.prepare(task)
        if reason := console.restore(task):
            text = f"Failed to start console while taking over the node {node['uuid']}: {reason}."
            history.record(task, text, "takeover", error=True)
        task.process("done")
    except errors.ApiError as exc:
        text = f"Error while attempting to adopt node {node['uuid']}: {exc}."
        task.driver.deploy.restore_interface(task)
        task.node["power_state"] = None
        history.record(task, text, "adoption", error=True)
        task.process("fail")


def finish(task: Task, event: str) -> None:
    """Leave the state of a transition whose delay has passed."""
    task.process(event)


def _abort_inspection(task: Task) -> None:
    task.driver.inspect.abort(task)
    history.record(task, _INSPECTION_ABORTED, "introspection", error=True)
    failures.forget_agent(task)
    task.process("abort")


def _abort_held_deployment(task: Task) -> None:
    task.forget("agent_url")
    task.process("abort", work="_do_node_tear_down")


_ABORTS: Mapping[str, Callable[[Task], None]] = {
    states.CLEANWAIT: cleaning.abort,
    states.CLEANHOLD: cleaning.abort,
    states.RESCUEWAIT: rescue.abort,
    states.INSPECTWAIT: _abort_inspection,
    states.DEPLOYWAIT: deploying.abort,
    states.DEPLOYHOLD: _abort_held_deployment,
    states.SERVICEWAIT: servicing.abort,
    states.SERVICEHOLD: servicing.abort,
    states.SERVICEFAIL: servicing.abort,
}
