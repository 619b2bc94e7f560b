"""The connections whose requests are to be answered later."""

from __future__ import annotations

import time
from heapq import heappop, heappush
from itertools import count
from threading import Event, Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fake_server.httpd.connections import Connection


class PostponedRequests:
    """Connections in the order in which they go on, by the monotonic clock.

    :param woken: is set when there is one more.
    """

    def __init__(self, woken: Event) -> None:
        self._waiting: list[tuple[float, int, Connection]] = []
        self._order = count()
        self._lock = Lock()
        self._woken = woken

    def add(self, moment: float, connection: Connection) -> None:
        """Let a connection go on at a moment."""
        with self._lock:
            heappush(self._waiting, (moment, next(self._order), connection))
        self._woken.set()

    def next(self, longest: float) -> Connection | float:
        """Return the next one whose moment has come, or the seconds to wait for one.

        :param longest: the seconds at most.
        """
        with self._lock:
            left = self._waiting[0][0] - time.monotonic() if self._waiting else longest
            return min(left, longest) if left > 0 else heappop(self._waiting)[2]
