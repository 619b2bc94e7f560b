"""The look whether the controller of a machine has done what a step asked for."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from fake_server.baremetal import periodic
from fake_server.baremetal.conductor import continuation, work
from fake_server.baremetal.conductor.due.at_node import AtNode
from fake_server.baremetal.step_flows import BY_WAITING, is_polled

if TYPE_CHECKING:
    from fake_server.baremetal.conductor.task import Task


def check(task: Task) -> None:
    """Continue a flow if the controller has done what the running step asked for."""
    if not is_polled(task.node):
        return
    flow = BY_WAITING[task.node["provision_state"]]
    step = task.node[flow.step_field]
    if task.driver.interface(step["interface"]).is_done(task, step):
        continuation.resume(task, flow.kind)
    else:
        task.look_again(periodic.CONTROLLER_CHECK)


KIND = AtNode(periodic.CONTROLLER_CHECK, partial(work.look, check), "hardware")
