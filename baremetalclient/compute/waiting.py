"""Waiting for servers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from baremetalclient import exc
from baremetalclient._resource.condition_waits import Item, Kind, ListPoller
from baremetalclient._resource.waiters import Progress, log_progress, wait_until
from baremetalclient.compute import lookup

if TYPE_CHECKING:
    from collections.abc import Callable

    from baremetalclient.compute.objects import Server, ServerStatus
    from baremetalclient.compute.service import Compute

POLL_INTERVAL = 2.0
"""The seconds between two polls."""


def _fault(server: Item) -> str:
    fault: dict[str, Any] = server.get("fault") or {}
    return fault.get("message") or "Nova gives no reason"


SERVER = Kind("server", "status", _fault, identifier="id")


def wait_for_server(
    compute: Compute,
    ident: str,
    status: ServerStatus = "ACTIVE",
    *,
    timeout: float = 0,
    poll_interval: float = POLL_INTERVAL,
    poll_delay_function: Callable[[float], object] | None = None,
    progress: Progress = log_progress,
) -> Server:
    """Wait until a server has a status, and return it.

    :param compute: the compute service.
    :param ident: the id of the server.
    :param status: the status to wait for.
    :param timeout: the maximum seconds to wait, 0 for no limit.
    :param poll_interval: the seconds between two polls.
    :param poll_delay_function: called with the seconds to sleep, ``time.sleep`` by default.
    :param progress: called with the result of each poll.
    :raises StateTransitionFailed: if the server has the status ``ERROR``, with the reason.
    :raises StateTransitionTimeout: if the time is over.
    """
    server: Server | None = None

    def check(passed: float) -> Server | None:
        nonlocal server
        server = compute.server(ident)
        reached = server.get("status") == status
        target = None if reached else status
        progress(str(server.get("name")), str(server.get("status")), target, passed)
        if server.get("status") == "ERROR" and not reached:
            reason = _fault(cast("Item", server))
            raise exc.StateTransitionFailed(
                f"Server {ident} has the status ERROR: {reason}", state="ERROR", reason=reason
            )
        return server if reached else None

    def timeout_message() -> str:
        return (
            f"Server {ident} did not become {status} in {timeout:g} seconds "
            f"(now {server and server.get('status')!r})."
        )

    return wait_until(check, timeout, poll_interval, poll_delay_function, timeout_message)


def wait_until_gone(
    compute: Compute,
    ident: str,
    *,
    timeout: float = 0,
    poll_interval: float = POLL_INTERVAL,
    poll_delay_function: Callable[[float], object] | None = None,
    progress: Progress = log_progress,
) -> None:
    """Wait until a server is deleted.

    The arguments are those of :func:`wait_for_server`, without a status.

    :raises StateTransitionTimeout: if the time is over.
    """

    def check(passed: float) -> bool | None:
        try:
            server = compute.server(ident)
        except exc.NotFound:
            return True
        progress(str(server.get("name")), str(server.get("status")), None, passed)
        return None

    wait_until(
        check,
        timeout,
        poll_interval,
        poll_delay_function,
        lambda: f"Server {ident} still exists after {timeout:g} seconds.",
    )


def poller(compute: Compute) -> ListPoller:
    """Return a function that polls servers by their names or ids.

    :param compute: the compute service.
    """
    return ListPoller(
        SERVER,
        ("id", "name"),
        lambda _: cast("list[Item]", compute.servers()),
        lambda ident, _: cast("Item", lookup.find_server(compute, ident)),
    )
