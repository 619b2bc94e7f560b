"""Record the requests that a server received."""

from __future__ import annotations

import time
from collections import deque
from threading import Lock
from typing import TYPE_CHECKING, Any

from fake_server.control.expectations import ANY, Expectation, Verdict, verify, verify_order
from fake_server.control.recorded_request import RecordedRequest
from fake_server.control.request_log import RequestLog

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.common.wsgi import Request, Response
    from fake_server.control.shared_log import SharedLog

#: The number of requests that are kept, and the bytes of their bodies.
MOST = 3_000
MOST_BYTES = 2 * 1024 * 1024


class Recorder:
    """Records the last requests."""

    def __init__(self) -> None:
        self._requests: deque[RecordedRequest] = deque(maxlen=MOST)
        self._with_bodies: deque[RecordedRequest] = deque()
        self._bytes = self._dropped = 0
        self._lock = Lock()
        self._shared: SharedLog | None = None

    def share(self) -> None:
        """Share the record with all processes that are forked from now on."""
        # It locks a file in a way that Windows lacks.
        from fake_server.control.shared_log import SharedLog

        self._shared = SharedLog(MOST)

    def note(
        self,
        request: Request,
        path: str,
        response: Response | None,
        *,
        began: float,
        moment: float,
        fault: int | None = None,
    ) -> None:
        """Record a request.

        :param path: path in the request.
        :param response: the response; ``None`` if the connection was dropped.
        :param began: the time when it began, from :func:`time.time`.
        :param moment: the time of the server's clock then.
        :param fault: id of the fault that was applied to it, if one was.
        """
        ended = time.time()
        recorded = RecordedRequest.of(
            request, path, response, began=began, ended=ended, moment=moment, fault=fault
        )
        if self._shared is not None:
            self._shared.append(recorded)
            return
        with self._lock:
            self._dropped += len(self._requests) == MOST
            self._requests.append(recorded)
            if size := recorded.size():
                self._with_bodies.append(recorded)
                self._bytes += size
                while self._bytes > MOST_BYTES:
                    self._bytes -= self._with_bodies.popleft().forget_bodies()

    def clear(self) -> None:
        """Remove all recorded requests."""
        if self._shared is not None:
            self._shared.clear()
        with self._lock:
            self._requests.clear()
            self._with_bodies.clear()
            self._bytes = self._dropped = 0

    def log(self) -> RequestLog:
        """Return all that is kept."""
        if self._shared is not None:
            return self._shared.log()
        with self._lock:
            return RequestLog(list(self._requests), self._dropped)

    def find(
        self,
        *,
        method: str | None = None,
        path: str | None = None,
        status: int | str | None = None,
        node: str | None = None,
        version: str | None = None,
        id: str | None = None,  # noqa: A002 - as requests show it
        limit: int | None = None,
    ) -> list[RecordedRequest]:
        """Return recorded requests, the oldest first.

        :param method: only with this method.
        :param path: only for these paths; ``*`` stands for any characters.
        :param status: only with this status, or a class of statuses such as ``4xx``.
        :param node: only with this UUID or name as a part of the path.
        :param version: only with this microversion of the Bare Metal API.
        :param id: only the one with this ``id``.
        :param limit: only the last ones, at most this number.
        """
        found = [
            recorded
            for recorded in self.log().requests
            if recorded.matches(method, path, status, node, version) and id in (None, recorded.id)
        ]
        return found if limit is None else found[len(found) - limit :] if limit else []

    def assert_asked(
        self,
        method: str,
        path: str,
        *,
        times: int | None = None,
        json: Any = ANY,
        json_contains: Any = ANY,
        headers: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        version: str | None = None,
    ) -> None:
        """Check that a request was received.

        :param path: its path; ``*`` stands for any characters.
        :param times: the exact number of times; by default at least once.
        :param json: its whole body.
        :param json_contains: a part of its body: of objects at any depth, these keys; lists are
            compared whole.
        :param headers: headers that it has, among others.
        :param query: arguments that it has, among others; a list for one that is repeated.
        :param version: the requested microversion of the Bare Metal API.
        :raises AssertionError: if not; the message shows the nearest request and what differs. Also
            if ``times`` can't be told, as requests or bodies aren't kept any more.
        """
        __tracebackhide__ = True
        expected = Expectation(method, path, json, json_contains, headers, query, version)
        _raise(verify(self.log(), expected, times, absent=False))

    def assert_not_asked(self, method: str, path: str, **more: Any) -> None:
        """Check that no such request was received.

        :param more: see :meth:`assert_asked`.
        :raises AssertionError: if one was; the message lists the requests. Also if that can't be
            told, as requests or bodies aren't kept any more.
        """
        __tracebackhide__ = True
        _raise(verify(self.log(), Expectation(method, path, **more), None, absent=True))

    def assert_order(self, steps: Sequence[tuple[str, str]]) -> None:
        """Check that requests were received in an order; others may come between.

        :param steps: method and path of each.
        :raises AssertionError: if not; the message names the one that is missing.
        """
        __tracebackhide__ = True
        _raise(verify_order(self.log(), steps))


def _raise(verdict: Verdict) -> None:
    __tracebackhide__ = True
    if verdict.message is not None:
        raise AssertionError(verdict.message)
