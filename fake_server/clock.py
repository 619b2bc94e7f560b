"""Time as the server sees it: real, scaled or moved by hand."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

MODES = ("real", "scaled", "manual")
#: The last moment of a clock, in seconds since the epoch; what falls due later has a date, too.
LATEST = datetime(9000, 1, 1, tzinfo=UTC).timestamp()
#: Thirty years in a second.
FASTEST = 1e9


@dataclass(frozen=True, slots=True)
class Pace:
    """How time passes from a moment on.

    :param mode: one of :data:`MODES`.
    :param factor: how many times as fast as the system's it is.
    :param anchor: the moment by the system's time, in seconds since the epoch.
    :param base: the same moment by this one.
    """

    mode: str
    factor: float
    anchor: float
    base: float

    def seconds(self) -> float:
        """Return the moment that it is, in seconds since the epoch."""
        if self.mode == "manual":
            return self.base
        return min(self.base + (time.time() - self.anchor) * self.factor, LATEST)


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
        self._keep: Callable[[Callable[[Pace], Pace]], None] | None = None
        now = time.time()
        self.pace = _switched(Pace("real", 1.0, now, now), mode, factor, start)

    @property
    def mode(self) -> str:
        """One of :data:`MODES`."""
        return self.pace.mode

    @property
    def factor(self) -> float:
        """How many times as fast as the system's the time passes."""
        return self.pace.factor

    def switch(self, mode: str, *, factor: float = 1.0, start: float | None = None) -> None:
        """Let time pass otherwise from now on.

        :param mode: see the class; ``real`` goes back to the system's time.
        :param factor: speed of a scaled clock.
        :param start: the moment that it is then, in seconds since the epoch; by default the
            present one.
        :raises ValueError: for a mode that there is not, a factor or a moment out of bounds, or a
            moment for a real clock.
        """
        self._change(lambda pace: _switched(pace, mode, factor, start))

    def seconds(self) -> float:
        """Return the moment in seconds since the epoch."""
        return self.pace.seconds()

    def now(self) -> datetime:
        """Return the moment in UTC and without a zone, as it is stored."""
        return datetime.fromtimestamp(self.pace.seconds(), UTC).replace(tzinfo=None)

    def advance(self, seconds: float) -> None:
        """Move forward.

        :param seconds: how far, not negative.
        :raises ValueError: for a negative number, or one that leads past :data:`LATEST`.
        """
        if not seconds >= 0:
            raise ValueError(f"A clock can't be moved by {seconds} seconds, only forward.")
        self._change(lambda pace: _advanced(pace, seconds))

    def keep_with(self, keep: Callable[[Callable[[Pace], Pace]], None] | None) -> None:
        """Have changes made by whoever shares them with other processes.

        :param keep: is given what makes the new pace of the present one, and sets :attr:`pace`.
            Without it, changes are the clock's own again.
        """
        self._keep = keep

    def _change(self, changed: Callable[[Pace], Pace]) -> None:
        if self._keep is not None:
            self._keep(changed)
            return
        with self._lock:
            self.pace = changed(self.pace)


def _switched(pace: Pace, mode: str, factor: float, start: float | None) -> Pace:
    if mode not in MODES:
        raise ValueError(f"Unknown clock mode {mode!r}: use one of {', '.join(MODES)}.")
    if not 0 < factor <= FASTEST:
        raise ValueError(
            f"A clock can't run {factor} times as fast: the factor is more than 0 and at most "
            f"{FASTEST:.0f}."
        )
    if mode == "real" and start is not None:
        raise ValueError("A real clock shows the system's time: no moment can be given for it.")
    if start is not None and not 0 <= start <= LATEST:
        raise ValueError(
            f"A clock can't show {start}: give seconds since 1970, from 0 to {LATEST:.0f}."
        )
    present = pace.seconds() if start is None else start
    anchor = time.time()
    base = anchor if mode == "real" else present
    return Pace(mode, factor if mode == "scaled" else 1.0, anchor, base)


def _advanced(pace: Pace, seconds: float) -> Pace:
    left = LATEST - pace.seconds()
    if seconds > left:
        raise ValueError(
            f"A clock can't be moved by {seconds} seconds: it ends at {LATEST:.0f}, {left:.0f} "
            "seconds from now."
        )
    return replace(pace, base=pace.base + seconds)
