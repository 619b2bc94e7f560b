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
        self._lock = Lock()
        self._anchor = self._base = time.time()
        self.mode, self.factor = "real", 1.0
        self.switch(mode, factor=factor, start=start)

    def switch(self, mode: str, *, factor: float = 1.0, start: float | None = None) -> None:
        """Let time pass otherwise from now on.

        :param mode: see the class; ``real`` goes back to the system's time.
        :param factor: speed of a scaled clock.
        :param start: the moment that it is then, in seconds since the epoch; by default the
            present one.
        :raises ValueError: for a mode that there is not, or a factor that isn't positive.
        """
        if mode not in MODES:
            raise ValueError(f"Unknown clock mode {mode!r}: use one of {', '.join(MODES)}.")
        if not factor > 0:
            raise ValueError(f"A clock can't run {factor} times as fast: the factor is positive.")
        with self._lock:
            present = self.seconds() if start is None else start
            self._anchor = time.time()
            self._base = self._anchor if mode == "real" else present
            self.mode = mode
            self.factor = factor if mode == "scaled" else 1.0

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
