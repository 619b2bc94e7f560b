"""Waiting until something has happened."""

from __future__ import annotations

import logging
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from baremetalclient import exc

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LOG = logging.getLogger(__name__)

_SHORTEST_LOOK = 10.0
_UNREACHABLE = (
    exc.ConnectionError,
    exc.BadGateway,
    exc.ServiceUnavailable,
    exc.GatewayTimeout,
)


class Progress(Protocol):
    """What is told about each look at what is waited for."""

    def __call__(self, name: str, state: str, target: str | None, seconds: float) -> object:
        """Take note of a state.

        :param name: what is waited for.
        :param state: the state that it is in.
        :param target: the state that it is on its way to, if the server says so.
        :param seconds: how long the wait has lasted.
        """


def log_progress(name: str, state: str, target: str | None, seconds: float) -> None:
    """Write progress to the debug log."""
    LOG.debug("%s is in state %s after %.1f s, target %s.", name, state, seconds, target)


class Outage:
    """Lets a wait go on while the server cannot be reached, and says so once for each outage."""

    def __init__(self) -> None:
        self._reported = False

    @contextmanager
    def tolerated(self) -> Iterator[None]:
        """Ignore that a look at what is waited for fails because the server does not respond."""
        try:
            yield
        except _UNREACHABLE as error:
            if not self._reported:
                LOG.warning("%s Still waiting; trying again until the wait is over.", error)
            self._reported = True
        else:
            self._reported = False


def deadline_of_look(timeout: float, passed: float) -> float | None:
    """Return the seconds that a look may take: those left of the wait, but enough for a response.

    :param timeout: seconds that the wait lasts at most, 0 for no limit.
    :param passed: seconds that have passed.
    """
    return max(timeout - passed, _SHORTEST_LOOK) if timeout else None


def poll(
    timeout: float,
    interval: float,
    delay: Callable[[float], object] | None,
    story: Callable[[], str],
) -> Iterator[float]:
    """Yield the seconds that have passed, once for each look at what is waited for.

    :param timeout: seconds to wait at most, 0 for no limit.
    :param interval: seconds between two looks.
    :param delay: what waits, given seconds; ``time.sleep`` if None. What it raises ends the wait.
    :param story: tells what was waited for in vain.
    :raises ValidationError: if the times are no numbers or negative.
    :raises StateTransitionTimeout: when the time is over; there is a last look right before.
    """
    for name, value in (("timeout", timeout), ("poll_interval", interval)):
        if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
            raise exc.ValidationError(f"{name} has to be a number of seconds, not {value!r}.")
    if delay is not None and not callable(delay):
        raise TypeError("poll_delay_function has to be callable")
    start = time.monotonic()
    while True:
        passed = time.monotonic() - start
        yield passed
        left = timeout - (time.monotonic() - start)
        if timeout and left <= 0:
            raise exc.StateTransitionTimeout(story())
        (delay or time.sleep)(min(interval, left) if timeout else interval)
