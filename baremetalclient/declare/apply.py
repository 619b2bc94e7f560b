"""Apply plans: to many nodes at a time, waiting with one list for each poll."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeVar

from baremetalclient import exc
from baremetalclient._bulk import runner
from baremetalclient._bulk.poller import Poller, Progress, log_progress
from baremetalclient.declare.apply_node import NodeJob
from baremetalclient.declare.provision import POLLED, Wait
from baremetalclient.declare.steps import Step
from baremetalclient.v1.node.bulk import node_fetcher

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from baremetalclient._bulk.fetcher import Found as Polled
    from baremetalclient.declare.live import Live
    from baremetalclient.declare.steps import NodeTasks, Task
    from baremetalclient.declare.writer import Writer

_T = TypeVar("_T")
_R = TypeVar("_R")

_CUT_SHORT = "Not all of it was done before the interruption."


@dataclass(frozen=True)
class StepResult(Step):
    """A step with its result.

    :param result: ``done``, ``failed``, or ``skipped`` if it was not started.
    :param error: why it failed or was skipped.
    :param uuid: the UUID of the resource, None if there is none.
    """

    result: Literal["done", "failed", "skipped"] = "done"
    error: str | None = None
    uuid: str | None = None


@dataclass(frozen=True)
class Options:
    """How a plan is applied.

    :param parallel: the maximum number of requests at a time.
    :param wait: whether the last transition of each node is waited for.
    :param timeout: seconds to wait in all, 0 for no limit.
    :param max_failures: nothing new is started after this number of failures, None for no limit.
    :param stop: nothing new is started once this returns True.
    :param progress: called with the state of each node that is waited for.
    """

    parallel: int = runner.DEFAULT_PARALLEL
    wait: bool = True
    timeout: float = 0
    max_failures: int | None = None
    stop: Callable[[], bool] = lambda: False
    progress: Progress = log_progress


class Application:
    """Applies a plan."""

    def __init__(self, writer: Writer, options: Options) -> None:
        self._writer = writer
        self._options = options
        self._failures = 0
        self._lock = threading.Lock()
        self._start = time.monotonic()
        #: What became of tasks: None for done, else the error.
        self.errors: dict[Task, exc.ClientException | None] = {}

    def single(self, tasks: Iterable[Task]) -> None:
        """Apply the steps of resources that belong to no node."""
        for outcome in self._run(tasks, self._writer.take):
            if outcome.started:
                self.errors[outcome.item] = outcome.error

    def remove_nodes(self, tasks: list[Task]) -> None:
        """Delete nodes, children before others."""
        children = [task for task in tasks if (task.found or {}).get("parent_node")]
        self.single(children)
        self.single(task for task in tasks if task not in children)

    def nodes(self, nodes: Iterable[NodeTasks], *, wait: bool, refresh_secrets: bool) -> None:
        """Apply the steps of nodes and of resources that belong to them."""
        jobs = [
            NodeJob(self._writer, tasks, wait=wait, refresh_secrets=refresh_secrets)
            for tasks in nodes
            if tasks.own or tasks.parts
        ]
        missing = [job for job in jobs if job.tasks.own and job.tasks.own.found is None]
        for generation in _generations(missing):
            self._create(generation)
        ready = [job for job in jobs if job.tasks.item in self._writer.live.items]
        waiting: dict[NodeJob, Wait] = {}
        end = time.monotonic() + self._options.timeout if self._options.timeout else None
        while ready or waiting:
            waiting |= self._advance(ready)
            ready = self._some_ready(waiting, end)
        for job in jobs:
            if job.begun and job.tasks.own:
                job.errors.setdefault(job.tasks.own, exc.ClientException(_CUT_SHORT))
            self.errors |= job.errors

    def _create(self, jobs: list[NodeJob]) -> None:
        for outcome in self._run(jobs, NodeJob.create):
            if outcome.error:
                _note(outcome.item, outcome.error)

    def _advance(self, jobs: list[NodeJob]) -> dict[NodeJob, Wait]:
        """Run jobs until they have to wait, and return what they wait for."""
        waits = {}
        for outcome in self._run(jobs, self._go_on):
            if outcome.error:
                _note(outcome.item, outcome.error)
            elif outcome.value:
                waits[outcome.item] = outcome.value
        return waits

    def _go_on(self, job: NodeJob) -> Wait | None:
        """Continue a job, and return what it waits for; None if it is done or must not start."""
        if not job.begun and self._stopped():
            return None
        job.begun = True
        found = next(job.script, None)
        if found is None:
            if job.tasks.own:
                job.errors.setdefault(job.tasks.own, None)
            if job.failed:
                self._count_failure()
        return found

    def _run(
        self, items: Iterable[_T], act: Callable[[_T], _R]
    ) -> Iterator[runner.Outcome[_T, _R]]:
        def counted(item: _T) -> _R:
            try:
                return act(item)
            except exc.ClientException:
                self._count_failure()
                raise

        # Jobs that were begun go on after failures of others.
        stop = self._options.stop if act == self._go_on else self._stopped
        return runner.run(items, counted, parallel=self._options.parallel, stop=stop)

    def _count_failure(self) -> None:
        # In the thread of the call, so that it counts before the next one starts.
        with self._lock:
            self._failures += 1

    def _some_ready(self, waiting: dict[NodeJob, Wait], end: float | None) -> list[NodeJob]:
        """Wait until some jobs can continue, and return them."""
        fetcher = node_fetcher(self._writer.client.node, POLLED)
        stopped = self._options.stop()
        poller = Poller(
            lambda limit: fetcher([job.uuid for job in waiting], limit),
            timeout=0 if end is None else max(end - time.monotonic(), 0.001),
            # Power that is off only for a moment is put back after an interruption, too.
            stop=None if stopped else self._options.stop,
            responded=True,
        )
        self._give_up(waiting, end)
        for found in poller if waiting else ():
            ready = self._judged(waiting, found)
            if ready or not waiting:
                return ready
        self._give_up(waiting, end)
        return []

    def _judged(self, waiting: dict[NodeJob, Wait], polled: Polled) -> list[NodeJob]:
        """Take the jobs that need not wait any more out of those that wait.

        :returns: those that can continue.
        """
        ready = []
        for job, wait in list(waiting.items()):
            node = polled[job.uuid]
            try:
                if node is None:
                    raise exc.NotFound("The node is gone.")
                job.found.update({name: node.get(name) for name in POLLED})
                self._report(job, wait)
                if wait.over(job.found):
                    del waiting[job]
                    ready.append(job)
            except exc.ClientException as error:
                del waiting[job]
                self._fail(job, error)
        return ready

    def _report(self, job: NodeJob, wait: Wait) -> None:
        found, passed = job.found, time.monotonic() - self._start
        # A node that was never managed has no power state.
        state = found[wait.field] or "unknown"
        self._options.progress(job.name, state, found.get(f"target_{wait.field}"), passed)

    def _give_up(self, waiting: dict[NodeJob, Wait], end: float | None) -> None:
        """Stop waiting after the timeout or an interruption."""
        late = end is not None and time.monotonic() >= end
        for job, wait in list(waiting.items()):
            # Power that is off only for a moment is put back.
            if late or (self._options.stop() and wait.field == "provision_state"):
                del waiting[job]
                why = f"in {self._options.timeout} seconds" if late else "before the interruption"
                message = f"It did not reach {wait.state} {why}. It may still get there."
                self._fail(job, exc.StateTransitionTimeout(message))

    def _fail(self, job: NodeJob, error: exc.ClientException) -> None:
        self._count_failure()
        _note(job, error)

    def _stopped(self) -> bool:
        most = self._options.max_failures
        return self._options.stop() or (most is not None and self._failures >= most)


def results(
    tasks: Iterable[Task], errors: dict[Task, exc.ClientException | None], live: Live
) -> Iterator[StepResult]:
    """Yield the results of the steps.

    :param errors: the error of each task, None if it is done.
    """
    for task in tasks:
        found = live.items.get(task.item) if task.item else task.found
        uuid = found["uuid"] if found else None
        step = vars(task.step)
        if task not in errors:
            yield StepResult(**step, result="skipped", error=task.step.reason, uuid=uuid)
        elif error := errors[task]:
            yield StepResult(**step, result="failed", error=str(error), uuid=uuid)
        else:
            yield StepResult(**step, uuid=uuid)


def _note(job: NodeJob, error: exc.ClientException) -> None:
    """Note that a job has failed."""
    if job.tasks.own:
        job.errors[job.tasks.own] = error
    else:
        job.errors |= {task: error for task in job.tasks.parts if task not in job.errors}


def _generations(jobs: list[NodeJob]) -> Iterator[list[NodeJob]]:
    """Yield new nodes so that parents come before their children."""
    rest = {name: job for job in jobs for name in job.tasks.item.names}
    left = list(jobs)
    while left:
        now = [job for job in left if job.tasks.item.fields.get("parent_node") not in rest]
        # Nodes that are their own ancestors are for the server to refuse.
        now = now or left
        yield now
        left = [job for job in left if job not in now]
        rest = {name: job for job in left for name in job.tasks.item.names}
