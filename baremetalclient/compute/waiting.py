"""Waiting for servers to be there, and to be gone."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._resource import waiters

if TYPE_CHECKING:
    from collections.abc import Callable

    from baremetalclient.compute.service import Compute

POLL_INTERVAL = 2.0
"""Seconds between two looks at servers."""


def wait_for_server(
    compute: Compute,
    ident: str,
    status: str = "ACTIVE",
    *,
    timeout: float = 0,
    poll_interval: float = POLL_INTERVAL,
    poll_delay_function: Callable[[float], object] | None = None,
    progress: waiters.Progress = waiters.log_progress,
) -> dict[str, Any]:
    """Wait until a server has a status, and return it.

    :param compute: the compute service.
    :param ident: the id of the server.
    :param status: the status to wait for.
    :param timeout: seconds to wait at most, 0 for no limit.
    :param poll_interval: seconds between two looks.
    :param poll_delay_function: what waits, given seconds.
    :param progress: is told each status.
    :raises StateTransitionFailed: if the server comes to an error instead; says which.
    :raises StateTransitionTimeout: if the time is over.
    """
    server: dict[str, Any] = {}

    def story() -> str:
        return (
            f"Server {ident} did not become {status} in {timeout:g} seconds "
            f"(now {server.get('status')!r})."
        )

    outage = waiters.Outage()
    for passed in waiters.poll(timeout, poll_interval, poll_delay_function, story):
        with outage.tolerated():
            server = compute.server(ident)
            there = server.get("status") == status
            target = None if there else status
            progress(str(server.get("name")), str(server.get("status")), target, passed)
            if there:
                return server
            if server.get("status") == "ERROR":
                fault = server.get("fault") or {}
                reason = fault.get("message") or "Nova does not say why"
                raise exc.StateTransitionFailed(f"Server {ident} came to an error: {reason}")
    raise AssertionError("unreachable")


def wait_until_gone(
    compute: Compute,
    ident: str,
    *,
    timeout: float = 0,
    poll_interval: float = POLL_INTERVAL,
    poll_delay_function: Callable[[float], object] | None = None,
    progress: waiters.Progress = waiters.log_progress,
) -> None:
    """Wait until there is no such server any more.

    Takes what :func:`wait_for_server` takes, without a status.

    :raises StateTransitionTimeout: if the time is over.
    """

    def story() -> str:
        return f"Server {ident} is still there after {timeout:g} seconds."

    outage = waiters.Outage()
    for passed in waiters.poll(timeout, poll_interval, poll_delay_function, story):
        with outage.tolerated():
            try:
                server = compute.server(ident)
            except exc.NotFound:
                return
            progress(str(server.get("name")), str(server.get("status")), None, passed)


def deadline_of(timeout: float) -> Callable[[], float]:
    """Return what tells how many of some seconds are left, 0 for no limit.

    :param timeout: the seconds from now, 0 for no limit.
    """
    end = time.monotonic() + timeout
    return lambda: max(end - time.monotonic(), 0.001) if timeout else 0
