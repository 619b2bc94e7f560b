"""Flows of steps, which cleaning, deploying and servicing run one after the other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import errors
from fake_server.baremetal.conductor import failures, steps
from fake_server.baremetal.conductor.task import Plan
from fake_server.baremetal.task import history

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.baremetal.conductor.steps import StepRecord
    from fake_server.baremetal.conductor.task import Task
    from fake_server.baremetal.step_flows import StepFlow


class Flow(ABC):
    """A kind of flow, with its differences from the others.

    The time that the transition takes passes while steps are shown as running, in equal parts; a
    step takes effect at the end of its part. A flow without steps lasts as long with none. Where
    the agent is booted before the first step, that takes half of the time.
    """

    #: Its names, states and keys.
    names: ClassVar[StepFlow]
    #: What errors call it.
    called: ClassVar[str]
    #: Fails it, with a text.
    error_handler: ClassVar[Callable[..., None]]

    @abstractmethod
    def recorded(self, task: Task) -> str:
        """Return what the node's history calls it."""

    @abstractmethod
    def prepare_node(self, task: Task) -> bool:
        """Prepare the node for its steps; return whether it has to wait for its agent."""

    @abstractmethod
    def undo(self, task: Task) -> None:
        """Undo :meth:`prepare_node`."""

    @abstractmethod
    def end(self, task: Task) -> None:
        """End it after its last step."""

    @property
    def kind(self) -> str:
        """``clean``, ``deploy`` or ``service``."""
        return self.names.kind

    def validate(self, task: Task, op: str) -> None:
        """Check that a user may start the flow.

        :param op: its name in errors.
        :raises NodeInMaintenance, InvalidParameterValue: if the node doesn't allow it.
        """
        uuid = task.node["uuid"]
        if task.node["maintenance"]:
            raise errors.NodeInMaintenance(op=op, node=uuid)
        try:
            task.driver.power.validate(task)
            task.driver.network.validate(task)
        except errors.InvalidParameterValue as exc:
            raise errors.InvalidParameterValue(
                f"Validation of node {uuid} for {self.names.long} failed: {exc}"
            ) from exc

    def begin(self, task: Task, *, without_ramdisk: bool | None) -> bool:
        """Choose the deploy interface and check the node; return whether the flow hasn't failed."""
        uuid = task.node["uuid"]
        try:
            task.driver.deploy.switch_interface(task)
        except errors.InvalidParameterValue as exc:
            doing = self.names.long
            text = f"Failed to select a deploy interface for {doing} node {uuid}: {exc}"
            self.error_handler(task, text, tear_down=False)
            return False
        try:
            task.driver.power.validate(task)
            if not without_ramdisk:
                task.driver.network.validate(task)
        except (errors.InvalidParameterValue, errors.NetworkError) as exc:
            self.error_handler(task, f"Validation of node {uuid} for {self.called} failed: {exc}")
            return False
        return True

    def prepare(self, task: Task) -> bool:
        """Prepare the node; return whether steps can run now: not if it waits for its agent."""
        try:
            waits = self.prepare_node(task)
        except errors.ApiError as exc:
            uuid = task.node["uuid"]
            self.error_handler(task, f"Failed to prepare node {uuid} for {self.called}: {exc}")
            return False
        if waits:
            self.boot_agent(task)
        return not waits

    def tear_down(self, task: Task) -> bool:
        """Undo the preparations; return whether the flow hasn't failed by that."""
        try:
            self.undo(task)
        except errors.ApiError as exc:
            uuid = task.node["uuid"]
            text = f"Failed to tear down from {self.called} for node {uuid}, reason: {exc}"
            self.error_handler(task, text, tear_down=False)
            return False
        return True

    def fail(self, task: Task, step: StepRecord, exc: errors.ApiError) -> None:
        """Fail at a step."""
        history.record_flow(task, self.recorded(task), self.steps(task), aborted_step=step["step"])
        self.error_handler(task, f"Node {task.node['uuid']} failed step {step}: {exc}")

    def fail_abort(self, task: Task) -> None:
        """Note that the preparations of a flow that was aborted couldn't be undone."""
        text = f"Failed to tear down {self.called} after aborting the operation"
        self.error_handler(task, text, tear_down=False, set_state=False)

    def steps(self, task: Task) -> list[StepRecord]:
        """Return the steps of the flow that a node is in."""
        return task.internal.get(f"{self.kind}_steps") or []

    def step(self, task: Task) -> StepRecord:
        """Return the running step; empty before the first."""
        return task.node[self.names.step_field]  # type: ignore[no-any-return]

    def set_steps(self, task: Task, found: list[StepRecord]) -> None:
        """Store the steps of the flow, without those that the operator disallows."""
        found = steps.allowed(task, self.kind, found)
        task.node[self.names.step_field] = {}
        task.internal.update({f"{self.kind}_steps": found, f"{self.kind}_step_index": None})
        task.save()

    def clear(self, task: Task) -> None:
        """Clear the running step, and what else is stored about the flow."""
        task.node[self.names.step_field] = {}
        failures.forget_flow(task, self.kind)
        task.save()

    def boot_agent(self, task: Task) -> None:
        """Plan to wait for the agent, which takes half of the flow's time to boot."""
        self._plan(task, None, 0.5)

    def start_step(self, task: Task, position: int) -> None:
        """Show a step as running, and plan to run it; after the last one, end the flow."""
        found = self.steps(task)
        if position < len(found):
            task.node[self.names.step_field] = found[position]
            task.internal[f"{self.kind}_step_index"] = position
            task.save()
        elif found:
            self._end(task)
            return
        self._plan(task, position, (0.5 if self._boots_agent(task) else 1) / max(1, len(found)))

    def run_step(self, task: Task, position: int | None) -> None:
        """Run the current step, and start the next one.

        :param position: that of the step; ``None`` where it was the agent that was booted.
        """
        if position is None:
            self._wait(task)
            return
        found = self.steps(task)
        if position >= len(found):
            self._end(task)
            return
        step = found[position]
        try:
            steps.check_injected_failure(task, self.kind, step)
            waits = task.driver.interface(step["interface"]).run_step(task, self.kind, step)
        except errors.ApiError as exc:
            self.fail(task, step, exc)
            return
        if waits:
            self._wait(task)
        else:
            self.start_step(task, position + 1)

    def next_position(self, task: Task) -> int:
        """Return the position of the step that comes after the running one."""
        skip = task.internal.get(f"skip_current_{self.kind}_step", True)
        task.forget(f"skip_current_{self.kind}_step", f"{self.names.long}_polling")
        if not self.step(task):
            return 0
        index = task.internal.get(f"{self.kind}_step_index")
        count = len(self.steps(task))
        return count if index is None else min(count, index + (1 if skip else 0))

    def resume(self, task: Task) -> None:
        """Start the next step, or end the flow if it was to be aborted after this one."""
        position = self.next_position(task)
        if self.step(task).get("abort_after"):
            task.process("fail", target=task.node["target_provision_state"])
            self.abort(task)
        elif f"{self.kind}_steps" not in task.internal:
            uuid = task.node["uuid"]
            self._fail_unexpectedly(
                task, f"AssertionError: BUG: No steps for {uuid}, step index is {position}"
            )
        else:
            self.start_step(task, position)

    def _end(self, task: Task) -> None:
        try:
            self.end(task)
        except errors.InvalidState as exc:
            self._fail_unexpectedly(task, f"InvalidState: {exc}")

    def _fail_unexpectedly(self, task: Task, reason: str) -> None:
        self.error_handler(
            task, f"Unexpected error when processing next {self.kind} step. {reason}"
        )

    def ask_abort(self, task: Task) -> bool:
        """Return whether the flow can be aborted now; if not, the running step will be the last."""
        step = self.step(task)
        if not step or step.get("abortable"):
            return True
        step["abort_after"] = True
        task.save()
        return False

    def abort(self, task: Task) -> None:
        """Clean up after a flow that was aborted."""
        try:
            self.undo(task)
        except errors.ApiError:
            self.fail_abort(task)
        else:
            task.plan = Plan(f"finish_{self.kind}_abort", {})

    def finish_abort(self, task: Task) -> None:
        """Note that the flow was aborted."""
        task.node["last_error"] = self.abort_text(task)
        self.clear(task)
        if self.kind != "deploy":  # what tears the instance down is what deployed it
            task.driver.deploy.restore_interface(task)

    def abort_text(self, task: Task) -> str:
        """Return the ``last_error`` of a node whose flow was aborted."""
        text = f"By request, the {self.kind} operation was aborted"
        if step := self.step(task):
            text += f' during or after the completion of step "{steps.identify(step)}"'
        return text

    def _wait(self, task: Task) -> None:
        task.process("wait", target=task.node["target_provision_state"])

    def _plan(self, task: Task, position: int | None, share: float) -> None:
        arguments: dict[str, Any] = {"position": position}
        task.plan = Plan(f"do_next_{self.kind}_step", arguments, share)

    def _boots_agent(self, task: Task) -> bool:
        key = self.names.without_ramdisk
        if key is None or task.internal.get(key):
            return False
        return task.driver.deploy.boots_agent
