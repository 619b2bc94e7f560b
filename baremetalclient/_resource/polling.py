"""Polls, with a wait in between that grows."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Generic, TypeVar

from baremetalclient._resource.intervals import LONGEST, SLICE, Interval
from baremetalclient._resource.waiters import LOG, UNREACHABLE, check_seconds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ValueT = TypeVar("ValueT")


class Polls(Generic[ValueT]):
    """The values that a function returns, called again and again until the time is over.

    Once the server has responded, the polls go on while it is unreachable; a warning is logged once
    per outage.

    :param fetch: the function, called with the seconds since the beginning.
    :param timeout: the maximum seconds, 0 for no limit; the last call is right before.
    :param stop: the polls end once it returns True, also in the middle of a wait.
    :param sleep: called with the seconds to wait.
    :raises ValidationError: if the time is no number, or negative.
    """

    def __init__(
        self,
        fetch: Callable[[float], ValueT],
        timeout: float = 0,
        stop: Callable[[], bool] | None = None,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        check_seconds(timeout, "timeout")
        self._fetch = fetch
        self._timeout = timeout
        self._stop = stop
        self._sleep = sleep
        self._interval = Interval()

    def hurry(self) -> None:
        """Make the next wait a short one, since something happens."""
        self._interval.reset()

    def __iter__(self) -> Iterator[ValueT]:
        start = time.monotonic()
        responded = reported = False
        while not self._stopped:
            began = time.monotonic()
            try:
                found = self._fetch(began - start)
            except UNREACHABLE as error:
                if not responded:
                    raise
                if not reported:
                    LOG.warning("%s Still waiting; retrying until the wait times out.", error)
                reported = True
            else:
                # A server that is slow is busy, so half of the time is left to others.
                took = min(time.monotonic() - began, LONGEST)
                responded, reported = True, False
                yield found
                self._interval.seconds = max(self._interval.seconds, took)
            remaining = self._timeout - (time.monotonic() - start)
            if self._timeout and remaining <= 0:
                return
            seconds = self._interval.seconds
            self._wait(min(seconds, remaining) if self._timeout else seconds)
            self._interval.grow()

    @property
    def _stopped(self) -> bool:
        return self._stop is not None and self._stop()

    def _wait(self, seconds: float) -> None:
        if self._stop is None:
            self._sleep(seconds)
            return
        while seconds > 0 and not self._stopped:
            self._sleep(min(seconds, SLICE))
            seconds -= SLICE
