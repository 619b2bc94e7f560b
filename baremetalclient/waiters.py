"""Waiting until something has happened."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Protocol

from baremetalclient import exc

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LOG = logging.getLogger(__name__)


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
