"""``--wait``: until something has happened, with progress on stderr."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from baremetalclient import exc
from baremetalclient._resource.waiters import Outage, poll
from baremetalclient.osc import argument_types

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from baremetalclient.osc.command import Command
    from baremetalclient.osc.parser import ArgumentParser

POLL_INTERVAL = 5.0
"""Seconds between two looks at what takes long."""

_FIRST_INTERVAL = 0.25
_REMINDER = 30.0
_LAST_LOOK = 0.001
_POWER_FIELDS = ("power_state", "target_power_state", "last_error")


def add_wait(parser: ArgumentParser, until: str) -> None:
    """Add ``--wait``.

    :param parser: the parser of a command.
    :param until: what is waited for, as a clause.
    """
    parser.add_argument(
        "--wait",
        dest="wait_timeout",
        metavar="<time-out>",
        type=argument_types.natural,
        nargs="?",
        const=0,
        help=f"Wait until {until}, at most for this many seconds. Without a number, or with 0, "
        "without limit.",
    )


def wait_for_power(command: Command, nodes: Sequence[str], state: str, timeout: int) -> int:
    """Wait until each of several nodes is in a power state, and not on its way to another.

    :param command: the command that waits.
    :param nodes: names or UUIDs.
    :param state: the power state.
    :param timeout: seconds for all of them together, 0 for no limit.
    :returns: the exit code: 1 if any node was too late.
    """
    deadline = time.monotonic() + timeout

    def wait(node: str) -> None:
        left = max(deadline - time.monotonic(), _LAST_LOOK) if timeout else 0
        report, found = Reporter(command), None

        def story() -> str:
            reason = f", last error: {found.last_error}" if found and found.last_error else ""
            return f"it is {found and found.power_state!r} after {timeout} seconds{reason}"

        outage = Outage()
        for passed in poll(left, POLL_INTERVAL, Pace().delay, story):
            with outage.tolerated():
                found = command.client.node.get(node, fields=_POWER_FIELDS)
                report(node, str(found.power_state), found.target_power_state, passed)
                if found.power_state == state and not found.target_power_state:
                    return

    return _wait_for_each(command, nodes, state, wait)


def wait_for(command: Command, nodes: Sequence[str], state: str, timeout: int) -> int:
    """Wait until each of several nodes is in a provision state.

    :param command: the command that waits.
    :param nodes: names or UUIDs.
    :param state: the provision state.
    :param timeout: seconds for all of them together, 0 for no limit.
    :returns: the exit code: 1 if any node failed or was too late.
    """
    deadline = time.monotonic() + timeout

    def wait(node: str) -> None:
        left = max(deadline - time.monotonic(), _LAST_LOOK) if timeout else 0
        try:
            command.client.node.wait_for_provision_state(
                node,
                state,
                timeout=left,
                poll_interval=POLL_INTERVAL,
                poll_delay_function=Pace().delay,
                progress=Reporter(command),
            )
        except exc.StateTransitionTimeout as error:
            try:
                current = command.client.node.get(node, fields=["provision_state", "last_error"])
            except exc.ConnectionError:
                raise error from None
            reason = f", last error: {current.last_error}" if current.last_error else ""
            raise exc.StateTransitionTimeout(
                f"it is {current.provision_state!r} after {timeout} seconds{reason}"
            ) from error

    return _wait_for_each(command, nodes, state, wait)


def _wait_for_each(
    command: Command, nodes: Sequence[str], state: str, wait: Callable[[str], None]
) -> int:
    if not nodes:
        return 0
    command.tell(f"Waiting for state {state} on node(s) {', '.join(nodes)}")
    return command.for_each(nodes, wait, doing=f"Node {{}} did not become {state!r}")


class Pace:
    """Looks often at first, for what is done at once, and then less and less."""

    def __init__(self) -> None:
        self._next = _FIRST_INTERVAL

    def delay(self, most: float) -> None:
        """Sleep until the next look.

        :param most: seconds to sleep at most.
        """
        time.sleep(min(self._next, most))
        self._next *= 1.5


class Reporter:
    """Tells each new state, and now and then that nothing has changed.

    :param command: the command that waits.
    """

    def __init__(self, command: Command) -> None:
        self._command = command
        self._said: tuple[str, str | None] | None = None
        self._said_at = 0.0

    def __call__(self, name: str, state: str, target: str | None, seconds: float) -> None:
        """Take note of a state, and tell it if that is news."""
        if (state, target) == self._said and seconds < self._said_at + _REMINDER:
            return
        self._said, self._said_at = (state, target), seconds
        towards = f", on its way to {target!r}" if target else ""
        self._command.tell(f"{name} is {state!r}{towards} ({seconds:.0f} s)")
