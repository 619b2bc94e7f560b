"""Retries on the console: one line on a terminal, the first and the last notice elsewhere."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, Self

from baremetalclient._http.escapes import printable

if TYPE_CHECKING:
    from cliff.app import App

_CLEAR = "\r\x1b[K"


class RetryNotices(logging.Filter):
    """Handles log records about retries while a command runs, unless it is verbose.

    On a terminal each notice replaces the previous one, and the next output replaces the last.

    :param app: the application, for its stderr and its verbosity.
    """

    def __init__(self, app: App) -> None:
        super().__init__()
        self._app = app
        self._handlers: list[logging.Handler] = []
        self._pending = ""

    def __enter__(self) -> Self:
        options = self._app.options
        if not options.debug and options.verbose_level <= 1:
            handlers = logging.getLogger().handlers
            self._handlers = [one for one in handlers if type(one) is logging.StreamHandler]
        for handler in self._handlers:
            handler.addFilter(self)
        return self

    def __exit__(self, *exception: object) -> None:
        self.finish()
        for handler in self._handlers:
            handler.removeFilter(self)

    def filter(self, record: logging.LogRecord) -> bool:
        """Show a record about a retry and return False; return True for other records."""
        retry: int | None = getattr(record, "retry", None)
        if retry is None:
            self.finish()
            return True
        text = printable(record.getMessage())
        stderr = self._app.stderr
        if stderr.isatty():
            # A line as long as the terminal is wide would end on the next one.
            width = (os.get_terminal_size(stderr.fileno()).columns or 80) - 1
            self._write(_CLEAR + " ".join(text.split())[:width])
            self._pending = _CLEAR
        elif retry == 1:
            self.finish()
            self._write(text + "\n")
        else:
            self._pending = text + "\n"
        return False

    def finish(self) -> None:
        """Remove the line from the terminal, or print the last notice elsewhere."""
        if self._pending:
            self._write(self._pending)
            self._pending = ""

    def _write(self, text: str) -> None:
        self._app.stderr.write(text)
        self._app.stderr.flush()
