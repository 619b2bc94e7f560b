"""The clock of a server: real, scaled, manual, or moved on by clients that wait."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from threading import Lock, local
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MODES = ("real", "scaled", "manual", "auto")
_STANDING = ("manual", "auto")
#: The latest time of a clock, in seconds since the epoch; events due after it still have a date.
LATEST = datetime(9000, 1, 1, tzinfo=UTC).timestamp()
#: Thirty years in a second.
FASTEST = 1e9


@dataclass(frozen=True, slots=True)
class Pace:
    """How time passes from a certain time on.

    :param mode: one of :data:`MODES`.
    :param factor: speed relative to the system's clock.
    :param anchor: that time by the system's clock, in seconds since the epoch.
    :param base: that time by this clock, in seconds since the epoch.
    """

    mode: str
    factor: float
    anchor: float
    base: float

    def seconds(self) -> float:
        """Return the present time, in seconds since the epoch."""
        if self.mode in _STANDING:
            return self.base
        return min(self.base + (time.time() - self.anchor) * self.factor, LATEST)


class _AsOf(local):
    """The moment that a thread makes up for, if it does."""

    moment: float | None = None


class Clock:
    """A clock that tests can control; safe to share between threads.

    :param mode: ``real`` follows the system, ``scaled`` runs ``factor`` times as fast,
        ``manual`` stands still until :meth:`advance`, and ``auto`` also until a client waits: if it
        asks for the same thing again and nothing has changed, the next transition is due at once.
    :param factor: speed of a scaled clock, relative to the system's.
    :param start: initial time, in seconds since the epoch; a real clock has none.
    """

    def __init__(
        self, mode: str = "real", *, factor: float = 1.0, start: float | None = None
    ) -> None:
        self._lock = Lock()
        self._as_of = _AsOf()
        self._keep: Callable[[Callable[[Pace], Pace]], None] | None = None
        now = time.time()
        self.pace = _switched(Pace("real", 1.0, now, now), mode, factor, start)

    @property
    def mode(self) -> str:
        """One of :data:`MODES`."""
        return self.pace.mode

    @property
    def factor(self) -> float:
        """The speed relative to the system's clock."""
        return self.pace.factor

    def switch(self, mode: str, *, factor: float = 1.0, start: float | None = None) -> None:
        """Change the mode of the clock.

        :param mode: see the class; ``real`` returns to the system's time.
        :param factor: speed of a scaled clock, relative to the system's.
        :param start: the time to set, in seconds since the epoch; by default the present time of
            the clock.
        :raises ValueError: for an unknown mode, a factor or a time out of range, or a time for a
            real clock.
        """
        self._change(lambda pace: _switched(pace, mode, factor, start))

    def seconds(self) -> float:
        """Return the time in seconds since the epoch: the present, unless in :meth:`at`."""
        moment = self._as_of.moment
        return self.pace.seconds() if moment is None else moment

    def now(self) -> datetime:
        """Return what :meth:`seconds` does, in UTC without a time zone, as it is stored."""
        return to_moment(self.seconds())

    def late(self) -> float:
        """Return for how many seconds what :meth:`seconds` shows has been over."""
        return self.pace.seconds() - self.seconds()

    @contextmanager
    def at(self, moment: float) -> Iterator[None]:
        """Let the clock show a moment in the past to this thread, which makes up for it.

        A node that is read after an hour has the states and times of that hour.

        :param moment: in seconds since the epoch.
        """
        before, self._as_of.moment = self._as_of.moment, moment
        try:
            yield
        finally:
            self._as_of.moment = before

    def advance(self, seconds: float) -> None:
        """Move the clock forward.

        :param seconds: the number of seconds, not negative.
        :raises ValueError: for a negative number, or a time after :data:`LATEST`.
        """
        if not seconds >= 0:
            raise ValueError(f"A clock can only be moved forward, not by {seconds} seconds.")
        self._change(lambda pace: _advanced(pace, seconds))

    def pause(self, seconds: float) -> None:
        """Let time pass: a clock that stands still is moved, and for others, the caller sleeps."""
        if self.mode in _STANDING:
            self.advance(seconds)
        else:
            time.sleep(seconds)

    def advance_to(self, moment: float) -> None:
        """Move a clock that stands still forward, unless it is later already.

        :param moment: the time to set, in seconds since the epoch.
        """
        self._change(lambda pace: replace(pace, base=max(pace.base, min(moment, LATEST))))

    def keep_with(self, keep: Callable[[Callable[[Pace], Pace]], None] | None) -> None:
        """Pass changes to the object that shares them with other processes.

        :param keep: called with a function from the present pace to the new one; sets
            :attr:`pace`. With None, the clock shares its changes no longer.
        """
        self._keep = keep

    def _change(self, changed: Callable[[Pace], Pace]) -> None:
        if self._keep is not None:
            self._keep(changed)
            return
        with self._lock:
            self.pace = changed(self.pace)


def to_moment(seconds: float) -> datetime:
    """Return seconds since the epoch in UTC without a time zone, as moments are stored."""
    return parse_moment(datetime.fromtimestamp(seconds, UTC))


def parse_moment(value: str | datetime) -> datetime:
    """Return a moment in UTC without a time zone, as moments are stored.

    :param value: also text, as ISO 8601 has it; without a time zone it is in UTC.
    :raises TypeError, ValueError: if it is none.
    """
    found = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    return found.astimezone(UTC).replace(tzinfo=None) if found.tzinfo else found


def _switched(pace: Pace, mode: str, factor: float, start: float | None) -> Pace:
    if mode not in MODES:
        raise ValueError(f"Unknown clock mode {mode!r}: use one of {', '.join(MODES)}.")
    if not 0 < factor <= FASTEST:
        raise ValueError(
            f"The factor of a clock has to be above 0 and at most {FASTEST:.0f}, not {factor}."
        )
    if mode == "real" and start is not None:
        raise ValueError(
            "A real clock shows the system's time, so it can't be set. Use another mode."
        )
    if start is not None and not 0 <= start <= LATEST:
        raise ValueError(
            f"The time of a clock has to be from 0 to {LATEST:.0f} seconds since 1970, not {start}."
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
