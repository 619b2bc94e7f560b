"""Pauses that several threads share: when a server refuses one of them, all wait."""

from __future__ import annotations

import time
from contextvars import ContextVar
from threading import Lock


class Pace:
    """A pause that one thread begins and all threads of the same work observe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._until = 0.0

    def pause(self, seconds: float) -> None:
        """Begin a pause, or extend the present one, and wait until it is over."""
        with self._lock:
            self._until = max(self._until, time.monotonic() + seconds)
        self.wait()

    def wait(self) -> None:
        """Wait until no pause is left."""
        while (remaining := self._until - time.monotonic()) > 0:
            time.sleep(remaining)


current: ContextVar[Pace | None] = ContextVar("current", default=None)
"""The pace of the work that this thread is part of."""


def sleep(seconds: float) -> None:
    """Sleep; if this thread has a pace, the other threads of its work wait as well."""
    pace = current.get()
    if pace is None:
        time.sleep(seconds)
    else:
        pace.pause(seconds)
