"""Waiting for servers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from baremetalclient import exc
from baremetalclient._bulk.fetcher import Fetcher, Item, Kind
from baremetalclient._bulk.poller import Poller, Progress, log_progress
from baremetalclient.compute import lookup

if TYPE_CHECKING:
    from collections.abc import Callable

    from baremetalclient.compute.objects import Server, ServerStatus
    from baremetalclient.compute.service import Compute


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
    poll_interval: float | None = None,
    poll_delay_function: Callable[[float], object] | None = None,
    progress: Progress = log_progress,
) -> Server:
    """Wait until a server has a status, and return it.

    :param compute: the compute service.
    :param ident: the id of the server.
    :param status: the status to wait for.
    :param timeout: the maximum seconds to wait, 0 for no limit.
    :param poll_interval: the seconds between two polls; None for a quarter of a second at first,
        then more and more up to five.
    :param poll_delay_function: called with the seconds to sleep, ``time.sleep`` by default.
    :param progress: called with the result of each poll.
    :raises StateTransitionFailed: if the server has the status ``ERROR``, with the reason.
    :raises StateTransitionTimeout: if the time is over.
    """
    poller = Poller(
        lambda _: compute.server(ident),
        timeout=timeout,
        interval=poll_interval,
        sleep=poll_delay_function,
    )
    known: str | None = None
    for server in poller:
        known = server.get("status")
        reached = known == status
        progress(str(server.get("name")), str(known), None if reached else status, poller.seconds)
        if reached:
            return server
        if known == "ERROR":
            reason = _fault(cast("Item", server))
            raise exc.StateTransitionFailed(
                f"Server {ident} has the status ERROR: {reason}", state="ERROR", reason=reason
            )
    raise exc.StateTransitionTimeout(
        f"Server {ident} did not become {status} in {timeout:g} seconds (now {known!r})."
    )


def wait_until_gone(
    compute: Compute,
    ident: str,
    *,
    timeout: float = 0,
    poll_interval: float | None = None,
    poll_delay_function: Callable[[float], object] | None = None,
    progress: Progress = log_progress,
) -> None:
    """Wait until a server is deleted.

    The arguments are those of :func:`wait_for_server`, without a status.

    :raises StateTransitionTimeout: if the time is over.
    """

    def fetch(_: float | None) -> list[Server]:
        try:
            return [compute.server(ident)]
        except exc.NotFound:
            return []

    poller = Poller(fetch, timeout=timeout, interval=poll_interval, sleep=poll_delay_function)
    for found in poller:
        if not found:
            return
        progress(str(found[0].get("name")), str(found[0].get("status")), None, poller.seconds)
    raise exc.StateTransitionTimeout(f"Server {ident} still exists after {timeout:g} seconds.")


def server_fetcher(compute: Compute) -> Fetcher:
    """Return what fetches servers by their names or ids.

    :param compute: the compute service.
    """
    return Fetcher(
        SERVER,
        ("id", "name"),
        lambda _: cast("list[Item]", compute.servers()),
        lambda ident, _: cast("Item", lookup.find_server(compute, ident)),
    )
