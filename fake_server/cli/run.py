"""``baremetal-fake-server exec``: run a command against a fake server."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from fake_server import cloud_config
from fake_server.cli.defaults import TOKEN_VARIABLE, URL_VARIABLE
from fake_server.cli.messages import tell
from fake_server.cli.signals import ending_signals

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.server import FakeServer


def run(server: FakeServer, command: list[str], account: str | None) -> int:
    """Run a command with environment variables to connect to a server.

    Signals are passed on to the command, which decides whether they end it.

    :param server: the prepared server, which is stopped when the command ends.
    :param account: name of the account that the variables are for; by default the first one, on the
        whole system.
    :returns: exit code of the command, as shells have it: 128 and the number of the signal that
        ended it, 126 if it can't be run, 127 if there is no such command.
    """
    with (
        _Command() as process,
        ExitStack() as ends,
        tempfile.TemporaryDirectory(prefix="baremetal-fake-server-") as directory,
    ):
        server.start()
        ends.callback(server.stop)
        ends.callback(_tell_unmet, server)
        try:
            settings = server.app.settings
            variables = cloud_config.environment(
                server.url, settings, Path(directory), account, server.ca_file
            )
            if settings.auth == "keystone":
                who = cloud_config.identity(settings, account)
                tell(f"the command runs as {who}")
            kept = cloud_config.without_clouds(os.environ)
            if settings.tls and "OS_CACERT" in os.environ:
                # With --tls-cert, only the user knows which CA issued the certificate.
                variables.setdefault("OS_CACERT", os.environ["OS_CACERT"])
            variables[URL_VARIABLE] = server.url
            if settings.control_token:
                variables[TOKEN_VARIABLE] = settings.control_token
            environment = {**kept, **variables}
            return process.run(command, environment)
        except ValueError as exc:
            tell(exc)
            return 2
        except OSError as exc:
            tell(exc)
            return 127 if isinstance(exc, FileNotFoundError) else 126


def _tell_unmet(server: FakeServer) -> None:
    for line in server.unmet_faults():
        tell(line)


class _Command:
    """A context in which signals are passed on to a command, also such as come before it starts."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._received: list[int] = []
        self._previous: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        for number in ending_signals():
            self._previous[number] = signal.signal(number, self._pass_on)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._previous.items():
            signal.signal(number, handler)

    def run(self, command: list[str], environment: Mapping[str, str]) -> int:
        """Run a command and return its exit code."""
        if self._received:
            return 128 + self._received[0]
        self._process = subprocess.Popen(command, env=environment)  # noqa: S603 - as asked
        for number in self._received:
            self._process.send_signal(number)
        code = self._process.wait()
        return 128 - code if code < 0 else code

    def _pass_on(self, number: int, _frame: object) -> None:
        self._received.append(number)
        # Ctrl-C has reached the command already if it comes from the terminal of both.
        if self._process is not None and not (number == signal.SIGINT and _in_foreground()):
            self._process.send_signal(number)


def _in_foreground() -> bool:
    """Return whether this process belongs to those that get what is typed at the terminal."""
    with suppress(OSError), open("/dev/tty") as terminal:
        return os.tcgetpgrp(terminal.fileno()) == os.getpgrp()
    return False
