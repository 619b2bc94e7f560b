"""Poll the controllers of machines until what a step has started is complete."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.baremetal import periodic
from fake_server.baremetal.conductor import continuation, timeouts
from fake_server.baremetal.step_flows import BY_WAITING
from fake_server.baremetal.task.task import Plan

if TYPE_CHECKING:
    from fake_server.baremetal.task.task import Task

#: Name of the work of :func:`check`.
WORK = "check_hardware"
#: Seconds until a controller that wasn't done is asked again.
_INTERVAL = 60.0


def is_polled(task: Task) -> bool:
    """Return whether the node waits for its controller."""
    flow = BY_WAITING.get(task.node["provision_state"])
    return flow is not None and bool(task.internal.get(f"{flow.long}_polling"))


def plan(task: Task) -> Plan | None:
    """Return the next check, unless it is planned already."""
    planned = (task.node["due_event"] or {}).get("work") == WORK
    return None if planned else Plan(WORK, {})


def check(task: Task) -> None:
    """Continue the flow if the controller is done; give up after the time that Ironic waits."""
    if not is_polled(task):
        return
    flow = BY_WAITING[task.node["provision_state"]]
    step = task.node[flow.step_field]
    if task.driver.interface(step["interface"]).is_done(task, step):
        continuation.resume(task, flow.kind)
        return
    waited = task.session.clock.now().replace(tzinfo=None) - task.node["provision_updated_at"]
    limit = periodic.timeout(task.session.settings.periodic, task.node["provision_state"])
    left = limit - waited.total_seconds()
    if limit and left <= 0 and not task.node["maintenance"]:
        timeouts.give_up(task)
        return
    pause = min(_INTERVAL, left) if limit and left > 0 else _INTERVAL
    due = {"work": WORK, "arguments": {}}
    task.node.update(due_at=task.session.clock.seconds() + pause, due_event=due)
    task.save()
