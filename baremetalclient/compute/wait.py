"""Waiting for servers."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from baremetalclient import exc
from baremetalclient._bulk.fetcher import Fetcher
from baremetalclient._bulk.goal import Deleted, StateGoal
from baremetalclient._bulk.kinds import SERVER
from baremetalclient._bulk.wait import Pacing, wait_for_one
from baremetalclient.compute import lookup

if TYPE_CHECKING:
    from collections.abc import Callable

    from baremetalclient._bulk.listener import Listener
    from baremetalclient._resource.resource import Item
    from baremetalclient.compute.objects import Server, ServerStatus
    from baremetalclient.compute.service import Compute


def wait_for_server(
    compute: Compute,
    ident: str,
    status: ServerStatus = "ACTIVE",
    *,
    timeout: float = 0,
    poll_interval: float | None = None,
    poll_delay_function: Callable[[float], object] | None = None,
    listener: Listener | None = None,
) -> Server:
    """Wait until a server has a status, and return it.

    :param compute: the compute service.
    :param ident: the id of the server.
    :param status: the status to wait for.
    :param timeout: the maximum seconds to wait, 0 for no limit.
    :param poll_interval: the seconds between two polls; None for a quarter of a second at first,
        then more and more up to five.
    :param poll_delay_function: called with the seconds to sleep, ``time.sleep`` by default.
    :param listener: told what each poll has seen.
    :raises StateTransitionFailed: if the server has the status ``ERROR``, with the reason.
    :raises StateTransitionTimeout: if the time is over.
    """
    goal = StateGoal(SERVER, status, ("status",), (status,), stable_fails=False)

    pacing = Pacing(timeout, poll_interval, poll_delay_function)
    server, verdict = wait_for_one(
        lambda limit: compute.server(ident, deadline=limit), goal, pacing, ident, listener
    )
    known = server and server.get("status")
    if verdict.outcome == "failed":
        reason = verdict.reason or SERVER.unknown
        raise exc.StateTransitionFailed(
            f"Server {ident} has the status {known}: {reason}", state=known, reason=reason
        )
    if server is None or verdict.outcome == "waiting":
        raise exc.StateTransitionTimeout(
            f"Server {ident} did not become {status} in {timeout:g} seconds (now {known!r})."
        )
    return server


def wait_until_gone(
    compute: Compute,
    ident: str,
    *,
    timeout: float = 0,
    poll_interval: float | None = None,
    poll_delay_function: Callable[[float], object] | None = None,
    listener: Listener | None = None,
) -> None:
    """Wait until a server is deleted.

    The arguments are those of :func:`wait_for_server`, without a status.

    :raises StateTransitionTimeout: if the time is over.
    """

    def fetch(limit: float | None) -> Server | None:
        try:
            return compute.server(ident, deadline=limit)
        except exc.NotFound:
            return None

    pacing = Pacing(timeout, poll_interval, poll_delay_function)
    _, verdict = wait_for_one(
        fetch, Deleted(SERVER, "deleted", ("status",)), pacing, ident, listener
    )
    if verdict.outcome == "waiting":
        raise exc.StateTransitionTimeout(f"Server {ident} still exists after {timeout:g} seconds.")


def server_fetcher(compute: Compute) -> Fetcher:
    """Return what fetches servers by their names or ids.

    :param compute: the compute service.
    """
    return Fetcher(
        SERVER,
        ("id", "name"),
        lambda limit: cast("list[Item]", compute.servers(deadline=limit)),
        lambda ident, limit: cast("Item", lookup.find_server(compute, ident, deadline=limit)),
    )
