"""The clock that pauses and time limits go by: the system's, unless a test uses another."""

from __future__ import annotations

import time
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Clock(NamedTuple):
    """A clock.

    :param sleep: called with the seconds to wait.
    :param monotonic: returns the time in seconds.
    """

    sleep: Callable[[float], object]
    monotonic: Callable[[], float]


_in_use: ContextVar[Clock | None] = ContextVar("clock", default=None)


def sleep(seconds: float) -> None:
    """Wait."""
    clock = _in_use.get()
    (time if clock is None else clock).sleep(seconds)


def monotonic() -> float:
    """Return the time in seconds, from an arbitrary moment on."""
    clock = _in_use.get()
    return (time if clock is None else clock).monotonic()


@contextmanager
def use(clock: Clock) -> Iterator[None]:
    """Use a clock in a block, and in the threads that it starts for its calls."""
    token = _in_use.set(clock)
    try:
        yield
    finally:
        _in_use.reset(token)
