"""Calls for many nodes: selecting them, and acting on all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from baremetalclient import exc
from baremetalclient._http import urls
from baremetalclient._resource import manager
from baremetalclient._resource.resource import ResourceT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Literal, Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient._resource.results import Result
    from baremetalclient.v1.node import Node, NodeManager


class NodeFleet(manager.Manager[ResourceT]):
    """Calls for many nodes."""

    def select(
        self,
        *expressions: str,
        fields: Sequence[str] = (),
        **call: Unpack[CallOptions],
    ) -> list[ResourceT]:
        """Return the nodes that match at least one expression, sorted by name.

        The server is asked for as much as its filters can do, in one pass over the list; the rest
        is compared here. Nodes without a name are sorted by UUID.

        :param expressions: what to select, see :meth:`.Selection.parse`; all nodes without any.
        :param fields: other fields to fetch besides ``uuid``, ``name`` and those compared.
        :raises ValidationError: if an expression is wrong; nothing is sent.
        """
        from baremetalclient.v1.node.selection import Selection

        selection = Selection.parse(expressions)
        named = urls.comma_separated(fields, "field name")
        wanted = dict.fromkeys(("uuid", "name", *selection.fields, *named))
        filters, detail = selection.filters, selection.detailed
        chosen = None if detail else list(wanted)
        try:
            found: list[Any] = self._list(filters, limit=0, detail=detail, fields=chosen, **call)
        except exc.NotFound as error:
            # The server knows no such chassis; other filters just find nothing.
            if filters.get("chassis", "/") not in str(error):
                raise
            return []
        return sorted(filter(selection.matches, found), key=lambda node: node.name or node.uuid)

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
    ) -> Iterator[Result]:
        """Do the same with many nodes, several at a time, and yield the result for each.

        Results come as soon as they are known, those of nodes that were not started at the end.
        Closing the iterator, or Ctrl-C, starts nothing more and waits for the requests that run.
        A wait takes one list request per poll for all nodes.

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
        :returns: results; the state is known only after a wait.
        :raises ValidationError: if an argument is wrong; nothing is sent.
        :raises TypeError: if the method for one node does not take an argument, or needs another.
        """
        from baremetalclient._resource.waiters import check_seconds
        from baremetalclient.v1.node.acting import Action, resolved, targets_of
        from baremetalclient.v1.node.verbs import find_verb

        action = find_verb(verb)
        action.check(arguments)
        if on_error not in ("continue", "stop"):
            raise exc.ValidationError(f"on_error is 'continue' or 'stop', not {on_error!r}.")
        if wait and action.goal is None:
            raise exc.ValidationError(f"There is no single state to wait for after {verb!r}.")
        check_seconds(timeout, "timeout")
        node_manager = cast("NodeManager", self)
        targets = targets_of(nodes)
        work = Action(
            node_manager,
            resolved(node_manager, targets),
            lambda target: action(node_manager, target.ident, arguments),
            goal=action.goal if wait else None,
            parallel=parallel,
            max_failures=1 if on_error == "stop" else max_failures,
            timeout=timeout,
            state_field=action.state_field,
        )
        return (result for _, result in work.results())
