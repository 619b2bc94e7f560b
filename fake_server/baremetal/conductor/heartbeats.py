"""Heartbeats of agents, and the flows that they continue."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fake_server.baremetal import errors, states
from fake_server.baremetal.agents.commands import agent_of
from fake_server.baremetal.conductor import (
    cleaning,
    continuation,
    deploying,
    failures,
    servicing,
    steps,
)
from fake_server.baremetal.conductor.task import Plan
from fake_server.baremetal.models.node_properties import fast_track
from fake_server.baremetal.step_flows import is_polled

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fake_server.baremetal.conductor.flows import Flow
    from fake_server.baremetal.conductor.task import Task

#: Name of the work of :func:`resume`.
WORK = "heartbeat"
_CERTIFICATES = "/var/lib/ironic/certificates"


class Heartbeat(NamedTuple):
    """A heartbeat of an agent.

    :param callback_url: where it can be reached.
    :param certificate: certificate of its server, in PEM.
    :param status: state of a ramdisk without an API (``start``, ``end``, ``error``).
    """

    callback_url: str
    version: str | None
    token: str
    certificate: str | None = None
    status: str | None = None
    message: str | None = None


def check_version(beat: Heartbeat) -> None:
    """Check that the heartbeat names a version; raise InvalidParameterValue if it doesn't."""
    if beat.version is None and beat.status is None:
        raise errors.InvalidParameterValue(
            "Agent did not transmit a version, and a version is required. Please update the agent "
            "being used."
        )


def request(task: Task, beat: Heartbeat) -> None:
    """Check and store a heartbeat, and plan to continue the flow once it is answered.

    An agent that is given a command before it has its answer doesn't report that it is done.

    :param task: one that shares the node.
    :raises ApiError: if the agent isn't to be trusted, or is to try again.
    """
    if receive(task, beat):
        task.plan = Plan(WORK, {})


def receive(task: Task, beat: Heartbeat) -> bool:
    """Check a heartbeat and store it; return whether a flow waits for it.

    :param task: one that shares the node.
    :raises ApiError: if the agent isn't to be trusted, or is to try again.
    """
    check(task, beat)
    state = task.node["provision_state"]
    noted = states.HEARTBEAT_NOTED | states.HEARTBEAT_AWAITED
    if fast_track(task.node):
        noted |= states.FAST_TRACK_HEARTBEAT
    if state not in noted or not task.driver.deploy.boots_agent:
        return False
    try:
        task.lock()
    except errors.NodeLocked:
        return False  # the agent tries again
    _note(task, beat)
    return state in states.HEARTBEAT_AWAITED


def check(task: Task, beat: Heartbeat) -> None:
    """Check that a heartbeat comes from the node's agent.

    :param task: one that shares the node.
    :raises ApiError: if the agent isn't to be trusted, or is to try again.
    """
    if task.internal.get("agent_secret_token") != beat.token:
        raise errors.InvalidParameterValue("Invalid or missing agent token received.")
    needs_tls = task.session.settings.agent_tls
    if needs_tls and beat.callback_url and not beat.callback_url.startswith("https://"):
        raise errors.InvalidParameterValue("TLS is required by configuration")
    known = task.node["agent_certificate"] if task.internal.get("agent_verify_ca") else None
    if beat.certificate and known and known.strip() != beat.certificate.strip():
        raise errors.InvalidParameterValue('Detected change in ramdisk provided "agent_verify_ca"')
    reservation = task.node["reservation"]
    if reservation and not task.internal.get("agent_url"):
        raise errors.NodeLocked(node=task.node["uuid"], host=reservation)


def resume(task: Task) -> None:
    """Continue the flow that waits for a heartbeat, which is stored already."""
    if task.node["maintenance"]:
        _stop(task)
    elif proceed := _NEXT.get(task.node["provision_state"]):
        proceed(task)


def _note(task: Task, beat: Heartbeat) -> None:
    task.internal.update(agent_url=beat.callback_url, agent_version=beat.version)
    task.stamp("agent_last_heartbeat")
    if beat.certificate:
        task.node["agent_certificate"] = beat.certificate
        task.internal["agent_verify_ca"] = f"{_CERTIFICATES}/{task.node['uuid']}.crt"
    if beat.status:
        task.internal["agent_status"] = beat.status
    if beat.message:
        task.internal["agent_status_message"] = beat.message
    task.save()


def _stop(task: Task) -> None:
    """Fail what a node in maintenance was doing."""
    state = task.node["provision_state"]
    if state == states.CLEANWAIT:
        failures.cleaning_error_handler(task, "Cleaning aborted as node is in maintenance mode")
    elif state == states.DEPLOYWAIT:
        text = "Deploy aborted as node is in maintenance mode"
        failures.deploying_error_handler_with_power_off(task, text)
    elif state == states.RESCUEWAIT:
        failures.rescuing_error_handler(task, "Rescue aborted as node is in maintenance mode")
    else:
        failures.servicing_error_handler(task, "Service aborted as node is in maintenance mode")


def _next_of_deploying(task: Task) -> None:
    if task.driver.deploy.reports_status:
        deploying.take_status(task)
        return
    doing = "Failed to load in-band deploy steps"
    try:
        if not task.internal.get("agent_cached_deploy_steps"):
            continuation.refresh_steps(task, "deploy")
        task.restart_timeout()
        if is_polled(task.node):
            return
        doing = "Failed to process the next deploy step"
        continuation.process_next_step(task, "deploy")
    except errors.ApiError as exc:
        if task.node["provision_state"] in (states.DEPLOYING, states.DEPLOYWAIT):
            failures.deploying_error_handler_with_power_off(task, f"{doing}: {exc}")


def _next_of_cleaning(task: Task) -> None:
    def set_steps() -> None:
        named = task.internal.get("declarative_cleaning", False)
        cleaning.set_steps(task, named=named, without_ramdisk=False)

    target = task.node["target_provision_state"]
    _next_step(task, cleaning.FLOW, set_steps, target)


def _next_of_servicing(task: Task) -> None:
    def set_steps() -> None:
        found = steps.check(task, "service", task.internal.get("service_steps") or [])
        servicing.FLOW.set_steps(task, found)

    _next_step(task, servicing.FLOW, set_steps)


def _next_step(
    task: Task, flow: Flow, set_steps: Callable[[], None], target: str | None = None
) -> None:
    """Continue a flow: after the running step, or with the first one.

    :param set_steps: stores the steps of the flow, once those of the agent are known.
    :param target: stable state that the flow leads to, if not the usual one.
    """
    task.restart_timeout()
    if is_polled(task.node):
        return
    running = (states.CLEANING, states.CLEANWAIT, states.SERVICING, states.SERVICEWAIT)
    doing = f"Node failed to check {flow.called} progress"
    try:
        if flow.step(task):
            continuation.process_next_step(task, flow.kind)
            return
        doing = f"Node failed to start the first {flow.called} step"
        task.process("resume", target=target)
        continuation.refresh_steps(task, flow.kind)
        set_steps()
        flow.resume(task)
    except errors.ApiError as exc:
        if task.node["provision_state"] in running:
            flow.error_handler(task, f"{doing}: {exc}")


def _finish_rescue(task: Task) -> None:
    node = task.node
    try:
        params = {"rescue_password": node["instance_info"].get("hashed_rescue_password")}
        answer = agent_of(task).call("rescue.finalize_rescue", {**params, "hashed": True})
        if answer.get("command_status") != "SUCCEEDED":
            raise errors.Invalid(
                f"Agent returned bad result for command finalize_rescue: "
                f"{answer.get('command_error')}"
            )
        task.process("resume")
        task.driver.rescue.clean_up(task)
        task.driver.network.configure_tenant_networks(task)
        task.process("done")
    except errors.ApiError as exc:
        text = (
            f"Node failed to perform rescue operation: Failed to rescue instance "
            f"{node['instance_uuid']} for node {node['uuid']}: {exc}"
        )
        if task.node["provision_state"] in (states.RESCUING, states.RESCUEWAIT):
            failures.rescuing_error_handler(task, text)


_NEXT: Mapping[str, Callable[[Task], None]] = {
    states.DEPLOYWAIT: _next_of_deploying,
    states.CLEANWAIT: _next_of_cleaning,
    states.SERVICEWAIT: _next_of_servicing,
    states.RESCUEWAIT: _finish_rescue,
}
