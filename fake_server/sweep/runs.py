"""A sweep from its beginning to its end: record, repeat with one fault at a time, and judge."""

from __future__ import annotations

import math
import threading
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple

from fake_server.common.redaction import Redactor
from fake_server.sweep import cases as choosing
from fake_server.sweep import state
from fake_server.sweep.difference import Difference, compare
from fake_server.sweep.interception import Fault
from fake_server.sweep.judge import judge
from fake_server.sweep.kinds.killed import Killed
from fake_server.sweep.results import Case, Results

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from fake_server.sweep.calls import Asked
    from fake_server.sweep.cases import Chosen
    from fake_server.sweep.options import Options
    from fake_server.sweep.program import Ended, Program, Subject
    from fake_server.sweep.server import SweepServer

#: How many times as long as a clean run another one may take, and the least that it may: in real
#: and in simulated seconds.
_TIMES, _LEAST, _LEAST_SIMULATED = 10, 10.0, 3600.0
#: The longest that a clean run may take.
_LONGEST = 3600.0


class UnsweepableError(Exception):
    """A program that can't be swept; the message says why."""


class Reference(NamedTuple):
    """Runs without a fault: what others are compared with.

    :param answered: what the program asks for.
    :param expected: what it leaves.
    :param seconds: how long it takes, in real time, and by the server's clock.
    """

    answered: Sequence[Asked]
    expected: state.State
    varying: state.Varying
    varies: list[str]
    seconds: float
    simulated: float


class Sweep:
    """A sweep of a program.

    :param subject: the program.
    :param servers: returns a context with a server in the state that each run begins with; each job
        has one of its own.
    :param told: is called after each case.
    """

    def __init__(
        self,
        options: Options,
        subject: Subject,
        servers: Callable[[], AbstractContextManager[SweepServer]],
        told: Callable[[Sweep, Case], object] = lambda _sweep, _case: None,
    ) -> None:
        self.options = options
        self._subject = subject
        self._servers = servers
        self._told = told
        self._lock = threading.Lock()
        self._running: set[Program] = set()
        self._stopped = threading.Event()
        self.results = Results(list(subject.command), options.seed, [], [])
        self.chosen: Sequence[Chosen] = ()
        self._done: dict[str, Case] = {}
        #: What was asked for in each case, and without a fault under an empty name.
        self.timelines: dict[str, Any] = {}
        #: When the results were stored last, by the system's monotonic clock.
        self.stored = -math.inf

    def run(self, kept: Results | None = None, timelines: Mapping[str, Any] | None = None) -> None:
        """Run the program for each case, and fill the results.

        :param kept: results of before, whose cases aren't run again.
        :raises UnsweepableError: if it fails by itself, never asks a server, or has no such case.
        :raises OSError: if it can't be run.
        """
        with self._servers() as server:
            reference = self._record(server)
            every = choosing.possible(
                reference.answered, self.options.kinds, self.options.routes, server.app.settings
            )
            self.results.varies = reference.varies
            self.results.requests = [one.call for one in reference.answered]
            self.chosen = self._choose(every)
            self._add({case.id: case for case in (kept.cases if kept else ())})
            for ident in self._done:
                self.timelines[ident] = (timelines or {}).get(ident, [])
            left = [one for one in self.chosen if one.id not in self._done]
            self._repeat(server, reference, left)

    def stop(self) -> None:
        """End what runs, and begin no more."""
        self._stopped.set()
        with self._lock:
            for program in self._running:
                program.kill()

    def _choose(self, every: Sequence[Chosen]) -> Sequence[Chosen]:
        if self.options.case is not None:
            found = [case for case in every if case.id == self.options.case]
            if not found:
                raise UnsweepableError(
                    f"There is no case {self.options.case!r}. The program's requests are: "
                    f"{', '.join(call.id for call in self.results.requests)}."
                )
            return found
        if not every:
            asked = ", ".join(
                dict.fromkeys(f"{call.method} {call.route}" for call in self.results.requests)
            )
            raise UnsweepableError(
                f"None of these kinds of faults can happen to these requests. Asked for: {asked}."
            )
        return choosing.limited(every, self.options.limit, self.options.seed)

    def _record(self, server: SweepServer) -> Reference:
        """Run the program twice without a fault."""
        limit = self.options.timeout or _LONGEST
        runs = []
        for _ in range(2):
            with self._subject.workplace() as made:
                ended, simulated, answered, left = self._once(server, made, None, limit)
            if ended.exit != 0:
                raise UnsweepableError(
                    f"Without any fault, the program ended with {_exit(ended.exit, limit)}. "
                    "It printed:\n"
                    f"{ended.tail}"
                )
            if not answered:
                told = "\n".join(
                    f"  {name}={value}"
                    for name, value in sorted(server.variables.items())
                    if "PASSWORD" not in name
                )
                raise UnsweepableError(
                    f"The program never called the server. It was given:\n{told}"
                )
            runs.append((ended, simulated, answered, left))
        (ended, simulated, answered, one), (_, _, again, other) = runs
        varying = state.find_varying(one, other)
        both = {each.call.id for each in again}
        unsteady = [each.call.id for each in answered if each.call.id not in both]
        self.timelines[""] = _timeline(answered)
        return Reference(
            [each for each in answered if each.call.id in both],
            state.build(one, varying),
            varying,
            [*sorted(varying), *unsteady],
            ended.seconds,
            simulated,
        )

    def _repeat(self, first: SweepServer, reference: Reference, left: Sequence[Chosen]) -> None:
        """Run the cases that are left, as many at a time as there are jobs."""
        queue: SimpleQueue[Chosen] = SimpleQueue()
        for case in left:
            queue.put(case)
        jobs = max(1, min(self.options.jobs, len(left)))

        def work(server: SweepServer) -> None:
            while not self._stopped.is_set():
                try:
                    chosen = queue.get_nowait()
                except Empty:
                    return
                case, answered = self._try(server, reference, chosen)
                if not self._stopped.is_set():
                    self._keep(case, answered)

        def work_apart() -> None:
            with self._servers() as server:
                work(server)

        with ThreadPoolExecutor(jobs) as pool:
            futures = [
                pool.submit(work, first),
                *(pool.submit(work_apart) for _ in range(jobs - 1)),
            ]
            try:
                for future in futures:
                    future.result()
            except BaseException:
                self.stop()
                raise

    def _keep(self, case: Case, answered: Sequence[Asked]) -> None:
        with self._lock:
            self.timelines[case.id] = _timeline(answered)
            self._add({case.id: case})
            self._told(self, case)

    def _add(self, cases: Mapping[str, Case]) -> None:
        """Add to the results what was chosen, in the order of the requests."""
        self._done.update(cases)
        self.results.cases = [self._done[one.id] for one in self.chosen if one.id in self._done]

    def _try(
        self, server: SweepServer, reference: Reference, chosen: Chosen
    ) -> tuple[Case, Sequence[Asked]]:
        """Run the program with a fault, and again if it failed."""
        limit = self.options.timeout or max(_LEAST, _TIMES * reference.seconds)
        simulated_limit = max(_LEAST_SIMULATED, _TIMES * reference.simulated)
        fault = Fault(chosen.call.id, chosen.kind, limit / 2, chosen.next_node)
        again: Ended | None = None
        with self._subject.workplace() as made:
            ended, simulated, answered, left = self._once(
                server, made, fault, limit, simulated_limit
            )
            hung = ended.exit is None
            if fault.fired and not hung and (ended.exit != 0 or chosen.kind.name == Killed.name):
                again, more, _, left = self._once(
                    server, made, None, limit, simulated_limit, before=left
                )
                hung, simulated = again.exit is None, simulated + more
        differences = compare(reference.expected, state.build(left, reference.varying))
        verdict = judge(
            chosen.kind.name,
            fired=fault.fired,
            hung=hung,
            code=ended.exit,
            again=again.exit if again else None,
            differences=differences,
        )
        tail = ended.tail if again is None or again.exit == 0 else f"{ended.tail}\n{again.tail}"
        # Reports are shown to others.
        recorded = server.app.control.requests.log().secrets()
        shown = Redactor([*recorded, *fault.secrets])
        differences = [Difference(*map(shown.value, one)) for one in differences]
        case = Case(
            chosen.id,
            chosen.call.id,
            chosen.kind.name,
            verdict,
            ended.exit,
            again.exit if again else None,
            differences,
            shown.text(tail),
            round(ended.seconds + (again.seconds if again else 0), 3),
            round(simulated, 3),
        )
        return case, answered

    def _once(
        self,
        server: SweepServer,
        made: Callable[[SweepServer], Program],
        fault: Fault | None,
        limit: float,
        simulated_limit: float = float("inf"),
        *,
        before: state.Raw | None = None,
    ) -> tuple[Ended, float, Sequence[Asked], state.Raw]:
        """Run the program once, and return how it ended, what it asked for and what it left.

        :param before: what the run before left, if this one is to go on from there.
        """
        program = made(server)
        if before is None:
            run = server.begin(fault, program.kill)
        else:
            run = server.go_on(before.chosen, program.kill)
        with self._lock:
            self._running.add(program)
        try:
            ended = program.run(
                limit, lambda: self._stopped.is_set() or server.simulated > simulated_limit
            )
        finally:
            with self._lock:
                self._running.discard(program)
        simulated = server.simulated
        answered = server.end()
        return ended, simulated, answered, server.left(run)


def _timeline(answered: Sequence[Asked]) -> list[tuple[float, str, int]]:
    """Return what was asked for: seconds since the beginning, the request, and the status."""
    began = answered[0].seconds if answered else 0.0
    return [(round(one.seconds - began, 3), one.call.id, one.status) for one in answered]


def _exit(code: int | None, limit: float) -> str:
    if code is None:
        return f"no exit code after {limit:g} s"
    return f"exit code {code}" if code >= 0 else f"signal {-code}"
