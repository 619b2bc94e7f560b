"""Waiting of commands until nodes have reached a power or provision state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._resource.waiters import Timeout, wait_until
from baremetalclient.osc.waiting import (
    POLL_INTERVAL,
    Backoff,
    ProgressReporter,
    wait_for_each,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from baremetalclient.osc.command import Command
    from baremetalclient.v1.node import Node
    from baremetalclient.v1.types import ProvisionState

_POWER_FIELDS = ("power_state", "target_power_state", "last_error")


def wait_for_power_state(command: Command, nodes: Sequence[str], state: str, timeout: int) -> int:
    """Wait until nodes are in a power state without a transition to another one.

    :param command: the command that waits.
    :param nodes: names or UUIDs.
    :param state: the power state.
    :param timeout: seconds for all nodes together, 0 for no limit.
    :returns: the exit code: 1 if any node timed out, else 0.
    """
    limit = Timeout(timeout)

    def wait(node: str) -> None:
        report, found = ProgressReporter(command), None

        def check(passed: float) -> Any:
            nonlocal found
            found = command.client.node.get(node, fields=_POWER_FIELDS)
            report(node, str(found.power_state), found.target_power_state, passed)
            reached = found.power_state == state and not found.target_power_state
            return found if reached else None

        try:
            wait_until(check, limit.remaining(), POLL_INTERVAL, Backoff().delay, str)
        except exc.StateTransitionTimeout as error:
            current = None if found is None else found.power_state
            raise _timeout(state, timeout, current, found) from error

    return _wait_for_each(command, nodes, state, wait)


def wait_for_provision_state(
    command: Command, nodes: Sequence[str], state: ProvisionState, timeout: int
) -> int:
    """Wait until nodes are in a provision state.

    :param command: the command that waits.
    :param nodes: names or UUIDs.
    :param state: the provision state.
    :param timeout: seconds for all nodes together, 0 for no limit.
    :returns: the exit code: 1 if any node failed or timed out, else 0.
    """
    limit = Timeout(timeout)

    def wait(node: str) -> None:
        try:
            command.client.node.wait_for_provision_state(
                node,
                state,
                timeout=limit.remaining(),
                poll_interval=POLL_INTERVAL,
                poll_delay_function=Backoff().delay,
                progress=ProgressReporter(command),
            )
        except exc.StateTransitionTimeout as error:
            try:
                found = command.client.node.get(node, fields=["provision_state", "last_error"])
            except exc.ConnectionError:
                raise error from None
            raise _timeout(state, timeout, found.provision_state, found) from error

    return _wait_for_each(command, nodes, state, wait)


def _timeout(
    expected: str, timeout: int, state: str | None, node: Node | None
) -> exc.StateTransitionTimeout:
    last_error = f", last error: {node.last_error}" if node and node.last_error else ""
    reason = f"not {expected!r} after {timeout} seconds{last_error}"
    return exc.StateTransitionTimeout(reason, state=state, reason=reason)


def _wait_for_each(
    command: Command, nodes: Sequence[str], state: str, wait: Callable[[str], None]
) -> int:
    if not nodes:
        return 0
    command.report(f"Waiting for state {state} on node(s) {', '.join(nodes)}")
    failures = wait_for_each("node", nodes, wait)
    for message in failures:
        command.print_error(message)
    return int(bool(failures))
