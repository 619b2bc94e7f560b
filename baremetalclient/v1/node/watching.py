"""Watching the states of nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from baremetalclient import exc
from baremetalclient._resource.polling import Polls
from baremetalclient._resource.waiters import poll_deadline
from baremetalclient.v1.node import conditions
from baremetalclient.v1.node.schema import RESOURCE_TYPE
from baremetalclient.v1.node.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient._resource.condition_waits import Item
    from baremetalclient._resource.manager import Manager
    from baremetalclient.v1.node import Node
    from baremetalclient.v1.objects import FieldChange, NodeEvent

WATCHED = (
    "provision_state",
    "target_provision_state",
    "power_state",
    "maintenance",
    "fault",
    "last_error",
    "instance_uuid",
    "reservation",
)
"""The fields whose changes are events."""

_HINT = "provision_updated_at"
"""It shows that there were changes even if the states are the same again. ``updated_at`` would show
more, but only detailed lists have it."""

_CHANGING_FILTERS = ("provision_state", "maintenance", "fault", "associated")
"""The filters by what is watched: a node that no longer matches them is watched on."""

_Seen = Callable[[float | None], "list[Item]"]


def watch(
    manager: Manager[Any],
    nodes: str | Node | Iterable[str | Node] | None,
    select: str | Sequence[str] | None,
    timeout: float,
    call: CallOptions,
) -> Iterator[NodeEvent]:
    """Yield what happens to nodes; see `NodeManager.watch`."""
    polls = watch_polls(manager, nodes, select, timeout, call)
    return (event for events in polls for event in events)


def watch_polls(
    manager: Manager[Any],
    nodes: str | Node | Iterable[str | Node] | None,
    select: str | Sequence[str] | None,
    timeout: float,
    call: CallOptions,
) -> Iterator[list[NodeEvent]]:
    """Yield what each poll has seen, which may be nothing; see `NodeManager.watch`."""
    if nodes is not None and select is not None:
        raise exc.ValidationError("Watch either nodes or those of a selection, and not both.")
    if nodes is not None:
        fetch = _fetch_named(manager, conditions.identifiers(nodes), call)
    else:
        expressions = [select] if isinstance(select, str) else (select or ())
        fetch = _fetch_selected(manager, Selection.parse(expressions), call)
    return _compared(Polls(lambda passed: fetch(poll_deadline(timeout, passed)), timeout))


def _compared(polls: Polls[list[Item]]) -> Iterator[list[NodeEvent]]:
    known: dict[str, Item] = {}
    new: Literal["present", "added"] = "present"
    for found in polls:
        events = []
        happened = False
        for node in sorted(found, key=lambda node: node["name"] or node["uuid"]):
            before = known.get(node["uuid"])
            known[node["uuid"]] = node
            if before is None:
                fields = {name: _change(None, node.get(name)) for name in WATCHED}
                events.append(_event(new, node, fields))
                continue
            fields = {
                name: _change(before.get(name), node.get(name))
                for name in WATCHED
                if before.get(name) != node.get(name)
            }
            happened = happened or bool(fields) or before.get(_HINT) != node.get(_HINT)
            if fields:
                events.append(_event("changed", node, fields))
        left = {node["uuid"] for node in found}
        for node in [node for uuid, node in known.items() if uuid not in left]:
            del known[node["uuid"]]
            last = {name: _change(node[name], None) for name in WATCHED if node.get(name)}
            events.append(_event("removed", node, last))
        if happened:
            polls.hurry()
        new = "added"
        yield events


def _event(
    event: Literal["present", "changed", "added", "removed"],
    node: Item,
    fields: dict[str, FieldChange],
) -> NodeEvent:
    return {
        "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "name": node["name"],
        "uuid": node["uuid"],
        "event": event,
        "fields": fields,
    }


def _change(old: Any, new: Any) -> FieldChange:
    return {"old": old, "new": new}


def _fetch_named(manager: Manager[Any], idents: list[str], call: CallOptions) -> _Seen:
    poll = conditions.poller(manager, _fields(manager), call=call)
    missing_allowed = False

    def fetch(deadline: float | None) -> list[Item]:
        nonlocal missing_allowed
        found = poll(idents, deadline)
        for ident, node in found.items():
            if node is None and not missing_allowed:
                raise exc.NotFound(f"There is no node {ident!r}.", http_status=404)
        missing_allowed = True
        return [node for node in found.values() if node is not None]

    return fetch


def _fetch_selected(manager: Manager[Any], selection: Selection, call: CallOptions) -> _Seen:
    filters = {
        name: value for name, value in selection.filters.items() if name not in _CHANGING_FILTERS
    }
    watched: set[str] = set()

    def fetch(deadline: float | None) -> list[Item]:
        fields = dict.fromkeys((*_fields(manager), *selection.fields))
        chosen: dict[str, Any] = (
            {"detail": True} if selection.detailed else {"fields": ["uuid", "name", *fields]}
        )
        nodes = manager._iterate(**{**filters, **chosen, "deadline": deadline, **call})
        found = [node for node in nodes if node.uuid in watched or selection.matches(node)]
        watched.update(node.uuid for node in found)
        return [vars(node) for node in found]

    return fetch


def _fields(manager: Manager[Any]) -> list[str]:
    """Return the watched fields that the version in use has."""
    version = manager.http.negotiated_version()
    return [name for name in (*WATCHED, _HINT) if RESOURCE_TYPE.by_name[name].since <= version]
