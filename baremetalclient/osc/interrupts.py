"""Signals that end a command: the first one in good order, a second one at once."""

from __future__ import annotations

import os
import signal
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from cliff.app import App

_NOTICE = b"\nInterrupted: nothing more is started. Ctrl-C again ends the command at once.\n"
# Ctrl-C, the end of a CI job, and the end of a connection by SSH; there is no SIGHUP on Windows.
_SIGNALS = [signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]


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
        # Not by way of a buffer, which the interrupted code may be writing to.
        with suppress(OSError, ValueError):
            os.write(self._app.stderr.fileno(), _NOTICE)
