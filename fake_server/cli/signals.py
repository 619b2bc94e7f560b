"""The signals that end a command."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterator

#: There is no SIGHUP on Windows.
_ALL = [signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]


def ending_signals() -> list[signal.Signals]:
    """Return those that aren't ignored, as ``nohup`` has it for the end of a terminal."""
    return [one for one in _ALL if signal.getsignal(one) is not signal.SIG_IGN]


class Interrupted(KeyboardInterrupt):
    """A signal has come that ends the command.

    :param number: that of the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__(f"interrupted by signal {number}")
        self.number = number


@contextmanager
def interruptible() -> Iterator[None]:
    """Let a signal raise :class:`Interrupted`, and another one end the process at once."""
    before = {one: signal.getsignal(one) for one in ending_signals()}

    def interrupt(number: int, _frame: object) -> NoReturn:
        for one in before:
            signal.signal(one, signal.SIG_DFL)
        raise Interrupted(number)

    for one in before:
        signal.signal(one, interrupt)
    try:
        yield
    finally:
        for one, handler in before.items():
            if signal.getsignal(one) is interrupt:
                signal.signal(one, handler)
