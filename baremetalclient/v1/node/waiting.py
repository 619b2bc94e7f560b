"""Waiting for provision states of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient import exc
from baremetalclient._resource import arguments, manager
from baremetalclient._resource.waiters import Outage, Progress, deadline_of_look, log_progress, poll

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions

DEFAULT_POLL_INTERVAL = 2.0

_WATCHED = ("provision_state", "target_provision_state", "last_error")


class NodeWaiting(manager.Manager[manager.ViewT]):
    """Waiting for nodes."""

    def wait_for_provision_state(
        self,
        node_ident: str | manager.View | Sequence[str | manager.View],
        expected_state: str,
        timeout: float = 0,
        poll_interval: float = DEFAULT_POLL_INTERVAL,
        poll_delay_function: Callable[[float], object] | None = None,
        fail_on_unexpected_state: bool = True,
        *,
        progress: Progress = log_progress,
        **call: Unpack[CallOptions],
    ) -> None:
        """Return when nodes have reached a provision state.

        While the server cannot be reached, the wait goes on. A deadline is that of each look.

        :param node_ident: the UUID or name of a node, a node as it was returned, or several.
        :param expected_state: the state to wait for.
        :param timeout: seconds to wait at most, 0 for no limit.
        :param poll_interval: seconds between two looks.
        :param poll_delay_function: what waits between two looks, given seconds; ``time.sleep`` by
            default. What it raises ends the wait.
        :param fail_on_unexpected_state: whether a node that rests in another state has failed.
        :param progress: what is told about each look at a node.
        :param call: the options of every call.
        :raises StateTransitionFailed: if a node is in an error state or rests in another state.
        :raises StateTransitionTimeout: if the time is over.
        """
        expected = arguments.text(expected_state, "expected_state").lower()
        nodes = [node_ident] if isinstance(node_ident, str | manager.View) else node_ident
        waiting = [manager.identifier_of(node) for node in nodes]
        seen: dict[str, str] = {}

        def story() -> str:
            named = ", ".join(f"{node} (now {seen.get(node)!r})" for node in waiting)
            return (
                f"Node(s) failed to reach state {expected!r} in {timeout} seconds: {named}. "
                "They may still get there."
            )

        outage = Outage()
        for passed in poll(timeout, poll_interval, poll_delay_function, story):
            with outage.tolerated():
                look: CallOptions = {"deadline": deadline_of_look(timeout, passed), **call}
                for node in list(waiting):
                    found = self._get(node, _WATCHED, **look)
                    seen[node] = found.provision_state
                    progress(node, found.provision_state, found.target_provision_state, passed)
                    if found.provision_state == expected:
                        waiting.remove(node)
                    else:
                        _check(node, found, expected, at_rest=fail_on_unexpected_state)
            if not waiting:
                return


def _check(node: str, found: manager.View, expected: str, *, at_rest: bool) -> None:
    """Raise an exception if a node will not get to the state that is expected."""
    state = found.provision_state
    if state == "error" or state.endswith(" failed"):
        story = f"It is in state {state!r}"
    elif at_rest and not found.target_provision_state:
        story = f"It rests in state {state!r}"
    else:
        return
    reason = f", because of: {found.last_error}" if found.last_error else ""
    raise exc.StateTransitionFailed(
        f"Node {node} failed to reach state {expected!r}. {story}{reason}."
    )
