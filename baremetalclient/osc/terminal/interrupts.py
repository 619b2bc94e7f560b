"""What ends a command: a deadline; signals, the first in good order and the second at once."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NoReturn, Self, TextIO

from baremetalclient.exc import CommandError

if TYPE_CHECKING:
    from cliff.app import App

    from baremetalclient._http.retry import Deadline

TIME_OVER = 124
"""The exit code of what took too long, which is that of the program ``timeout``."""
_NOTICE = "\nInterrupted: nothing more is started. Ctrl-C again ends the command at once.\n"
_LATE = "\nThe deadline of the command has passed: nothing more is started.\n"
# Ctrl-C, the end of a CI job, the end of a connection by SSH, a deadline. Windows has only some.
_SIGNALS = [
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGALRM")
    if hasattr(signal, name)
]
#: What handled SIGALRM before a deadline was set.
_before: list[Any] = []


def end_after(seconds: float) -> Deadline:
    """End the process after some time, unless :class:`Interrupts` does so in good order.

    :param seconds: the time from now.
    :returns: the deadline of requests, a second later, for those that are under way by then.
    :raises CommandError: if this system has no such timer.
    """
    from baremetalclient._http.retry import Deadline

    if not hasattr(signal, "SIGALRM"):
        raise CommandError("--deadline is not possible on this system, which has no SIGALRM.")

    def end(_number: int, _frame: object) -> NoReturn:
        _tell(sys.stderr, f"\nThe command was ended: its deadline of {seconds:g} s has passed.\n")
        raise SystemExit(TIME_OVER)

    _before.append(signal.signal(signal.SIGALRM, end))
    signal.setitimer(signal.ITIMER_REAL, seconds)
    return Deadline(seconds + 1)


def cancel_end() -> None:
    """Let the command's time, if it had any, end nothing that comes after it."""
    while _before:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, _before.pop())


class Interrupts:
    """A context in which the first signal is noted instead of ending the command.

    Calling it tells whether there was one.

    :param app: the application, for its stderr.
    """

    def __init__(self, app: App) -> None:
        self._app = app
        self._received: int | None = None
        self._previous: dict[signal.Signals, Any] = {}

    def __call__(self) -> bool:
        """Return whether the command has to end."""
        return self._received is not None

    @property
    def exit_code(self) -> int:
        """The exit code after a signal, as shells have it; 0 if there was none."""
        if self._received == getattr(signal, "SIGALRM", None):
            return TIME_OVER
        return 0 if self._received is None else 128 + self._received

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                # A background job of a script ignores SIGINT, and one under nohup SIGHUP.
                if signal.getsignal(number) is not signal.SIG_IGN:
                    self._previous[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *exception: object) -> None:
        for number, handler in self._previous.items():
            signal.signal(number, handler)

    def _note(self, number: int, _frame: object) -> None:
        self._received = number
        for each in self._previous:
            signal.signal(each, signal.SIG_DFL)
        late = number == getattr(signal, "SIGALRM", None)
        _tell(self._app.stderr, _LATE if late else _NOTICE)


def _tell(stderr: TextIO, text: str) -> None:
    """Write not by way of a buffer, which the interrupted code may be writing to."""
    with suppress(OSError, ValueError):
        os.write(stderr.fileno(), text.encode())
