"""Faults: which of them applies to a request, and what it does."""

from __future__ import annotations

import warnings
from collections import Counter
from contextlib import suppress
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any

from fake_server.common import randomness
from fake_server.common.rest import BadBodyError, decode
from fake_server.common.wsgi import ConnectionDropped, Request, Response
from fake_server.control import error_bodies, models
from fake_server.control.fault import Fault, check, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from fake_server.clock import Clock
    from fake_server.common.wsgi import Environ, StartResponse
    from fake_server.control.state import ControlState
    from fake_server.db.store import Record, Transaction

#: What Ironic says of a node that is locked, with its UUID or name and the host of the lock.
LOCKED = "Node {} is locked by host {}, please retry after the current operation is completed."
#: Segments of a path that the UUID or the name of a node follows.
_BEFORE_NODES = ("nodes", "heartbeat")
#: What queries and bodies call the node that they are about.
_NODE_KEYS = ("node", "node_uuid", "node_ident")
#: Bytes of a body in which a node is looked for.
_LONGEST_BODY = 64 * 1024


class FaultWarning(UserWarning):
    """A fault or delay can match nothing now, or a fault has met nothing when its server stops."""


class Faults:
    """The faults in force, in the order of their creation; the first that matches applies.

    :param clock: the clock by which they end.
    :param host: host name of the conductor that messages about locked nodes name.
    """

    def __init__(self, state: ControlState, clock: Clock, host: str) -> None:
        self._state = state
        self._clock = clock
        self._host = host
        #: How often faults of each request acted; the database needn't know, if it is in memory.
        self._acted: Counter[int] = Counter()
        self._lock = Lock()
        #: Those that were removed, by this process, before they met anything.
        self._removed: list[Fault] = []
        #: Gives the reasons why what a fault matches is met by nothing now; see :mod:`.unmatched`.
        self.reasons: Callable[[Mapping[str, Any]], list[str]] = lambda _: []

    def rules(self) -> list[Fault]:
        """Return all faults, with the number of times that each was applied."""
        rows = self._state.transact(models.faults_in_order, write=False)
        with self._lock:
            acted = dict(self._acted)
        return [Fault.stored(row).counted(acted.get(row["id"], 0)) for row in rows]

    def add(
        self,
        match: Mapping[str, Any],
        do: Mapping[str, Any],
        times: int | None = None,
        *,
        seconds: float | None = None,
    ) -> Fault:
        """Add a fault; see :class:`~fake_server.control.fault.Fault`.

        One that names what nothing has now causes an :class:`FaultWarning`.

        :param seconds: maximum duration, by the server's clock.
        :raises ValueError: for an invalid value; the message says which.
        """
        added, reasons = self.add_with_reasons(match, do, times, seconds)
        for reason in reasons:
            warnings.warn(reason, FaultWarning, stacklevel=2)
        return added

    def add_with_reasons(
        self,
        match: Mapping[str, Any],
        do: Mapping[str, Any],
        times: int | None,
        seconds: float | None,
        *,
        strict: bool = False,
    ) -> tuple[Fault, list[str]]:
        """Add a fault, and return it with the reasons why it can match nothing now.

        :param strict: whether to refuse such a fault, with a ValueError.
        """
        check(match, do, times, seconds)
        reasons = self.reasons(match)
        if strict and reasons:
            raise ValueError(" ".join(reasons))
        match = dict(match)
        if "probability" in match:
            match.setdefault("seed", randomness.below(2**32))
        until = None if seconds is None else self._clock.seconds() + seconds
        values = {"match": match, "do": dict(do), "times": times, "until": until}
        ident = self._state.change(lambda tx: models.add_fault(tx, values))
        self._forget(ident)
        return Fault(ident, match, dict(do), times, until, seen=0, done=0), reasons

    def unmet(self) -> list[Fault]:
        """Return the faults that met nothing so far, or until they were removed."""
        return [*self._removed, *(fault for fault in self.rules() if not fault.done)]

    def clear(self) -> None:
        """Remove all faults, and forget that there were any."""
        self.remove()
        self._removed.clear()

    def remove(self, ident: int | None = None) -> int:
        """Remove a fault, or all of them; return the number of removed ones."""
        gone = [fault for fault in self.rules() if ident in (None, fault.id)]
        self._removed += [fault for fault in gone if not fault.done]
        removed = self._state.change(lambda tx: models.remove_faults(tx, ident))
        self._forget(ident)
        return removed

    def applying_to(self, request: Request) -> Fault | None:
        """Return the fault that applies to a request, if any; count the request."""
        now = self._clock.seconds()
        for fault in self._state.faults:
            if not fault.is_over(now) and fault.matches(request) and self._applies(fault, request):
                return fault
        return None

    def of_step(self, tx: Transaction, node: Record, flow: str, step: str) -> str | None:
        """Return the error with which a step (``interface.name``) fails, if any; count the step."""
        now = self._clock.seconds()
        for fault in self._state.faults:
            if fault.is_over(now) or not fault.matches_step(flow, step):
                continue
            # In the transaction of the step: if it is rolled back, so is the count.
            if fault.match.get("node") in (None, node["uuid"], node["name"]) and _counted(
                fault, tx
            ):
                return str(fault.do["last_error"])
        return None

    def _applies(self, fault: Fault, request: Request) -> bool:
        """Return whether a fault applies to a request that it matches; count the request."""
        if fault.is_unconditional and not self._state.shared:
            with self._lock:
                self._acted[fault.id] += 1
            return True
        return self._state.transact(partial(_counted_request, fault, request))

    def _forget(self, ident: int | None) -> None:
        """Reset the count of one fault, or of all."""
        with self._lock:
            if ident is None:
                self._acted.clear()
            else:
                self._acted.pop(ident, None)

    def act(
        self, fault: Fault | None, request: Request, answer: Callable[[Request], Response]
    ) -> Response:
        """Answer a request, with a fault applied after its delay.

        :param fault: the fault that applies to the request, if any.
        :param answer: returns the response without a fault.
        :raises ConnectionDropped: if the client gets no response.
        """
        if fault is None:
            return answer(request)
        do = fault.do
        if do.get("drop") == "before":
            raise ConnectionDropped
        if "locked" in do:
            node = fault.match.get("node") or next(_nodes_of(request), "of the request")
            return error_bodies.fault(request.path, 409, LOCKED.format(node, self._host))
        response = _error(request.path, do) if "status" in do else answer(request)
        if do.get("drop") == "after":
            raise ConnectionDropped
        response.headers = [*response.headers, *do.get("headers", {}).items()]
        if "content_type" in do:
            kept = [pair for pair in response.headers if pair[0].lower() != "content-type"]
            response.headers = [*kept, ("Content-Type", do["content_type"])]
        return Truncated(response, do["truncate"]) if "truncate" in do else response


def _error(path: str, do: Mapping[str, Any]) -> Response:
    message = do.get("message", "A fault was asked for.")
    if "json" in do.get("content_type", "json"):
        return error_bodies.fault(path, do["status"], message)
    return Response(do["status"], message.encode())


class Truncated(Response):
    """A response with the length of its whole body that sends only a part."""

    def __init__(self, whole: Response, length: int) -> None:
        super().__init__(whole.status, whole.body, whole.headers)
        self._length = length

    def start(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Send it as a WSGI response."""
        return [b"".join(super().start(environ, start_response))[: self._length]]


def _counted_request(fault: Fault, request: Request, tx: Transaction) -> bool:
    wanted = fault.match.get("node")
    if wanted is not None and wanted not in request.path.split("/"):
        named = set(_nodes_of(request))
        if wanted not in named and not any(models.is_same_node(tx, wanted, node) for node in named):
            return False
    return _counted(fault, tx)


def _counted(fault: Fault, tx: Transaction) -> bool:
    if not fault.is_conditional:
        return models.count_seen(tx, fault.id, done=True)
    return (
        models.count_seen(tx, fault.id)
        and Fault.stored(models.get_fault(tx, fault.id)).is_chosen()
        and models.count_done(tx, fault.id)
    )


def _nodes_of(request: Request) -> Iterator[str]:
    """Return the names and UUIDs of nodes in a request: in its path, query or body."""
    parts = plain(request.path).split("/")
    if parts[1:2] != ["v1"]:
        return
    if len(parts) > 3 and parts[2] in _BEFORE_NODES and parts[3]:
        yield parts[3]
    values = [request.query]
    if request.content_type == "application/json" and len(request.body) <= _LONGEST_BODY:
        with suppress(BadBodyError):
            values.append(decode(request))
    for value in values:
        yield from (value[key] for key in _NODE_KEYS if isinstance(value.get(key), str))
