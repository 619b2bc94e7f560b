"""Parse and check seeds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fake_server.common import randomness
from fake_server.common.suggestion import shortened, suggestion
from fake_server.seeds import checks, patterns, schema, services

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fake_server.seeds.resource_kind import ResourceKind

#: A seed: the path of a file, or its content.
Seed = Mapping[str, Any] | str | Path
#: The lists of a seed, each with its entries.
Entries = Mapping[str, list["Entry"]]
_LISTS = (*schema.LISTS, *services.LISTS)
_KEYS = tuple(kind.key for kind in _LISTS)


class SeedError(ValueError):
    """A seed is invalid; the message has the place and the problem."""

    def __init__(self, place: str, problem: str) -> None:
        text = f"{place}: {problem}"
        end = "" if problem.endswith("?") else "."
        super().__init__(f"Invalid seed: {shortened(text)}{end}")


@dataclass(slots=True)
class Entry:
    """One resource of a seed.

    :param place: its place in the seed.
    :param values: values by field.
    :param links: names or UUIDs of other resources, by field.
    :param children: entries that belong to it, by kind.
    """

    place: str
    values: dict[str, Any]
    links: dict[str, Any]
    traits: list[str] = field(default_factory=list)
    children: dict[str, list[Entry]] = field(default_factory=dict)


def load(seed: Seed) -> Mapping[str, Any]:
    """Return the content of a seed.

    :raises SeedError: for a file that is neither YAML nor JSON.
    :raises OSError: for a file that can't be read.
    """
    if isinstance(seed, Mapping):
        return seed
    # A server without a file of a lab needs no YAML.
    import yaml

    from fake_server.common import yaml_loader

    path = Path(seed)
    try:
        found = yaml_loader.decode(path.name, path.read_text("utf-8"))
    except (yaml.YAMLError, ValueError) as exc:
        raise SeedError(str(path), " ".join(str(exc).split())) from exc
    if not isinstance(found, Mapping):
        raise SeedError(str(path), f"it has to be an object with one or more of {', '.join(_KEYS)}")
    return found


def read(document: Mapping[str, Any]) -> Entries:
    """Return the resources of a seed; raise SeedError for the first invalid one."""
    for key in document:
        if key not in _KEYS:
            raise SeedError(str(key), f"unknown list.{suggestion(key, _KEYS, 'Known lists:')}")
    if sum(map(patterns.number_of_entries, document.values())) > patterns.MOST:
        raise SeedError("count", f"the lists have more than {patterns.MOST:,} entries in all")
    entries = {kind.key: list(_entries(kind, document, "", "index", {})) for kind in _LISTS}
    for chassis in entries["chassis"]:
        entries["nodes"] += _unnest(chassis, "nodes", "chassis_uuid")
    for node in entries["nodes"]:
        for group in node.children["portgroups"]:
            node.children["ports"] += _unnest(group, "ports", "portgroup_uuid")
        for entry in (one for found in node.children.values() for one in found):
            _check_link(entry, "node_uuid", node.values.get("uuid"))
    return entries


def _unnest(outer: Entry, key: str, link: str) -> list[Entry]:
    """Remove nested entries from a resource and return them, with links to it."""
    found = outer.children.pop(key)
    if found:
        outer.values["uuid"] = outer.values.get("uuid") or randomness.uuid()
    for entry in found:
        _check_link(entry, link, outer.values["uuid"])
        entry.links[link] = outer.values["uuid"]
    return found


def _check_link(entry: Entry, link: str, uuid: str | None) -> None:
    """Raise SeedError if a nested entry names another resource than the one it is nested in."""
    if entry.links.get(link) not in (None, uuid):
        problem = f"is {entry.links[link]!r}, but it is nested in another resource"
        raise SeedError(f"{entry.place}.{link}", problem)


def _entries(
    kind: ResourceKind,
    owner: Mapping[str, Any],
    place: str,
    variable: str,
    numbers: Mapping[str, int],
) -> Iterator[Entry]:
    items = owner.get(kind.key)
    if items is None:
        return
    if not isinstance(items, list):
        raise SeedError(f"{place}{kind.key}", f"has to be a list, not {items!r}")
    for position, item in enumerate(items):
        here = f"{place}{kind.key}[{position}]"
        if not isinstance(item, Mapping):
            raise SeedError(here, f"has to be an object, not {item!r}")
        try:
            for values, mine in patterns.expand(item, variable, numbers):
                counted = f" ({variable} {mine[variable]})" if "count" in item else ""
                yield _entry(kind, values, f"{here}{counted}", mine)
        except SeedError:
            raise
        except ValueError as exc:
            raise SeedError(here, str(exc)) from exc


def _entry(
    kind: ResourceKind, item: dict[str, Any], place: str, numbers: Mapping[str, int]
) -> Entry:
    lists = [child.key for child in kind.children]
    if kind.traits is not None:
        lists.append("traits")
    known = {**kind.fields, **kind.links}
    values: dict[str, Any] = {}
    links: dict[str, Any] = {}
    for name, value in item.items():
        if name in lists:
            continue
        if name not in known:
            hint = suggestion(name, [*known, *lists, "count"], "Known fields:")
            raise SeedError(f"{place}.{name}", f"unknown field.{hint}")
        problem = known[name](value)
        if problem is not None:
            raise SeedError(f"{place}.{name}", problem)
        (values if name in kind.fields else links)[name] = value
    for name in kind.required:
        if values.get(name) is None:
            raise SeedError(place, f"{name} is missing")
    entry = Entry(place, values, links)
    if kind.traits is not None:
        entry.traits = _traits(item.get("traits", []), f"{place}.traits")
    for child in kind.children:
        found = _entries(child, item, f"{place}.", "number", numbers)
        entry.children[child.key] = list(found)
    return entry


def _traits(value: Any, place: str) -> list[str]:
    problem = checks.traits(value)
    if problem is not None:
        raise SeedError(place, problem)
    return sorted(set(value))
