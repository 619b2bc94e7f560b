"""Retries: how many, and how long to wait before each."""

from __future__ import annotations

import random
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Lock
from typing import TYPE_CHECKING

from baremetalclient import _clock, exc

if TYPE_CHECKING:
    from collections.abc import Callable

_MAX_FACTOR = 8
_MAX_RETRY_AFTER = 120.0


class SharedPause:
    """A pause that one thread begins when a server refuses it, and all of the same work observe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._until = 0.0

    def extend(self, seconds: float) -> None:
        """Begin a pause, or extend the present one, and wait until it is over."""
        with self._lock:
            self._until = max(self._until, _clock.monotonic() + seconds)
        self.wait()

    def wait(self) -> None:
        """Wait until no pause is left."""
        while (remaining := self._until - _clock.monotonic()) > 0:
            _clock.sleep(remaining)


shared_pause: ContextVar[SharedPause | None] = ContextVar("shared_pause", default=None)
"""The pause of the work that this thread is part of."""


def sleep(seconds: float) -> None:
    """Sleep; the other threads of the same work wait as well."""
    pause = shared_pause.get()
    if pause is None:
        _clock.sleep(seconds)
    else:
        pause.extend(seconds)


@dataclass(frozen=True)
class RetryPolicy:
    """How often to retry, after how long, and what a response may cost at most.

    :param max_retries: the maximum number of retries.
    :param interval: seconds before the first retry; doubled each time, up to eightfold. Each delay
        is shortened by a random part of up to a half, so that clients that failed together don't
        retry together.
    :param deadline: seconds that one call may take with all its retries, or the time at which all
        calls have to be over; None for no limit.
    :param connect_retries: how many of the retries may follow a failure to connect, after which
        nothing was sent.
    :param max_response_size: the bytes that the body of a response may have, decompressed.
    :param jitter: returns a random number from 0 to 1.
    """

    max_retries: int = 5
    interval: float = 1.0
    deadline: float | Deadline | None = None
    connect_retries: int = 0
    max_response_size: int = 256 * 1024 * 1024
    jitter: Callable[[], float] = random.random

    def __post_init__(self) -> None:
        seconds = self.deadline if isinstance(self.deadline, int | float) else 0
        if min(self.max_retries, self.interval, seconds, self.max_response_size) < 0:
            raise exc.ValidationError(
                "max_retries, retry_interval, deadline and max_response_size cannot be negative."
            )

    def start_deadline(self, deadline: float | Deadline | None = None) -> Deadline | None:
        """Return the deadline of a call that starts now, None for no limit.

        :param deadline: the seconds that the call may take, None for those of the policy, or the
            deadline of a call that this one is part of.
        """
        given = self.deadline if deadline is None else deadline
        own = Deadline(given) if isinstance(given, int | float) else given
        if own and isinstance(self.deadline, Deadline):
            return min(own, self.deadline, key=Deadline.remaining)
        return own

    def delay(
        self, attempts: int, retry_after: str | None, deadline: Deadline | None = None
    ) -> float | None:
        """Return the seconds to wait before the next retry, or None if there is none.

        :param attempts: the number of attempts so far.
        :param retry_after: the ``Retry-After`` header of the response, if there is one.
        :param deadline: when the call has to be over.
        """
        if attempts > self.max_retries:
            return None
        wait = parse_retry_after(retry_after)
        if wait is None:
            wait = self.interval * min(2 ** (attempts - 1), _MAX_FACTOR) * (1 - self.jitter() / 2)
        elif wait > _MAX_RETRY_AFTER:
            return None
        return wait if deadline is None or wait < deadline.remaining() else None


class Deadline:
    """The time at which a call has to be over, with all its requests.

    :param seconds: the time from now.
    """

    def __init__(self, seconds: float) -> None:
        self._end = _clock.monotonic() + seconds

    def remaining(self) -> float:
        """Return the seconds until the deadline, negative after it."""
        return self._end - _clock.monotonic()


def parse_retry_after(retry_after: str | None, now: datetime | None = None) -> float | None:
    """Return the seconds that a ``Retry-After`` header asks for (RFC 9110, section 10.2.3).

    :param retry_after: the header, as seconds or as a date.
    :returns: the seconds, 0 or more; None if the header is missing or invalid.
    """
    if retry_after is None:
        return None
    text = retry_after.strip()
    if text.isascii() and text.isdigit():
        return float(text[:12])
    from email.utils import parsedate_to_datetime

    try:
        moment = parsedate_to_datetime(text)
    except (TypeError, ValueError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - (now or datetime.now(UTC))).total_seconds())
