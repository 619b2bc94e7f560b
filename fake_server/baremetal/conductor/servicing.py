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
    if not FLOW.begin(task, without_ramdisk=without_ramdisk):
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
    history.record_flow_start(task, FLOW.recorded(task), found)
    needs_ramdisk = needs_ramdisk or any(step.get("requires_ramdisk") for step in found)
    if needs_ramdisk and not without_ramdisk:
        if not FLOW.prepare(task):
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


class _Servicing(Flow):
    names = FLOWS["service"]
    called = "service"
    error_handler = staticmethod(failures.servicing_error_handler)

    def recorded(self, task: Task) -> str:
        """Return what the node's history calls it."""
        return self.names.long

    def prepare_node(self, task: Task) -> bool:
        """Bring the node into the servicing network, with an agent if it has one."""
        return task.driver.deploy.prepare_service(task)

    def undo(self, task: Task) -> None:
        """Boot the instance again."""
        task.driver.deploy.tear_down_service(task)

    def end(self, task: Task) -> None:
        """Give the node back to its user."""
        without_ramdisk = task.internal.get("service_disable_ramdisk", False)
        self.clear(task)
        history.record_flow(task, self.recorded(task), self.steps(task))
        if not without_ramdisk and not self.tear_down(task):
            return
        refresh_cache(task)
        task.driver.deploy.restore_interface(task)
        task.process("done")


FLOW = _Servicing()
