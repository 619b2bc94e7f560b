"""Calls for many nodes: selecting them, acting on all of them, waiting for them, watching them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from baremetalclient import exc
from baremetalclient._bulk.fetcher import fetcher_of
from baremetalclient._bulk.kinds import NODE
from baremetalclient._bulk.listener import Listener, Target
from baremetalclient._bulk.poller import Poller
from baremetalclient._http import urls
from baremetalclient._resource import arguments, manager
from baremetalclient._resource.resource import ResourceT
from baremetalclient.v1.provision_states import STATES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Literal, Unpack

    from baremetalclient._bulk.action import Action
    from baremetalclient._bulk.fetcher import Fetcher
    from baremetalclient._bulk.result import Result
    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient._resource.resource import Item
    from baremetalclient.v1.node_fields import Node
    from baremetalclient.v1.objects import NodeEvent
    from baremetalclient.v1.types import ProvisionState

WATCHED = (
    *("provision_state", "target_provision_state", "power_state", "maintenance", "fault"),
    *("last_error", "instance_uuid", "reservation"),
)
"""The fields whose changes are events of a watch."""

_HINT = "provision_updated_at"
"""It shows that there were changes even if the states are the same again. ``updated_at`` would show
more, but only detailed lists have it."""

_CHANGING_FILTERS = ("provision_state", "maintenance", "fault", "associated")
"""The filters by what is watched: a node that no longer matches them is watched on."""

_NEEDED = ("uuid", "name", "provision_state", "target_provision_state", "last_error")


class NodeBulk(manager.Manager[ResourceT]):
    """Calls for many nodes."""

    def select(
        self,
        *expressions: str,
        fields: Sequence[str] = (),
        **call: Unpack[CallOptions],
    ) -> list[ResourceT]:
        """Return the nodes that match at least one expression, sorted by name.

        The server is asked for as much as its filters can do, in one pass over the list; the rest
        is compared here. A node that is called by its name or UUID is fetched without the others.
        Nodes without a name are sorted by UUID.

        :param expressions: what to select, see :meth:`.Expression.any_of`; all nodes without any.
        :param fields: other fields to fetch besides ``uuid``, ``name`` and those compared.
        :raises ValidationError: if an expression is wrong; nothing is sent.
        """
        from baremetalclient._bulk.selection import select
        from baremetalclient.v1.expressions import selection

        chosen = selection(self.resource_type, expressions)
        return select(self, chosen, urls.comma_separated(fields, "field name"), **call)

    def act_on(
        self,
        nodes: str | Node | Iterable[str | Node],
        verb: str,
        *,
        parallel: int = 10,
        on_error: Literal["continue", "stop"] = "continue",
        max_failures: int | None = None,
        wait: bool = False,
        timeout: float = 0,
        **arguments: Any,
    ) -> Action:
        """Do the same with many nodes, several at a time; the first requests are sent at once.

        Iterating over what is returned yields the results as they come, those of nodes that were
        not started at the end; ``wait()`` returns them in the order of the nodes, and
        ``raise_for_failures()`` raises one exception with all failures. Ctrl-C while it is iterated
        starts nothing more and waits for the requests that run. A wait takes one list request per
        poll for all nodes.

        :param nodes: UUIDs or names, or nodes, such as those of :meth:`select`; duplicates are
            acted on once. They are started in this order.
        :param verb: a provision verb such as ``manage``, ``provide`` or ``active``; or ``delete``,
            ``power on``, ``power off``, ``reboot``, ``set``, ``trait add``, ``vif attach`` and the
            like, as the commands are called.
        :param parallel: the maximum number of requests at a time.
        :param on_error: ``stop`` to start nothing more after the first failure.
        :param max_failures: start nothing more after this number of failures.
        :param wait: whether to wait for the state that the verb leads to.
        :param timeout: the maximum seconds for all, 0 for no limit.
        :param arguments: arguments of the method for one node, such as ``configdrive`` for
            ``active`` or ``trait`` for ``trait add``.
        :returns: an action; the states in its results are known only after a wait.
        :raises ValidationError: if an argument is wrong; nothing is sent.
        :raises TypeError: if the method for one node does not take an argument, or needs another.
        """
        from baremetalclient._bulk.action import Action, resolved, targets_of
        from baremetalclient._bulk.poller import check_seconds
        from baremetalclient.v1.node.actions import find_action, goal_of

        action = find_action(verb)
        action.check(self, arguments)
        if on_error not in ("continue", "stop"):
            raise exc.ValidationError(f"on_error is 'continue' or 'stop', not {on_error!r}.")
        goal = goal_of(verb) if wait else None
        check_seconds(timeout, "timeout")
        targets = targets_of(nodes, "node")
        fields = (*(action.goal.fields if action.goal else ()), action.state_field)
        return Action(
            self,
            resolved(node_fetcher(self, ()), targets),
            lambda target: action(self, target.ident, arguments),
            goal=goal,
            fetcher=node_fetcher(self, (), needed=fields),
            parallel=parallel,
            max_failures=1 if on_error == "stop" else max_failures,
            timeout=timeout,
            state_field=action.state_field,
        )

    def wait_for(
        self,
        nodes: str | Node | Iterable[str | Node],
        condition: str | Callable[[Node], object],
        timeout: float = 0,
        **call: Unpack[CallOptions],
    ) -> list[Result]:
        """Wait until a condition holds for nodes, and return a result for each, in their order.

        Four or more nodes are polled with one list. Once the server has responded, the wait goes on
        while it is unreachable. A deadline is for each poll.

        :param nodes: UUIDs or names, or nodes as they were returned.
        :param condition: the condition, such as ``provision_state=active and power_state=power on``
            (see :meth:`.Expression.any_of`), or a function that is called with a node and tells
            whether it holds.
        :param timeout: the maximum seconds to wait for all nodes, 0 for no limit.
        :raises ValidationError: if the condition is wrong; nothing is sent.
        :raises StateTransitionFailed: if a node is in a failure state that the condition does not
            name, or it is gone and the condition does not have ``deleted``.
        :raises StateTransitionTimeout: if the time is over.
        """
        from baremetalclient._bulk.expression import Expression
        from baremetalclient._bulk.goal import FunctionCondition
        from baremetalclient._bulk.wait import wait_for_all
        from baremetalclient.v1.expressions import vocabulary

        checked: Expression | FunctionCondition
        fields: Collection[str] | None = None
        if isinstance(condition, str):
            checked = Expression.any_of([condition], vocabulary(self.resource_type))
            fields = checked.fields()
        else:
            checked = FunctionCondition(self, condition)
        fetcher = node_fetcher(self, fields, call=call)
        return wait_for_all(fetcher, _identifiers(nodes), checked, timeout)

    def watch(
        self,
        nodes: str | Node | Iterable[str | Node] | None = None,
        *,
        select: str | Sequence[str] | None = None,
        timeout: float = 0,
        **call: Unpack[CallOptions],
    ) -> Iterator[NodeEvent]:
        """Yield the nodes, and then each change of their states and errors.

        Once the server has responded, the watch goes on while it is unreachable. A deadline is for
        each poll.

        :param nodes: UUIDs or names, or nodes as they were returned; None for all nodes.
        :param select: watch the nodes that match one of these expressions, see
            :meth:`.Expression.any_of`, and those that match it later. They are still watched when
            what changes is what is watched.
        :param timeout: the maximum seconds, 0 for no limit.
        :returns: an event for each node, ``present``, with its fields; then ``changed`` with the
            fields that changed, ``added`` and ``removed``.
        :raises ValidationError: if an expression is wrong, or there are nodes and expressions.
        :raises NotFound: if a node does not exist at the beginning.
        """
        polls = watch_polls(self, nodes, select, timeout, call)
        return (event for events in polls for event in events)

    def wait_for_provision_state(
        self,
        node_ident: str | Node | Sequence[str | Node],
        expected_state: ProvisionState,
        timeout: float = 0,
        poll_interval: float | None = None,
        poll_delay_function: Callable[[float], object] | None = None,
        fail_on_unexpected_state: bool = True,
        *,
        listener: Listener | None = None,
        **call: Unpack[CallOptions],
    ) -> None:
        """Wait until nodes have reached a provision state.

        Once the server has responded, the wait goes on while it is unreachable. A deadline is for
        each poll.

        :param node_ident: the UUID or name of a node, a node as it was returned, or several.
        :param expected_state: the state to wait for.
        :param timeout: the maximum seconds to wait, 0 for no limit.
        :param poll_interval: the seconds between two polls; None for a quarter of a second at
            first, then more and more up to five.
        :param poll_delay_function: called with the seconds to sleep, ``time.sleep`` by default.
            Exceptions that it raises end the wait.
        :param fail_on_unexpected_state: whether a node in another stable state is a failure.
        :param listener: told what each poll has seen.
        :raises ValidationError: if there is no such state.
        :raises StateTransitionFailed: if a node is in a failed state or another stable state.
        :raises StateTransitionTimeout: if the time is over.
        """
        from baremetalclient.v1.node.actions import provision_state

        expected = arguments.text(expected_state, "expected_state").lower()
        arguments.check_value("provision state", expected, STATES)
        goal = provision_state(expected, stable_fails=fail_on_unexpected_state)
        waiting = _identifiers(node_ident)
        states: dict[str, str] = {}
        listener = listener or Listener()

        def fetch(limit: float | None) -> dict[str, Node]:
            options: CallOptions = {"deadline": limit, **call}
            found = {node: self._get(node, goal.fields, **options) for node in waiting}
            return cast("dict[str, Node]", found)

        poller = Poller(fetch, timeout=timeout, interval=poll_interval, sleep=poll_delay_function)
        for found in poller:
            for name, node in found.items():
                states[name] = node.provision_state
                seen = Target(name, vars(node).get("name"))
                listener.seen(seen, vars(node), goal.state_field, poller.seconds)
                verdict = goal.verdict(vars(node))
                if verdict.outcome == "reached":
                    waiting.remove(name)
                elif verdict.outcome == "failed":
                    raise _failure(name, node, expected, verdict.reason)
            listener.polled()
            if not waiting:
                return
        named = ", ".join(f"{name} (now {states.get(name)!r})" for name in waiting)
        raise exc.StateTransitionTimeout(
            f"Node(s) failed to reach state {expected!r} in {timeout} seconds: {named}. "
            "They may still get there."
        )


def node_fetcher(
    nodes: manager.Manager[Any],
    fields: Collection[str] | None,
    filters: Mapping[str, Any] | None = None,
    call: CallOptions | None = None,
    needed: Collection[str] = (),
) -> Fetcher:
    """Return what fetches the present state of nodes.

    :param nodes: the manager of nodes.
    :param fields: the fields to fetch besides those that a wait needs, None for all.
    :param needed: fields to fetch besides, as far as the version in use has them.
    :param filters: arguments of ``client.node.list`` that all these nodes match.
    :param call: the options of every call.
    """
    needed = (*_NEEDED, *needed)
    return fetcher_of(nodes, NODE, fields, needed=needed, filters=filters, call=call)


def watch_polls(
    nodes: manager.Manager[Any],
    several: str | Node | Iterable[str | Node] | None,
    select: str | Sequence[str] | None,
    timeout: float,
    call: CallOptions,
) -> Iterator[list[NodeEvent]]:
    """Yield what each poll has seen, which may be nothing; see `NodeManager.watch`."""
    from baremetalclient._bulk.watch import events_of

    if several is not None and select is not None:
        raise exc.ValidationError("Watch either nodes or those of a selection, and not both.")
    if several is not None:
        fetch = _named_nodes(nodes, _identifiers(several), call)
    else:
        fetch = _selected_nodes(nodes, [select] if isinstance(select, str) else select or (), call)
    return events_of(Poller(fetch, timeout=timeout), WATCHED, _HINT)


def _named_nodes(
    nodes: manager.Manager[Any], idents: list[str], call: CallOptions
) -> Callable[[float | None], list[Item]]:
    fetcher = fetcher_of(nodes, NODE, (), needed=(*_NEEDED, *WATCHED, _HINT), call=call)
    missing_allowed = False

    def fetch(limit: float | None) -> list[Item]:
        nonlocal missing_allowed
        nodes.http.negotiated_version()  # which fields there are
        found = fetcher(idents, limit)
        for ident, node in found.items():
            if node is None and not missing_allowed:
                raise exc.NotFound(f"There is no node {ident!r}.", http_status=404)
        missing_allowed = True
        return [node for node in found.values() if node is not None]

    return fetch


def _selected_nodes(
    nodes: manager.Manager[Any], expressions: Iterable[str], call: CallOptions
) -> Callable[[float | None], list[Item]]:
    from baremetalclient.v1.expressions import selection

    selected = selection(nodes.resource_type, expressions)
    filters = {
        name: value for name, value in selected.filters.items() if name not in _CHANGING_FILTERS
    }
    needed = (*_NEEDED, *WATCHED, _HINT)
    fetcher = fetcher_of(nodes, NODE, selected.fields, needed=needed, filters=filters, call=call)
    watched: set[str] = set()

    def fetch(limit: float | None) -> list[Item]:
        nodes.http.negotiated_version()  # which fields there are
        found = [
            node for node in fetcher.all(limit) if node["uuid"] in watched or selected.matches(node)
        ]
        watched.update(node["uuid"] for node in found)
        return found

    return fetch


def _identifiers(nodes: str | Node | Iterable[str | Node]) -> list[str]:
    from baremetalclient._bulk.action import targets_of

    return [target.ident for target in targets_of(nodes, "node")]


def _failure(
    node: str, found: Node, expected: str, reason: str | None
) -> exc.StateTransitionFailed:
    state = found.provision_state
    kind = "failed" if NODE.failed(vars(found)) else "stable"
    because = f", because of: {reason}" if reason else ""
    return exc.StateTransitionFailed(
        f"Node {node} failed to reach state {expected!r}. It is in the {kind} state "
        f"{state!r}{because}.",
        state=state,
        reason=reason,
    )
