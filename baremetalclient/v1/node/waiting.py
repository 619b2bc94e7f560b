"""Waiting for provision states of nodes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from baremetalclient import exc
from baremetalclient._resource import arguments, manager
from baremetalclient._resource.resource import Resource, ResourceT, identifier_of
from baremetalclient._resource.waiters import (
    Progress,
    has_failed,
    log_progress,
    poll_deadline,
    wait_until,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.node import Node
    from baremetalclient.v1.types import ProvisionState

DEFAULT_POLL_INTERVAL = 2.0

_POLLED_FIELDS = ("provision_state", "target_provision_state", "last_error")


class NodeWaiting(manager.Manager[ResourceT]):
    """Waiting for nodes."""

    def wait_for_provision_state(
        self,
        node_ident: str | Node | Sequence[str | Node],
        expected_state: ProvisionState,
        timeout: float = 0,
        poll_interval: float = DEFAULT_POLL_INTERVAL,
        poll_delay_function: Callable[[float], object] | None = None,
        fail_on_unexpected_state: bool = True,
        *,
        progress: Progress = log_progress,
        **call: Unpack[CallOptions],
    ) -> None:
        """Wait until nodes have reached a provision state.

        The wait goes on while the server is unreachable. A deadline is for each poll.

        :param node_ident: the UUID or name of a node, a node as it was returned, or several.
        :param expected_state: the state to wait for.
        :param timeout: the maximum seconds to wait, 0 for no limit.
        :param poll_interval: the seconds between two polls.
        :param poll_delay_function: called with the seconds to sleep, ``time.sleep`` by default.
            Exceptions that it raises end the wait.
        :param fail_on_unexpected_state: whether a node in another stable state is a failure.
        :param progress: called with the result of each poll of a node.
        :raises StateTransitionFailed: if a node is in a failed state or another stable state.
        :raises StateTransitionTimeout: if the time is over.
        """
        expected = arguments.text(expected_state, "expected_state").lower()
        nodes = [node_ident] if isinstance(node_ident, str | Resource) else node_ident
        if not isinstance(nodes, Iterable):
            raise exc.InvalidType(f"Expected a node or several, and not {nodes!r}.")
        waiting = [identifier_of(node) for node in nodes]
        states: dict[str, str] = {}

        def timeout_message() -> str:
            named = ", ".join(f"{node} (now {states.get(node)!r})" for node in waiting)
            return (
                f"Node(s) failed to reach state {expected!r} in {timeout} seconds: {named}. "
                "They may still get there."
            )

        def check(passed: float) -> bool | None:
            options: CallOptions = {"deadline": poll_deadline(timeout, passed), **call}
            for node in list(waiting):
                found = cast("Node", self._get(node, _POLLED_FIELDS, **options))
                states[node] = found.provision_state
                progress(node, found.provision_state, found.target_provision_state, passed)
                if found.provision_state == expected:
                    waiting.remove(node)
                else:
                    _check_failure(node, found, expected, stable_fails=fail_on_unexpected_state)
            return None if waiting else True

        wait_until(check, timeout, poll_interval, poll_delay_function, timeout_message)


def _check_failure(node: str, found: Node, expected: str, *, stable_fails: bool) -> None:
    """Raise an exception if a node will not reach the expected state."""
    state = found.provision_state
    failed = has_failed(state)
    if failed or (stable_fails and not found.target_provision_state):
        kind = "failed" if failed else "stable"
        reason = f", because of: {found.last_error}" if found.last_error else ""
        raise exc.StateTransitionFailed(
            f"Node {node} failed to reach state {expected!r}. It is in the {kind} state "
            f"{state!r}{reason}.",
            state=state,
            reason=found.last_error,
        )
