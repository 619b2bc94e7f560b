"""Sweep a function of this process."""

from __future__ import annotations

from contextlib import ExitStack, nullcontext
from typing import TYPE_CHECKING

from fake_server.server import FakeServer
from fake_server.sweep.kinds import KINDS
from fake_server.sweep.options import Options, check_names
from fake_server.sweep.program import Function
from fake_server.sweep.runs import Sweep
from fake_server.sweep.server import SweepServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from fake_server.sweep.results import Results


def sweep(
    function: Callable[[FakeServer], object],
    *,
    server: FakeServer | None = None,
    kinds: Iterable[str] | None = None,
    routes: Sequence[str] = (),
    limit: int | None = None,
    timeout: float | None = None,
    seed: int = 0,
) -> Results:
    """Call a function again for each of its requests and each way in which that can go wrong.

    :param function: takes the server, and asks it over its adapter or its port; it fails if it
        raises an exception. It is called twice without a fault, then once or twice for each case.
    :param server: each call begins with its present state, which it has again afterwards; by
        default a new one whose clock moves when a client waits. Its faults are removed.
    :param kinds: names of the kinds of faults; all by default. See :data:`.kinds.KINDS`.
    :param routes: patterns of the requests that go wrong, such as ``POST /v1/nodes*``.
    :param limit: the number of cases that are run.
    :param timeout: seconds that a call may take; by default ten times a clean one, at least 10.
    :param seed: of the cases that are chosen if there are more than the limit.
    :returns: the results; :meth:`.Results.findings` has what went wrong.
    :raises UnsweepableError: if it fails without a fault, or asks the server nothing.
    :raises ValueError: for an unknown kind.
    """
    names = list(KINDS if kinds is None else kinds)
    check_names("kind of fault", names, KINDS)
    options = Options(
        kinds=tuple(KINDS[name] for name in names),
        routes=routes,
        limit=limit,
        timeout=timeout,
        seed=seed,
    )
    with ExitStack() as stack:
        if server is None:
            server = stack.enter_context(FakeServer(clock="auto"))
        place = stack.enter_context(SweepServer(server))
        done = Sweep(options, Function(function), lambda: nullcontext(place))
        done.run()
    return done.results
