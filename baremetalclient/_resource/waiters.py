"""Polling until a resource has reached a state."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Protocol, TypeVar

from baremetalclient import exc

if TYPE_CHECKING:
    from collections.abc import Callable

LOG = logging.getLogger(__name__)

_T = TypeVar("_T")

_MIN_POLL_TIMEOUT = 10.0
UNREACHABLE = (
    exc.ConnectionError,
    exc.BadGateway,
    exc.ServiceUnavailable,
    exc.GatewayTimeout,
)


class Progress(Protocol):
    """A callback for the result of each poll."""

    def __call__(self, name: str, state: str, target: str | None, seconds: float) -> object:
        """Handle the result of a poll.

        :param name: the name of what is polled.
        :param state: its state.
        :param target: the state that it is in transition to, if the server says so.
        :param seconds: the seconds since the beginning of the wait.
        """


def log_progress(name: str, state: str, target: str | None, seconds: float) -> None:
    """Write the result of a poll to the debug log."""
    LOG.debug("%s is in state %s after %.1f s, target %s.", name, state, seconds, target)


def has_failed(state: str | None) -> bool:
    """Return whether a state is one of failure, in any of the services.

    :param state: such as ``deploy failed`` of Ironic, ``ERROR`` of Nova, ``error_deleting`` of
        Cinder; None for a resource without a state.
    """
    lower = (state or "").lower()
    return lower.startswith("error") or lower.endswith("failed")


def check_seconds(value: object, name: str) -> None:
    """Raise ValidationError if a value is no number of seconds, or negative.

    :param value: the value that was given.
    :param name: the name of the argument, for the message.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
        raise exc.ValidationError(f"{name} has to be a number of seconds, not {value!r}.")


def poll_deadline(timeout: float, passed: float) -> float | None:
    """Return the seconds that a poll may take: those that remain, but enough for a response.

    :param timeout: the maximum seconds of the wait, 0 for no limit.
    :param passed: the seconds since its beginning.
    """
    return max(timeout - passed, _MIN_POLL_TIMEOUT) if timeout else None


def wait_until(
    check: Callable[[float], _T | None],
    timeout: float,
    interval: float,
    delay: Callable[[float], object] | None,
    timeout_message: Callable[[], str],
) -> _T:
    """Call a function until it returns something, and return that.

    The wait goes on while the server is unreachable; a warning is logged once per outage.

    :param check: the function, called with the seconds since the beginning; None means to go on.
    :param timeout: the maximum seconds to wait, 0 for no limit.
    :param interval: the seconds between two calls.
    :param delay: called with the seconds to sleep, ``time.sleep`` if None. Exceptions that it
        raises end the wait.
    :param timeout_message: returns the message of the exception for a timeout.
    :raises ValidationError: if the times are not numbers or negative.
    :raises StateTransitionTimeout: if the time is over; the last call is right before.
    """
    check_seconds(timeout, "timeout")
    check_seconds(interval, "poll_interval")
    if delay is not None and not callable(delay):
        raise TypeError("poll_delay_function has to be callable")
    start = time.monotonic()
    reported = False
    while True:
        try:
            found = check(time.monotonic() - start)
            reported = False
        except UNREACHABLE as error:
            found = None
            if not reported:
                LOG.warning("%s Still waiting; retrying until the wait times out.", error)
            reported = True
        if found is not None:
            return found
        remaining = timeout - (time.monotonic() - start)
        if timeout and remaining <= 0:
            raise exc.StateTransitionTimeout(timeout_message())
        (delay or time.sleep)(min(interval, remaining) if timeout else interval)
