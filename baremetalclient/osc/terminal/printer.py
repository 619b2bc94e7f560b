"""What a command prints, apart from data: messages, errors and progress."""

from __future__ import annotations

import logging
from functools import cached_property
from typing import TYPE_CHECKING

from baremetalclient import exc
from baremetalclient._http.escapes import printable
from baremetalclient.osc.terminal.retry_notices import RetryNotices

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cliff.app import App

LOG = logging.getLogger(__name__)


class PartlyDone(exc.CommandError):
    """An action failed for a resource after a part of it was done.

    :param message: why.
    :param done: the messages about what was done.
    """

    def __init__(self, message: str, done: Sequence[str]) -> None:
        super().__init__(message)
        self.done = done


class Printer:
    """Prints on the streams of an application; the base of commands.

    :ivar app: the application, which has the streams and the verbosity.
    :ivar cmd_name: the name of the command.
    """

    app: App
    cmd_name: str | None

    @property
    def words(self) -> str:
        """The name of the command without ``baremetal``, such as ``node manage``."""
        return (self.cmd_name or "").removeprefix("baremetal ")

    @cached_property
    def retry_notices(self) -> RetryNotices:
        """The notices about retries; to be finished before anything else is printed."""
        return RetryNotices(self.app)

    def report(self, message: str) -> None:
        """Print a message about progress to stderr, unless ``--quiet`` is given.

        :param message: one line, which may hold text from servers.
        """
        if self.app.options.verbose_level > 0:
            self.print_error(message)

    def print_message(self, message: str) -> None:
        """Print a message about a result to stdout."""
        self.retry_notices.finish()
        print(printable(message), file=self.app.stdout, flush=True)

    def print_error(self, message: str) -> None:
        """Print an error or a warning to stderr."""
        self.retry_notices.finish()
        print(printable(message), file=self.app.stderr, flush=True)

    def report_error(self, message: str, error: Exception) -> None:
        """Print an error to stderr when the command goes on after it.

        :param message: the action that failed.
        """
        self.print_error(f"{message}: {error}")
        LOG.debug("%s", printable(message), exc_info=error)
