"""Continue a flow of steps once the agent has booted or finished a step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors, states
from fake_server.baremetal.agents.commands import agent_of
from fake_server.baremetal.conductor import cleaning, deploying, failures, servicing, steps
from fake_server.baremetal.task import power

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.conductor.flows import Flow
    from fake_server.baremetal.conductor.task import Task

FLOWS: Mapping[str, Flow] = {
    "clean": cleaning.FLOW,
    "deploy": deploying.FLOW,
    "service": servicing.FLOW,
}


def refresh_steps(task: Task, flow: str) -> None:
    """Get the steps of the agent, and store them.

    :param flow: ``clean``, ``deploy`` or ``service``.
    :raises ApiError: if its answer can't be used.
    """
    node = task.node
    try:
        answer = agent_of(task).get_steps(flow)
    except errors.AgentInProgress:
        return
    result = answer.get("command_result") or {}
    missing = {f"{flow}_steps", "hardware_manager_version"}.difference(result)
    if missing:
        raise errors.AgentStepsInvalid(
            f"agent get_{flow}_steps for node {node['uuid']} returned an invalid result. Keys: "
            f"{_set_of(missing)} are missing from result: {result}."
        )
    found: dict[str, list[dict[str, Any]]] = {}
    for offered in result[f"{flow}_steps"].values():
        for step in offered:
            missing = {"interface", "step", "priority"}.difference(step)
            if missing:
                raise errors.AgentStepsInvalid(
                    f"agent get_{flow}_steps for node {node['uuid']} returned an invalid {flow} "
                    f"step. Keys: {_set_of(missing)} are missing from step: {step}."
                )
            if flow == "clean":
                step["requires_ramdisk"] = True
            found.setdefault(step["interface"], []).append(step)
    task.internal["hardware_manager_version"] = result["hardware_manager_version"]
    task.internal[f"agent_cached_{flow}_steps"] = found
    task.stamp(f"agent_cached_{flow}_steps_refreshed")
    task.save()


def process_next_step(task: Task, flow: str) -> None:
    """Start the next step if the agent has finished its command, or has just booted."""
    commands = agent_of(task).commands()
    if all(command.get("command_name") == f"get_{flow}_steps" for command in commands):
        task.forget(f"{FLOWS[flow].names.long}_reboot")
        task.save()
        resume(task, flow)
        return
    step = task.node[f"{flow}_step"]
    command = _completed(commands[-1], flow, step)
    if command is None:
        return
    status = command.get("command_status")
    if status == "SUCCEEDED":
        _end_step(task, flow, command)
    elif status in ("CLEAN_VERSION_MISMATCH", "VERSION_MISMATCH"):
        _start_over(task, flow)
    else:
        uuid = task.node["uuid"]
        text = f"Agent returned unknown status for {flow} step {step} on node {uuid} : {status}."
        if status == "FAILED":
            name = steps.identify(step)
            text = f"{flow.capitalize()} step {name} failed on node {uuid}. {_error(command)}"
        FLOWS[flow].error_handler(task, text)


def _end_step(task: Task, flow: str, command: dict[str, Any]) -> None:
    """Store the result of the agent's step, and continue."""
    step = task.node[f"{flow}_step"]
    try:
        interface = task.driver.interface(step["interface"])
        interface.end_step(task, flow, step, command.get("command_result"))
    except errors.ApiError as exc:
        text = (
            f"For node {task.node['uuid']}, post {flow} step hook _create_configuration_final "
            f"failed for {flow} step {step}.{type(exc).__name__}: {exc}"
        )
        FLOWS[flow].error_handler(task, text)
        return
    if step.get("reboot_requested"):
        _reboot(task, flow)
    else:
        resume(task, flow)


def resume(task: Task, flow: str) -> None:
    """Go on with the next step."""
    task.process("resume", target=task.node["target_provision_state"])
    if flow == "deploy" and not _know_deploy_steps(task):
        return
    FLOWS[flow].resume(task)


def _know_deploy_steps(task: Task) -> bool:
    """Note the final deploy steps, now that those of the agent are known.

    :returns: whether that was possible; the deployment has failed otherwise.
    """
    if task.internal.get("steps_validated"):
        return True
    try:
        task.internal["deploy_steps"] = steps.for_deployment(task, None, final=True)
    except errors.ApiError as exc:
        uuid = task.node["uuid"]
        text = f"Failed to validate the final deploy steps list for node {uuid}: {exc}"
        failures.deploying_error_handler(task, text)
        return False
    task.internal["steps_validated"] = True
    task.save()
    return True


def _completed(command: dict[str, Any], flow: str, step: dict[str, Any]) -> dict[str, Any] | None:
    """Return the agent's last command if it is the present step and has come to an end."""
    status = command.get("command_status")
    if command.get("command_name") != f"execute_{flow}_step" or status == "RUNNING":
        return None
    done = (command.get("command_result") or {}).get(f"{flow}_step")
    if status == "SUCCEEDED" and not (done and steps.identify(done) == steps.identify(step)):
        return None
    return command


def _reboot(task: Task, flow: str) -> None:
    power.act(task, states.REBOOT)
    task.internal[f"{FLOWS[flow].names.long}_reboot"] = True
    task.internal[f"skip_current_{flow}_step"] = True
    task.save()


def _start_over(task: Task, flow: str) -> None:
    """Begin anew with an agent that offers other steps than before."""
    try:
        refresh_steps(task, flow)
    except errors.AgentStepsInvalid as exc:
        doing = {"clean": "cleaning", "deploy": "deployment"}.get(flow)
        if doing is None:
            raise
        FLOWS[flow].error_handler(
            task, f"Could not continue {doing} on node {task.node['uuid']}: {exc}."
        )
        return
    if task.node["target_provision_state"] == states.MANAGEABLE:
        task.internal["skip_current_clean_step"] = False
        task.save()
    else:
        cleaning.set_steps(task, named=False, without_ramdisk=False)
    resume(task, flow)


def _error(command: dict[str, Any]) -> Any:
    error = command.get("command_error")
    if isinstance(error, dict):
        return error.get("details") or error.get("message") or str(error)
    return error


def _set_of(names: set[str]) -> str:
    """Return names as Python writes a set, but in alphabetical order."""
    return f"{{{', '.join(map(repr, sorted(names)))}}}"
