"""Ctrl-C: the first one ends a command in good order, a second one ends it at once."""

from __future__ import annotations

import os
import signal
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from cliff.app import App

EXIT_CODE = 130
"""The exit code after Ctrl-C."""

_NOTICE = b"\nInterrupted: nothing more is started. Ctrl-C again ends the command at once.\n"


class Interrupts:
    """A context in which the first SIGINT is noted instead of raising KeyboardInterrupt.

    Calling it tells whether there was one.

    :param app: the application, for its stderr.
    """

    def __init__(self, app: App) -> None:
        self._app = app
        self._pressed = False
        self._previous: Any = None

    def __call__(self) -> bool:
        """Return whether the user has interrupted the command."""
        return self._pressed

    def __enter__(self) -> Self:
        # A background job of a script ignores the signal, because Ctrl-C is meant for another.
        ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        if threading.current_thread() is threading.main_thread() and not ignored:
            self._previous = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *exception: object) -> None:
        if self._previous is not None:
            signal.signal(signal.SIGINT, self._previous)

    def _note(self, *signal_and_frame: object) -> None:
        self._pressed = True
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        # Not by way of a buffer, which the interrupted code may be writing to.
        with suppress(OSError, ValueError):
            os.write(self._app.stderr.fileno(), _NOTICE)
