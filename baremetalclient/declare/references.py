"""References between resources of a lab, and the uniqueness of identities and names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient.declare.kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from baremetalclient.declare.kinds import Kind
    from baremetalclient.declare.lab import Item, Lab

_ANY_CASE = ("uuid", "address")


def problems(lab: Lab) -> Iterator[str]:
    """Yield the problems of the resources of a lab as a whole.

    :param lab: the lab, with all its files.
    """
    for key, kind in KINDS.items():
        items = lab.all(key)
        for item in items:
            if not item.identity:
                needed = " or ".join(" and ".join(names) for names in kind.identity)
                yield f"{item.place} needs {needed}, which identifies it"
        for names in _unique(kind):
            yield from _duplicates(items, names)
    for port in lab.all("ports"):
        name = port.fields.get("portgroup")
        if name is not None and port.portgroup is None:
            yield f"{port.place}.portgroup is {name!r}, but the node has no such port group"


def _unique(kind: Kind) -> list[tuple[str, ...]]:
    own = [("uuid",), ("name",), ("address",)]
    return list(dict.fromkeys([*(one for one in own if one[0] in kind.known), *kind.identity]))


def _duplicates(items: list[Item], names: tuple[str, ...]) -> Iterator[str]:
    seen: dict[tuple[Hashable, ...], Item] = {}
    for item in items:
        values = [item.fields.get(name) for name in names]
        # Descriptions may be the same where something else tells resources apart.
        if None in values or (names == ("description",) and item.identity != names):
            continue
        scope = id(item.node) if names == ("boot_index",) else None
        same = map(folded, names, map(str, values))
        first = seen.setdefault((scope, *same), item)
        if first is not item:
            shown = ", ".join(map(repr, values))
            yield f"{item.place}: {' and '.join(names)} {shown} is in {first.place} already"


def folded(name: str, value: Any) -> Any:
    """Return a value so that equal ones are the same resource: UUIDs and MAC addresses ignore case.

    :param name: the name of the field.
    :param value: its value.
    """
    return value.lower() if name in _ANY_CASE and isinstance(value, str) else value
