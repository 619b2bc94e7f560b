"""Apply plans: to many nodes at a time, waiting with one list for each poll."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from baremetalclient import _clock, exc
from baremetalclient._bulk import runner
from baremetalclient._bulk.listener import Listener, Target
from baremetalclient._bulk.poller import Poller
from baremetalclient.declare.apply_node import NodeJob
from baremetalclient.declare.transitions import POLLED
from baremetalclient.v1.node.bulk import node_fetcher

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from baremetalclient._bulk.fetcher import Polled
    from baremetalclient._bulk.goal import Goal
    from baremetalclient._resource.resource import Item
    from baremetalclient.declare.plan_steps import NodeTasks, Task
    from baremetalclient.declare.resource_requests import Writer

_T = TypeVar("_T")
_R = TypeVar("_R")

#: Seconds that requests may take after an interruption, with what the runner leaves to changes.
_PATIENCE, _PATIENCE_OF_CHANGES = 0.8, 0.3


@dataclass
class Application:
    """Applies a plan; see :meth:`.Plan.apply` for the parameters.

    :ivar errors: what became of tasks: None for done, else the error.
    """

    writer: Writer
    parallel: int
    timeout: float
    max_failures: int | None
    stop: Callable[[], bool]
    listener: Listener
    errors: dict[Task, exc.ClientException | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._failures = 0
        self._lock = threading.Lock()
        self._start = _clock.monotonic()
        self._interrupted: float | None = None
        #: When the requests that are under way began.
        self._asked: dict[object, float] = {}

    def single(self, tasks: Iterable[Task]) -> None:
        """Apply the steps of resources that belong to no node."""
        for outcome in self._run(tasks, self.writer.take, self._stopped):
            if outcome.started:
                self.errors[outcome.item] = outcome.error

    def remove_nodes(self, tasks: list[Task]) -> None:
        """Delete nodes, children before others."""
        children = [task for task in tasks if (task.found or {}).get("parent_node")]
        self.single(children)
        self.single(task for task in tasks if task not in children)

    def nodes(self, nodes: Iterable[NodeTasks], *, wait: bool) -> None:
        """Apply the steps of nodes and of resources that belong to them."""
        jobs = [
            NodeJob(self.writer, tasks, wait=wait, stop=self.stop)
            for tasks in nodes
            if tasks.own or tasks.parts
        ]
        for generation in _generations(
            [job for job in jobs if job.tasks.own and job.tasks.own.found is None]
        ):
            self._advance(generation, NodeJob.create, self._stopped)
        ready = [job for job in jobs if job.tasks.item in self.writer.live.items]
        waiting: dict[NodeJob, Goal] = {}
        end = _clock.monotonic() + self.timeout if self.timeout else None
        while ready or waiting:
            # Jobs that were begun go on after failures of others. After an interruption they put
            # power back that is off only for a moment, as long as the server responds.
            stop = partial(self._is_silent, _PATIENCE_OF_CHANGES)
            waiting |= self._advance(ready, self._go_on, stop)
            ready = self._some_ready(waiting, end)
        for job in jobs:
            if job.begun and not job.over:
                job.fail(job.cut_short())
            self.errors |= job.errors

    def _advance(
        self, jobs: list[NodeJob], act: Callable[[NodeJob], Goal | None], stop: Callable[[], bool]
    ) -> dict[NodeJob, Goal]:
        """Run jobs until they have to wait, and return what they wait for."""
        waits = {}
        for outcome in self._run(jobs, act, stop):
            if outcome.error:
                outcome.item.fail(outcome.error)
            elif outcome.value:
                waits[outcome.item] = outcome.value
        return waits

    def _go_on(self, job: NodeJob) -> Goal | None:
        """Continue a job, and return what it waits for; None if it is done or must not start."""
        if not job.begun and self._stopped():
            return None
        job.begun = True
        found = next(job.script, None)
        if found is None:
            job.over = True
            if job.tasks.own:
                job.errors.setdefault(job.tasks.own, None)
            if any(job.errors.values()):
                self._count_failure()
        return found

    def _run(
        self, items: Iterable[_T], act: Callable[[_T], _R], stop: Callable[[], bool]
    ) -> Iterator[runner.Outcome[_T, _R]]:
        def counted(item: _T) -> _R:
            try:
                with self._asking():
                    return act(item)
            except exc.ClientException:
                self._count_failure()
                raise

        return runner.run(items, counted, parallel=self.parallel, stop=stop)

    def _count_failure(self) -> None:
        # In the thread of the call, so that it counts before the next one starts.
        with self._lock:
            self._failures += 1

    def _some_ready(self, waiting: dict[NodeJob, Goal], end: float | None) -> list[NodeJob]:
        """Wait until some jobs can continue, and return them."""
        fetcher = node_fetcher(self.writer.client.node, (), needed=POLLED)

        def fetch(limit: float | None) -> Polled:
            with self._asking():
                return fetcher([job.uuid for job in waiting], limit)

        poller = Poller(
            fetch,
            timeout=0 if end is None else max(end - _clock.monotonic(), 0.001),
            # Power that is off only for a moment is put back after an interruption, too.
            stop=partial(self._is_silent, _PATIENCE) if self.stop() else self.stop,
            responded=True,
        )
        self._give_up(waiting, end)
        for found in poller if waiting else ():
            ready = self._judged(waiting, found)
            if ready or not waiting:
                return ready
        self._give_up(waiting, end)
        return []

    def _judged(self, waiting: dict[NodeJob, Goal], polled: Polled) -> list[NodeJob]:
        """Take the jobs that need not wait any more out of those that wait.

        :returns: those that can continue.
        """
        ready = []
        for job, goal in list(waiting.items()):
            node = polled[job.uuid]
            if node is not None:
                job.found.update({name: node[name] for name in POLLED if name in node})
                seconds = _clock.monotonic() - self._start
                target = Target(job.uuid, job.found.get("name"), job.uuid)
                self.listener.seen(target, job.found, goal.fields[0], seconds)
            job.polls += 1
            verdict = goal.verdict(node, job.polls)
            if verdict.outcome == "waiting":
                continue
            del waiting[job]
            if verdict.outcome == "reached":
                ready.append(job)
            else:
                self._count_failure()
                job.fail(_missed(node, goal, verdict.reason))
        self.listener.polled()
        return ready

    def _give_up(self, waiting: dict[NodeJob, Goal], end: float | None) -> None:
        """Stop waiting after the timeout or an interruption."""
        late = end is not None and _clock.monotonic() >= end
        silent = self._is_silent(_PATIENCE)
        for job, goal in list(waiting.items()):
            # Power that is off only for a moment is put back.
            if late or silent or (self.stop() and goal.fields[0] == "provision_state"):
                del waiting[job]
                why = f"in {self.timeout} seconds" if late else "before the interruption"
                message = f"It did not reach {goal.description} {why}. It may still get there."
                message += job.left_off()
                self._count_failure()
                job.fail(exc.StateTransitionTimeout(message))

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Note that something is asked of the server, which may not respond."""
        asked = object()
        self._asked[asked] = _clock.monotonic()
        try:
            yield
        finally:
            del self._asked[asked]

    def _is_silent(self, patience: float) -> bool:
        """Return whether, after an interruption, the server takes longer than this to respond."""
        if not self.stop():
            return False
        now = _clock.monotonic()
        if self._interrupted is None:
            self._interrupted = now
        first = min(self._asked.copy().values(), default=now)
        return now - max(first, self._interrupted) > patience

    def _stopped(self) -> bool:
        most = self.max_failures
        return self.stop() or (most is not None and self._failures >= most)


def _missed(node: Item | None, goal: Goal, reason: str | None) -> exc.ClientException:
    if node is None:
        return exc.NotFound("The node is gone.")
    state = node[goal.fields[0]]
    told = f"It is in {state!r}, and not in {goal.description}" + (f": {reason}" if reason else ".")
    return exc.StateTransitionFailed(told, state=state, reason=reason)


def _generations(jobs: list[NodeJob]) -> Iterator[list[NodeJob]]:
    """Yield new nodes so that parents come before their children."""
    while jobs:
        names = {name for job in jobs for name in job.tasks.item.names}
        # Nodes that are their own ancestors are for the server to refuse.
        now = [job for job in jobs if job.tasks.item.fields.get("parent_node") not in names] or jobs
        yield now
        jobs = [job for job in jobs if job not in now]
