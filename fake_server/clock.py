"""Time as the server sees it: real, scaled or moved by hand."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from threading import Lock

MODES = ("real", "scaled", "manual")


class Clock:
    """A clock that tests can control; safe to share between threads.

    :param mode: ``real`` follows the system, ``scaled`` runs ``factor`` times as fast,
        ``manual`` stands still until :meth:`advance`.
    :param factor: speed of a scaled clock.
    :param start: first moment of a scaled or manual clock, seconds since the epoch.
    """

    def __init__(
        self, mode: str = "real", *, factor: float = 1.0, start: float | None = None
    ) -> None:
        if mode not in MODES:
            raise ValueError(f"Unknown clock mode {mode!r}: use one of {', '.join(MODES)}.")
        self.mode = mode
        self.factor = factor if mode == "scaled" else 1.0
        self._lock = Lock()
        self._anchor = time.time()
        self._base = self._anchor if start is None or mode == "real" else start

    def seconds(self) -> float:
        """Return the moment in seconds since the epoch."""
        if self.mode == "manual":
            return self._base
        return self._base + (time.time() - self._anchor) * self.factor

    def now(self) -> datetime:
        """Return the moment in UTC and without a zone, as it is stored."""
        return datetime.fromtimestamp(self.seconds(), UTC).replace(tzinfo=None)

    def advance(self, seconds: float) -> None:
        """Move forward.

        :param seconds: how far, not negative.
        :raises ValueError: for a negative number.
        """
        if not seconds >= 0:
            raise ValueError(f"A clock can't be moved by {seconds} seconds, only forward.")
        with self._lock:
            self._base += seconds
