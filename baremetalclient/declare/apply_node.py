"""The operations for one node, in order; it stops wherever the node needs time."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient.declare import compare
from baremetalclient.declare.node_plan import guarded
from baremetalclient.declare.resource_requests import ChangedSince, check_unchanged
from baremetalclient.v1.node.actions import ACTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from baremetalclient._bulk.goal import Goal
    from baremetalclient.declare.live import Found
    from baremetalclient.declare.plan_steps import NodeTasks, Operation, Task
    from baremetalclient.declare.resource_requests import Writer


_CUT_SHORT = "Not all of it was done before the interruption."
_PUTTING_BACK = ("power on", "maintenance unset")
"""What ends the change of parts of a node that was powered on."""
_DONE_BY_OTHERS = ("manage", "power on", "power off")
"""What cleaning can have done: it makes retired nodes manageable, and powers machines off."""


class NodeJob:
    """The tasks for a node, with their results.

    :param wait: whether the last transition is waited for, too.
    :param stop: whether there was an interruption: what was waited for isn't followed by more then,
        but power that is off only for a moment is put back.
    """

    def __init__(
        self, writer: Writer, tasks: NodeTasks, *, wait: bool, stop: Callable[[], bool]
    ) -> None:
        self.tasks = tasks
        #: What became of tasks: None for done, else the error.
        self.errors: dict[Task, exc.ClientException | None] = {}
        #: Whether anything was sent for it.
        self.begun = False
        #: Whether it is done, or has failed.
        self.over = False
        self._writer = writer
        self._nodes = writer.client.node
        self._wait = wait
        self._stop = stop
        #: How many polls have seen it during the present wait.
        self.polls = 0
        #: Whether the node has to be read before the next request.
        self._stale = True
        self._left: list[Operation] = list(tasks.operations)
        self.script: Generator[Goal, None, None] = self._script()

    @property
    def found(self) -> Found:
        """The node as it is."""
        return self._writer.live.items[self.tasks.item]

    @property
    def uuid(self) -> str:
        """The UUID of the node."""
        return str(self.found["uuid"])

    def fail(self, error: exc.ClientException) -> None:
        """Note that it has failed."""
        self.over = True
        left = [task for task in self.tasks.parts if task not in self.errors]
        if self.tasks.own:
            self.errors[self.tasks.own] = error
        elif not left:
            why = str(error).removesuffix(self.left_off()).rstrip(".")
            told = f"It was made, but the node is not as it was before: {why}.{self.left_off()}"
            self.errors[self.tasks.parts[-1]] = exc.ClientException(told)
        if not self.tasks.own or isinstance(error, ChangedSince):
            self.errors |= dict.fromkeys(left, error)

    def cut_short(self) -> exc.ClientException:
        """Return the error of a job that an interruption has cut short."""
        return exc.ClientException(_CUT_SHORT + self.left_off())

    def _puts_back(self) -> bool:
        """Return whether what comes next puts power back that was taken for a change of parts."""
        section = list(takewhile(lambda one: one.for_parts, self._left))
        off = any(one.action == "power off" for one in section)
        return bool(section) and not off and section[-1].action in _PUTTING_BACK

    def left_off(self) -> str:
        """Return a sentence about power that was to be put back, with a blank before it."""
        if self._puts_back():
            return " It was powered off for the change, and may still be off and in maintenance."
        return ""

    def create(self) -> None:
        """Create the node."""
        self.begun = True
        found = self._writer.create(self.tasks.item)
        found |= {"vifs": [], "bios_settings": {}}
        self._stale = False

    def _script(self) -> Generator[Goal, None, None]:
        refused: exc.ClientException | None = None
        left = self._left
        while left:
            if self._stop() and not self._puts_back():
                raise self.cut_short()
            operation = left.pop(0)
            if refused and not (operation.tolerated or operation.for_parts):
                break
            is_last = not any((one.action or one.part) and not one.assumed_done for one in left)
            if operation.assumed_done and not self._wait:
                break
            self._check(operation)
            if self._is_done(operation):
                continue
            try:
                self._do(operation)
            except exc.ClientException as error:
                if operation.part:
                    self.errors[operation.part] = error
                elif operation.tolerated:
                    refused = refused or error
                else:
                    raise
            if operation.goal and (self._wait or not is_last):
                self._stale, self.polls = True, 0
                yield operation.goal
        if refused:
            raise refused

    def _check(self, operation: Operation) -> None:
        """Read the node, unless it was just done.

        :raises ChangedSince: if it is not as the plan expects it; before the first request.
        :raises ClientException: if it has changed after one.
        """
        if not self._stale:
            return
        seen = vars(self._nodes.get(self.uuid))
        now = guarded(seen)
        first = operation is self.tasks.operations[0]
        changes = self.tasks.own.changes if self.tasks.own and first else operation.changes
        others = {path: change for path, change in changes.items() if path[0] not in now}
        try:
            check_unchanged({**seen, **now}, operation.expected, others)
        except ChangedSince as error:
            if first:
                raise
            raise exc.ClientException(f"Not all of it was done. {error}") from None
        self.found.update(seen)
        self._stale = False

    def _is_done(self, operation: Operation) -> bool:
        """Return whether a node has reached by itself what would be requested."""
        if not operation.goal or operation.action not in _DONE_BY_OTHERS:
            return False
        return operation.goal.verdict(self.found).outcome == "reached"

    def _do(self, operation: Operation) -> None:
        if operation.part:
            self._writer.take(operation.part)
            self.errors[operation.part] = None
        elif operation.action == "set":
            self._update(operation)
        elif operation.action:
            self._act(operation.action, operation.arguments)

    def _act(self, action: str, arguments: Any) -> None:
        if action == "vif attach" and self.found["network_interface"] == "noop":
            raise exc.ValidationError("The network interface noop keeps no VIFs.")
        ACTIONS[action](self._nodes, self.uuid, arguments)

    def _update(self, operation: Operation) -> None:
        # What they name may have been created since.
        wanted = self._writer.live.wanted(self.tasks.item)
        changes = {
            path: change if change.new is None else change._replace(new=wanted[path])
            for path, change in operation.changes.items()
        }
        patch = compare.patch(changes, self.found, wanted)
        reset = True if operation.reset else None
        self.found.update(vars(self._nodes.update(self.uuid, patch, reset_interfaces=reset)))
