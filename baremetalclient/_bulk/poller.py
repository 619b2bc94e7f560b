"""The loop that polls: waits in between that grow, one notice for each outage, a time limit."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from baremetalclient import _clock, exc
from baremetalclient._bulk.runner import run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LOG = logging.getLogger(__name__)

SHORTEST = 0.25
"""The seconds of the first wait between two polls."""
LONGEST = 5.0
"""The seconds to which the waits grow."""
SLICE = 0.2
"""Seconds after which a wait looks whether it should stop."""
_FACTOR = 1.5
_MIN_POLL_TIMEOUT = 10.0

UNREACHABLE = (
    exc.ConnectionError,
    exc.BadGateway,
    exc.ServiceUnavailable,
    exc.GatewayTimeout,
)
"""The errors of an outage, which end a wait only if the server has never responded."""
_MOST_FAILURES = 5
"""How many responses "Internal Server Error" in a row a wait takes for a slip."""

ValueT = TypeVar("ValueT")


def check_seconds(value: object, name: str) -> None:
    """Raise ValidationError if a value is no number of seconds, or negative.

    :param value: the value that was given.
    :param name: the name of the argument, for the message.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
        raise exc.ValidationError(f"{name} has to be a number of seconds, not {value!r}.")


class Poller(Generic[ValueT]):
    """Calls a function again and again until the time is over; yields what it returns.

    Once the server has responded, the polls go on while it is unreachable, or fails a few times in
    a row; a warning is logged once per outage. The time begins when the poller is made.

    :param fetch: the function, which returns anything but None. It is called with the seconds that
        its requests may take, None for no limit.
    :param timeout: the maximum seconds, 0 for no limit; the last call is right before.
    :param interval: the seconds between two calls; None for few at first, then more and more.
    :param sleep: called with the seconds to wait, ``time.sleep`` if None.
    :param stop: the polls end once it returns True, also in the middle of a wait.
    :param responded: whether the server has responded before.
    :raises ValidationError: if a time is no number, or negative.
    :raises TypeError: if ``sleep`` cannot be called.
    :ivar due: the moment of the next poll, in seconds of the clock.
    """

    def __init__(
        self,
        fetch: Callable[[float | None], ValueT],
        *,
        timeout: float = 0,
        interval: float | None = None,
        sleep: Callable[[float], object] | None = None,
        stop: Callable[[], bool] | None = None,
        responded: bool = False,
    ) -> None:
        check_seconds(timeout, "timeout")
        if interval is not None:
            check_seconds(interval, "poll_interval")
        if sleep is not None and not callable(sleep):
            raise TypeError("poll_delay_function has to be callable")
        self._fetch = fetch
        self._timeout = timeout
        self._shortest = SHORTEST if interval is None else interval
        self._longest = LONGEST if interval is None else interval
        self._sleep = sleep or _clock.sleep
        self._stop = stop
        self._responded = responded
        self._told = False
        self._failures = 0
        self._took = 0.0
        self._start = _clock.monotonic()
        self._grown = self._shortest
        self._pause = 0.0
        self.due = self._start

    def __iter__(self) -> Iterator[ValueT]:
        while not self.stopped:
            found = self.poll()
            if found is not None:
                yield found
            if self.late:
                return
            self._wait(max(0.0, min(self._pause, self.remaining)))

    @property
    def seconds(self) -> float:
        """The seconds since the beginning."""
        return _clock.monotonic() - self._start

    @property
    def remaining(self) -> float:
        """The seconds until the time is over."""
        return self._timeout - self.seconds if self._timeout else float("inf")

    @property
    def late(self) -> bool:
        """Whether the time is over."""
        return self.remaining <= 0

    @property
    def stopped(self) -> bool:
        """Whether the polls were stopped."""
        return self._stop is not None and self._stop()

    @property
    def wait(self) -> float:
        """The seconds until the next poll, or until there may be a stop."""
        return max(0.0, min(self.due - _clock.monotonic(), self.remaining, SLICE))

    @property
    def is_due(self) -> bool:
        """Whether it is time for the next poll."""
        return _clock.monotonic() >= self.due

    def pause(self) -> None:
        """Wait until the next poll, or until there may be a stop."""
        self._sleep(self.wait)

    def put_off(self, seconds: float) -> None:
        """Poll next after so many seconds, or none."""
        self.due = _clock.monotonic() + seconds

    def poll(self) -> ValueT | None:
        """Call the function once.

        :returns: what it returned, None if the server is unreachable.
        """
        began = _clock.monotonic()
        found: ValueT | None = None
        try:
            found = self._fetched()
            if self.stopped:
                return found
        except (*UNREACHABLE, exc.InternalServerError) as error:
            self._failures += isinstance(error, exc.InternalServerError)
            # Who fails responds.
            if (not self._responded and not self._failures) or self._failures > _MOST_FAILURES:
                raise
            if not self._told:
                LOG.warning("%s Still waiting; retrying until the wait times out.", error)
            self._told = True
        else:
            self._responded, self._told, self._failures = True, False, 0
            # A server that is slow is busy, so half of the time is left to others.
            self._took = min(_clock.monotonic() - began, self._longest)
        self._plan(self._grown)
        return found

    def _fetched(self) -> ValueT | None:
        """Return what the function returns, None if there was a stop before."""
        if self._stop is None:
            return self._fetch(self._limit())
        # In a thread, as a server that doesn't respond would keep this one from stopping.
        fetch = partial(self._fetch, self._limit())
        for outcome in run([None], lambda _: fetch(), parallel=1, stop=self._stop, reads=True):
            if outcome.error is not None and not self.stopped:
                raise outcome.error
            return outcome.value
        return None

    def hurry(self) -> None:
        """Make the next wait a short one, since something happens."""
        self._plan(self._shortest)

    def _limit(self) -> float | None:
        """Return the seconds that a poll may take: what remains, but enough for a response."""
        return max(self.remaining, _MIN_POLL_TIMEOUT) if self._timeout else None

    def _plan(self, pause: float) -> None:
        self._pause = max(pause, self._took)
        self._grown = min(self._pause * _FACTOR, self._longest)
        self.put_off(self._pause)

    def _wait(self, seconds: float) -> None:
        if self._stop is None:
            self._sleep(seconds)
            return
        while seconds > 0 and not self.stopped:
            self._sleep(min(seconds, SLICE))
            seconds -= SLICE
