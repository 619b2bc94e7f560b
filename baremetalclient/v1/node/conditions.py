"""Waiting until conditions hold for nodes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._resource.condition_waits import Kind, ListPoller, wait_for_each
from baremetalclient._resource.conditions import Condition
from baremetalclient._resource.resource import Resource, identifier_of
from baremetalclient.v1.node.features import CHILDREN
from baremetalclient.v1.node.schema import NOT_LISTED, RESOURCE_TYPE

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient._resource.condition_waits import Item
    from baremetalclient._resource.manager import Manager
    from baremetalclient._resource.results import Result
    from baremetalclient.v1.node import Node

NODE = Kind("node", "provision_state")

_MOST_NAMED = 10
"""The maximum number of nodes that a message names."""

_NEEDED_FIELDS = ("uuid", "name", "provision_state", "target_provision_state", "last_error")


def parse(*texts: str) -> Condition:
    """Return a condition for nodes.

    :param texts: see :meth:`.Condition.parse`.
    :raises ValidationError: if a text is no condition, or has a field that nodes do not have.
    """
    return Condition.parse(*texts, known=[field.name for field in RESOURCE_TYPE.shown_fields])


def identifiers(nodes: str | Node | Iterable[str | Node]) -> list[str]:
    """Return the identifiers of one or more nodes.

    :raises InvalidType: if the argument is none of these.
    """
    several = [nodes] if isinstance(nodes, str | Resource) else nodes
    if not isinstance(several, Iterable):
        raise exc.InvalidType(f"Expected a node or several, and not {nodes!r}.")
    return list(dict.fromkeys(identifier_of(node) for node in several))


def poller(
    manager: Manager[Any],
    fields: Collection[str] | None,
    filters: Mapping[str, Any] | None = None,
    call: CallOptions | None = None,
) -> ListPoller:
    """Return a function that polls nodes.

    :param manager: the manager of nodes.
    :param fields: the fields to fetch besides those that a wait needs, None for all.
    :param filters: arguments of ``client.node.list`` that all these nodes match.
    :param call: the options of every call.
    """
    wanted: list[str] | None = None
    if fields is not None and NOT_LISTED.isdisjoint(fields):
        wanted = list(dict.fromkeys((*_NEEDED_FIELDS, *fields)))

    def options(deadline: float | None) -> dict[str, Any]:
        return {"deadline": deadline, **(call or {})}

    def known() -> list[str] | None:
        """Return the fields without those needed ones that the version in use lacks."""
        version = manager.http.version()
        lacking = {field.name for field in RESOURCE_TYPE.fields if field.since > version}
        return wanted and [name for name in wanted if name not in lacking - set(fields or ())]

    def fetch_all(deadline: float | None) -> Iterator[Item]:
        given = {**(filters or {}), **options(deadline)}
        if manager.http.negotiated_version() >= CHILDREN.since:
            given["include_children"] = True
        found = manager._iterate(detail=wanted is None, fields=known(), **given)
        return (vars(node) for node in found)

    def fetch(ident: str, deadline: float | None) -> Item:
        found: Item = vars(manager._get(ident, known(), **options(deadline)))
        return found

    return ListPoller(NODE, ("uuid", "name"), fetch_all, fetch, complete=not filters)


def wait_for(
    manager: Manager[Any],
    nodes: str | Node | Iterable[str | Node],
    condition: str | Callable[[Node], object],
    timeout: float,
    call: CallOptions,
) -> list[Result]:
    """Wait until a condition holds for nodes; see `NodeManager.wait_for`."""
    fields: Collection[str] | None = None
    checked: Condition | _Function
    if isinstance(condition, str):
        checked = parse(condition)
        fields = checked.fields
    else:
        checked = _Function(manager, condition)
    idents = identifiers(nodes)
    poll = poller(manager, fields, call=call)
    found: dict[str, Result] = {}
    for ident, result in wait_for_each(NODE, idents, poll, checked, timeout=timeout):
        if result.result == "failed":
            raise exc.StateTransitionFailed(
                f"Node {ident}: {result.error}", state=result.state, reason=result.error
            )
        found[ident] = result
    late = [ident for ident, result in found.items() if result.result == "timeout"]
    if late:
        named = ", ".join(f"{ident} (now {found[ident].state!r})" for ident in late[:_MOST_NAMED])
        if len(late) > _MOST_NAMED:
            named += f" and {len(late) - _MOST_NAMED} more"
        raise exc.StateTransitionTimeout(
            f"The condition does not hold for node(s) {named} after {timeout:g} seconds.",
            state=found[late[0]].state,
        )
    return [found[ident] for ident in idents]


class _Function:
    """A condition that a program has written."""

    def __init__(self, manager: Manager[Any], function: Callable[[Any], object]) -> None:
        self._manager = manager
        self._function = function

    def holds(self, item: Item | None) -> bool:
        if item is None:
            return False
        return bool(self._function(self._manager.resource_class(self._manager, item)))

    def names_state(self, state: str) -> bool:
        return False
