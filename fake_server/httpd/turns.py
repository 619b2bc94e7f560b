"""Requests that take long wait for their turn, so that others are answered at once."""

from __future__ import annotations

from collections import deque
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fake_server.httpd.connections import Connection

    Kind = tuple[str, str]

#: Seconds of CPU time after which a request counts as one that takes long, and how many are known.
_LONG, _MOST_LONG = 0.05, 1000


class Turns:
    """The requests that took long when they were answered last, by method and path.

    :param most: how many of them are answered at the same time.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._long: set[Kind] = set()
        self._running = 0
        self._waiting: deque[Connection] = deque()
        self._lock = Lock()

    def takes_long(self, kind: Kind) -> bool:
        """Return whether a request needs a turn."""
        return kind in self._long

    def note(self, kind: Kind, seconds: float) -> None:
        """Remember how much CPU time a request took."""
        if seconds < _LONG:
            self._long.discard(kind)
        elif len(self._long) < _MOST_LONG:
            self._long.add(kind)

    def begin(self, connection: Connection) -> bool:
        """Take a turn and return True; else the connection gets in line for one."""
        with self._lock:
            begins = self._running < self._most
            if begins:
                self._running += 1
            else:
                self._waiting.append(connection)
            return begins

    def end(self) -> None:
        """Give a turn back."""
        with self._lock:
            self._running -= 1

    def next(self) -> list[Connection]:
        """Take those out of the line for which there are turns, but for those that are closed."""
        found: list[Connection] = []
        with self._lock:
            while self._waiting and len(found) < self._most - self._running:
                connection = self._waiting.popleft()
                if not connection.closed:
                    found.append(connection)
        return found
