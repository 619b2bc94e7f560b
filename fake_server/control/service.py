"""``/_fake/``: the controls of a server, over HTTP."""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from fake_server.baremetal import periodic
from fake_server.baremetal.session import open_session
from fake_server.baremetal.states import ERROR, FAILED
from fake_server.common import timing
from fake_server.common.rest import BadBodyError
from fake_server.control import guard, report, timeline, unmatched
from fake_server.control.conductors import Conductors
from fake_server.control.delays import Delays
from fake_server.control.faults import Faults
from fake_server.control.machines import Machines
from fake_server.control.operations import Operations, error
from fake_server.control.recorder import Recorder
from fake_server.control.resources import COLLECTIONS, Resources
from fake_server.control.seeds import Seeds
from fake_server.control.snapshots import Snapshots

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from collections.abc import Set as AbstractSet

    from fake_server.baremetal.session import Session
    from fake_server.clock import Clock
    from fake_server.common.lab import Lab
    from fake_server.common.randomness import Generators
    from fake_server.common.wsgi import Request, Response
    from fake_server.control.state import ControlState
    from fake_server.db.store import Record, Transaction
    from fake_server.seeds.parsing import Seed
    from fake_server.settings import Settings

PREFIX = "/_fake"
_MOST_UNROUTED = 100
T = TypeVar("T")


class Control:
    """The controls of a server: attributes for Python, :meth:`answer` for HTTP.

    :param lab: what the services of the server share.
    :param state: the controls in force.
    :param injection: the delays and faults, as the services ask for them.
    :param look: answers a request to a service, without faults and without a record of it.
    :param apply_due_work: brings what is stored up to date.
    :param operations: what is answered over HTTP, with the handlers.
    :param seed: what a database that is used for the first time is filled with.
    :param generators: what identifiers are made with, if the server has a random seed.
    :raises SeedError: if it can't be.
    """

    def __init__(
        self,
        lab: Lab,
        state: ControlState,
        injection: NodeFaultInjection,
        look: Callable[[Request], Response],
        apply_due_work: Callable[[], None],
        operations: Operations,
        seed: Seed | None = None,
        generators: Generators | None = None,
    ) -> None:
        self.operations = operations
        self._routes = operations.routes()
        self._lab = lab
        self.clock = lab.clock
        self.state = state
        state.apply_due_work = apply_due_work
        self.faults, self.delays = injection.faults, injection.delays
        self.injection, self.fail_next = injection, injection.fail_next
        self.faults.reasons = lambda match: self._ask(lambda one: unmatched.reasons(one, match))
        self.delays.reasons = lambda nodes: self._ask(lambda one: unmatched.unknown(one, nodes))
        self.machines = Machines(lab, state)
        self.conductors = Conductors(lab, state)
        #: Resources by kind, such as ``nodes``; each by its names and identifiers.
        self.resources = {
            name: Resources(kind, lab, state, look) for name, kind in COLLECTIONS.items()
        }
        self.requests = Recorder()
        #: Method and path of the last requests whose path no service has, at any version.
        self.unrouted: deque[tuple[str, str]] = deque(maxlen=_MOST_UNROUTED)
        self.seeds = Seeds(lab, state)
        self.snapshots = Snapshots(lab.store, state, partial(self._fill, seed))
        self.generators = generators
        self._token = lab.settings.control_token

    def answer(self, request: Request) -> Response:
        """Answer a request below ``/_fake``."""
        refusal = guard.refusal(request, self._token)
        if refusal is not None:
            return error(*refusal)
        if request.path != guard.HEALTH:
            self.state.refresh()
        match = self._routes.find(request.method, request.path)
        if match is None:
            paths = ", ".join(self._routes.addresses())
            return error(404, f"Unknown path {request.path}. Known paths: {paths}.")
        if match.handler is None:
            return error(405, f"{request.path} takes {' and '.join(match.allowed)} only.")
        try:
            return match.handler(self, request, **match.arguments)
        except (BadBodyError, ValueError) as exc:
            return error(400, str(exc))

    def add(self, operations: Operations) -> None:
        """Answer more over HTTP."""
        self.operations = Operations([*self.operations, *operations])
        self._routes = self.operations.routes()

    def _fill(self, seed: Seed | None, tx: Transaction) -> None:
        """Load the seed of a new database."""
        if seed is not None:
            self.seeds.load_within(tx, seed)

    def inspect(self, act: Callable[[Transaction], T]) -> T:
        """Read the nodes by a function, once what is due is applied."""
        self.state.apply_due_work()
        return self.state.transact(act)

    def choices(self) -> dict[str, list[str]]:
        """Return what a fault can be for now; see :mod:`.unmatched`."""
        return self._ask(unmatched.choices)

    def _ask(self, act: Callable[[Session], T]) -> T:
        return self.state.transact(lambda tx: act(open_session(self._lab, tx)), write=False)

    def unmet(self) -> dict[str, list[Any]]:
        """Return what a test may have got wrong.

        :returns: the ``faults`` that met nothing, and the ``requests`` whose path no service has.
        """
        redactor = self.requests.log().redactor
        requests = [
            {"method": method, "path": redactor.text(path)} for method, path in self.unrouted
        ]
        return {"faults": [fault.as_json() for fault in self.faults.unmet()], "requests": requests}

    def timeline(self, *, bodies: bool = False) -> dict[str, Any]:
        """Return the states of the nodes and the recorded requests; see :mod:`.timeline`.

        :param bodies: whether the requests have their bodies.
        """
        log, now = self.requests.log(), self.clock.seconds()
        return self.inspect(lambda tx: timeline.of_server(tx, log, now, bodies=bodies))

    def report(self, title: str = "Fake Ironic", note: str = "") -> str:
        """Return the timeline as HTML that needs no other file.

        :param note: a text that is shown above it.
        """
        return report.page({**self.timeline(bodies=True), "title": title, "note": note})

    def reset(self) -> None:
        """Restore the first state, and remove all faults, delays and recorded requests."""
        self.snapshots.reset()
        self.faults.clear()
        self.unrouted.clear()
        self.delays.set()
        self.requests.clear()
        if self.generators is not None:
            self.generators.restart()


class NodeFaultInjection:
    """A :class:`~fake_server.common.lab.FaultInjection` that follows the controls.

    :param state: the controls in force.
    """

    def __init__(self, state: ControlState, clock: Clock, settings: Settings) -> None:
        self.faults = Faults(state, clock, settings.host)
        self.delays = Delays(state, settings.delay, settings.delay_seed)
        self._settings, self._clock = settings, clock
        self._failing: set[tuple[str, str]] = set()
        #: Is told of each node that waits for an agent from now on.
        self.agent_awaited: Callable[[Record], None] = lambda _: None

    def fail_next(self, node: str, transitions: Iterable[str]) -> None:
        """Have the next of some transitions of a node fail, once; in this process only.

        :param node: its UUID or name.
        """
        self._failing = {(node, transition) for transition in transitions}

    def delay(self, tx: Transaction, node: Record, transition: str) -> float:
        """Return how many seconds a transition of a node takes."""
        if transition == "heartbeat":
            self.agent_awaited(node)
            if self._is_failing(node, transition):
                # By then, the conductor has given up; a clock that jumps for clients jumps there.
                left = periodic.seconds_left(self._settings.periodic, node, self._clock.now())
                return timing.LONGEST if left is None else left + 1
        found = self.delays.of(node, transition)
        return found.first if found.is_fixed else found.seconds(self.delays.generator(tx, node))

    def delay_of(self, name: str) -> float:
        """Return how many seconds something else takes, such as making a volume."""
        return self.delays.ordinary.seconds(self.delays.generator_of(name))

    def outcome(
        self, tx: Transaction, node: Record, transition: str, states: AbstractSet[str]
    ) -> str | None:
        """Return the state in which a transition of a node is to end, if that is decided."""
        if self._is_failing(node, transition):
            return next(state for state in (*FAILED, ERROR) if state in states)
        found = self.delays.of(node, transition)
        if not found.outcomes:
            return None
        return found.outcome(self.delays.generator(tx, node), states)

    def failure(self, tx: Transaction, node: Record, flow: str, step: str) -> str | None:
        """Return what a step of a node fails with, if it is to fail; count that."""
        if self._is_failing(node, flow):
            return f"This time, {step} was to fail."
        return self.faults.of_step(tx, node, flow, step)

    def _is_failing(self, node: Record, transition: str) -> bool:
        """Return whether a transition of a node is to fail, which it does once."""
        found = not self._failing.isdisjoint(
            {(node["uuid"], transition), (node["name"], transition)}
        )
        if found:
            self._failing.clear()
        return found
