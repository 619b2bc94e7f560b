"""When a request may be sent again, and how long to wait before."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from baremetalclient import exc

if TYPE_CHECKING:
    from collections.abc import Callable

DEFAULT_MAX_RETRIES = 5
DEFAULT_RETRY_INTERVAL = 1.0
_SLOWEST = 8
_LONGEST_WAIT = 120.0


@dataclass(frozen=True, eq=False)
class RetryPolicy:
    """How often and how patiently to try again.

    :param max_retries: how many times at most, after the first try.
    :param interval: seconds before the first retry; doubled each time, up to eightfold.
    :param deadline: seconds that one call may take with all its retries, None for no limit.
    :param sleep: what waits.
    :param clock: what tells the time, in seconds from anywhere.
    """

    max_retries: int = DEFAULT_MAX_RETRIES
    interval: float = DEFAULT_RETRY_INTERVAL
    deadline: float | None = None
    sleep: Callable[[float], object] = field(default=time.sleep, repr=False)
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)

    def __post_init__(self) -> None:
        if self.max_retries < 0 or self.interval < 0 or (self.deadline or 0) < 0:
            raise exc.ValidationError(
                "max_retries, retry_interval and deadline cannot be negative."
            )

    def budget(self, deadline: float | None = None) -> Budget:
        """Return what one call may spend.

        :param deadline: seconds for this very call, None for those of the policy.
        """
        return Budget(self, self.deadline if deadline is None else deadline)


class Budget:
    """The tries and the time that one call has left.

    :param policy: the rules.
    :param seconds: the time that it may take, None for no limit.
    """

    def __init__(self, policy: RetryPolicy, seconds: float | None) -> None:
        self.policy = policy
        self.attempts = 0
        self._end = None if seconds is None else policy.clock() + seconds

    def left(self) -> float | None:
        """Return the seconds that are left, None if there is no limit."""
        return None if self._end is None else self._end - self.policy.clock()

    def delay(self, retry_after: str | None) -> float | None:
        """Return the seconds to wait before the next try, or None if there is to be none.

        :param retry_after: the server's header of that name, in seconds or as a date.
        """
        if self.attempts > self.policy.max_retries:
            return None
        own = self.policy.interval * min(2 ** (self.attempts - 1), _SLOWEST)
        asked = seconds_of(retry_after)
        wait = own if asked is None else asked
        if wait > _LONGEST_WAIT:
            return None
        left = self.left()
        return wait if left is None or wait < left else None


def seconds_of(retry_after: str | None, now: datetime | None = None) -> float | None:
    """Return the seconds that a ``Retry-After`` header asks for (RFC 9110, section 10.2.3).

    :param retry_after: the header, as seconds or as a date.
    :param now: the present, for dates.
    :returns: seconds from now, never negative; None if the header is missing or nonsense.
    """
    if retry_after is None:
        return None
    text = retry_after.strip()
    if text.isascii() and text.isdigit():
        return float(text[:12])
    from email.utils import parsedate_to_datetime

    try:
        moment = parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - (now or datetime.now(UTC))).total_seconds())
