"""Watching resources: what has changed from one poll to the next."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from baremetalclient._bulk.poller import Poller
    from baremetalclient._resource.resource import Item


def events_of(poller: Poller[list[Item]], watched: Sequence[str], hint: str) -> Iterator[list[Any]]:
    """Yield what each poll has seen, which may be nothing.

    :param poller: returns all resources that are watched.
    :param watched: the fields whose changes are events.
    :param hint: a field that shows that there were changes even if the others are the same again.
    :returns: lists of events, each with ``at``, ``name``, ``uuid``, ``event`` and ``fields``.
    """
    known: dict[str, Item] = {}
    new = "present"
    for found in poller:
        events = []
        happened = False
        for item in sorted(found, key=lambda item: item["name"] or item["uuid"]):
            before = known.get(item["uuid"])
            known[item["uuid"]] = item
            if before is None:
                fields = {name: _change(None, item.get(name)) for name in watched}
                events.append(_event(new, item, fields))
                continue
            fields = {
                name: _change(before.get(name), item.get(name))
                for name in watched
                if before.get(name) != item.get(name)
            }
            happened = happened or bool(fields) or before.get(hint) != item.get(hint)
            if fields:
                events.append(_event("changed", item, fields))
        left = {item["uuid"] for item in found}
        for item in [item for uuid, item in known.items() if uuid not in left]:
            del known[item["uuid"]]
            last = {name: _change(item[name], None) for name in watched if item.get(name)}
            events.append(_event("removed", item, last))
        if happened:
            poller.hurry()
        new = "added"
        yield events


def _event(event: str, item: Item, fields: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "name": item["name"],
        "uuid": item["uuid"],
        "event": event,
        "fields": fields,
    }


def _change(old: Any, new: Any) -> dict[str, Any]:
    return {"old": old, "new": new}
