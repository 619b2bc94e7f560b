"""Files that describe a lab: what python-ironicclient's ``create`` takes, and more.

They are the seeds of the fake server. What a real Ironic can't be given is left out.
"""

from __future__ import annotations

import argparse
import importlib
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient.osc import argument_types

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from baremetalclient._resource.schema import ResourceType


@dataclass(frozen=True)
class Kind:
    """A kind of resource in a file.

    :param name: that of its manager.
    :param nested: the keys of the lists of what belongs to it, in the order of creation.
    :param links: what a file may say of it that becomes something else.
    :param changes: fields that can be set only when it is there.
    :param others: what the fake server keeps of it, and Ironic doesn't take.
    """

    name: str
    nested: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def schema(self) -> ResourceType:
        """The fields of its resources."""
        found: ResourceType = importlib.import_module(
            f"baremetalclient.v1.{self.name}"
        ).RESOURCE_TYPE
        return found

    @property
    def parent_field(self) -> str:
        """The field of what is nested in it that names it."""
        return f"{self.name}_uuid"


KINDS: Mapping[str, Kind] = {
    "chassis": Kind("chassis", nested=("nodes",)),
    "nodes": Kind(
        "node",
        nested=("portgroups", "ports", "volume_connectors", "volume_targets"),
        links=("traits",),
        changes=("instance_info", "maintenance", "retired", "retired_reason"),
        others=("machine", "history", "bios", "firmware", "inventory"),
    ),
    "portgroups": Kind("portgroup", nested=("ports",)),
    "ports": Kind("port", links=("portgroup",)),
    "volume_connectors": Kind("volume_connector"),
    "volume_targets": Kind("volume_target"),
    "deploy_templates": Kind("deploy_template"),
    "runbooks": Kind("runbook", links=("traits",)),
    "inspection_rules": Kind("inspection_rule"),
    "allocations": Kind("allocation", links=("state", "last_error")),
}
"""The kinds of resources by the key of their list."""

LISTS = ("chassis", "nodes", "deploy_templates", "runbooks", "inspection_rules", "allocations")
"""The lists of a file, in the order of creation."""

OTHER_LISTS = (
    *("projects", "users", "networks", "trunks", "network_agents", "network_quotas"),
    *("images", "volume_types"),
    *("volumes", "flavors", "keypairs", "servers"),
)
"""The lists of what isn't Ironic's."""

_TYPES: dict[str, tuple[type, str]] = {
    "string": (str, "text"),
    "uuid": (str, "text"),
    "object": (dict, "an object"),
    "list": (list, "a list"),
}
"""The Python type of values of a field by the field's type, and its name in messages."""

_MAC_ADDRESSES = ("address", "switch_id")
_MOST = 1_000_000
_PATTERN = re.compile(r"\{(index|number)(?::(mac|0?[0-9]{0,2}[dxX]?))?\}")


@dataclass
class Item:
    """A resource to be created.

    :param fields: what it is created with.
    :param changes: what is set when it is there.
    :param links: the rest of what the file says of it.
    :param nested: what belongs to it, by the key of the list.
    """

    kind: Kind
    fields: dict[str, Any] = field(default_factory=dict)
    changes: dict[str, Any] = field(default_factory=dict)
    links: dict[str, Any] = field(default_factory=dict)
    nested: dict[str, list[Item]] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """What a file can call it."""
        found = (self.fields.get(name) for name in ("name", "uuid", "address"))
        return [name for name in found if name]

    @property
    def label(self) -> str:
        """What messages call it."""
        return f"{self.kind.name} {next(iter(self.names), 'without a name')}"


class LabFile:
    """A file, read and checked.

    :param name: its name.
    :raises CommandError: if it can't be read, or isn't an object with known lists.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        #: What is wrong with it.
        self.problems: list[str] = []
        self._left_out: dict[str, None] = {}
        self.items: dict[str, list[Item]] = {}
        content = _load(name)
        for key in LISTS:
            self.items[key] = self._read(key, content.get(key) or [], key, {}, {})
        self._left_out |= dict.fromkeys(key for key in OTHER_LISTS if content.get(key))

    @property
    def left_out(self) -> str:
        """What a real Ironic can't be given, in words."""
        return ", ".join(self._left_out)

    def _read(
        self, key: str, items: Any, place: str, parents: Mapping[str, Any], numbers: dict[str, int]
    ) -> list[Item]:
        """Return the resources of a list, and note each value that cannot be right.

        :param place: where the list is.
        :param parents: the fields that name the resources around it, and the UUIDs given for these.
        :param numbers: those of the resources around it.
        """
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            self.problems.append(f"{place} has to be a list of objects")
            return []
        found = []
        variable = "index" if place in LISTS else "number"
        for position, item in enumerate(items):
            here = f"{place}[{position}]"
            for entry, mine in self._expanded(item, here, variable, numbers):
                made = self._item(key, entry, here, parents, mine)
                if key != "allocations" or self._is_open(made):
                    found.append(made)
        return found

    def _expanded(
        self, item: dict[str, Any], place: str, variable: str, numbers: dict[str, int]
    ) -> Iterator[tuple[dict[str, Any], dict[str, int]]]:
        """Yield what an item with ``count`` stands for, each with its numbers."""
        if "count" not in item:
            yield item, numbers
            return
        count, start = item["count"], item.get("start", 0)
        if not all(type(value) is int and 0 <= value <= _MOST for value in (count, start)):
            self.problems.append(f"{place}: count and start have to be numbers from 0 to {_MOST}")
            return
        rest = {name: value for name, value in item.items() if name not in ("count", "start")}
        for number in range(start, start + count):
            yield rest, {**numbers, variable: number}

    def _item(
        self,
        key: str,
        item: dict[str, Any],
        place: str,
        parents: Mapping[str, Any],
        numbers: dict[str, int],
    ) -> Item:
        kind = KINDS[key]
        made, schema = Item(kind), kind.schema
        for name, value in item.items():
            here = f"{place}.{name}"
            if name in kind.nested:
                around = {kind.parent_field: item.get("uuid")}
                if kind.name == "portgroup":
                    around |= parents
                made.nested[name] = self._read(name, value or [], here, around, numbers)
            elif name in parents:
                if value != parents[name]:
                    nested = repr(parents[name]) if parents[name] else "another resource"
                    self.problems.append(
                        f"{here} is {value!r}, but the {kind.name} is nested in {nested}"
                    )
            elif name in kind.links:
                made.links[name] = _filled(value, numbers)
            elif name in schema.creatable_names:
                self.problems += _value_problems(value, schema.by_name[name].type, here)
                made.fields[name] = _filled(value, numbers)
            elif name in kind.changes:
                made.changes[name] = _filled(value, numbers)
            elif name in schema.by_name or name in kind.others:
                made.links[name] = value
                self._left_out[f"{name} of {key}"] = None
            else:
                known = [*schema.creatable_names, *kind.nested, *kind.links]
                self.problems.append(
                    f"{here} is unknown. A {kind.name} has the fields {', '.join(known)}"
                )
        return made

    def _is_open(self, item: Item) -> bool:
        """Tell whether an allocation still wants a node: no node here is deployed for one."""
        if item.fields.get("node") or item.links.get("state") not in (None, "allocating"):
            self._left_out["allocations that are no longer open"] = None
            return False
        return True


def _load(name: str) -> dict[str, Any]:
    if not name.endswith((".json", ".yaml")):
        raise exc.CommandError(f"Invalid file name {name!r}: it has to end with .json or .yaml.")
    try:
        content = argument_types.parse_json_or_yaml(argument_types.read_text(name), name)
    except argparse.ArgumentTypeError as error:
        raise exc.CommandError(str(error)) from error
    lists_of_objects = isinstance(content, dict) and all(
        key in (*LISTS, *OTHER_LISTS)
        and isinstance(items, list)
        and all(isinstance(item, dict) for item in items)
        for key, items in content.items()
    )
    if not lists_of_objects:
        raise exc.CommandError(
            f"Invalid content of {name!r}. An object with lists of {', '.join(LISTS)}, or some of "
            "them, is needed."
        )
    checked: dict[str, Any] = content
    return checked


def _value_problems(value: Any, kind: str, place: str) -> Iterator[str]:
    name = place.rpartition(".")[2]
    if name in _MAC_ADDRESSES and isinstance(value, int):
        yield (
            f"{place} is the number {value}, which is what an unquoted MAC address is in YAML. "
            f"Quote it: '{_mac_address(value)}'"
        )
    elif value is not None and kind in _TYPES and not isinstance(value, _TYPES[kind][0]):
        quote = f". Quote it: '{value}'" if kind == "string" and not _is_nested(value) else ""
        yield f"{place} has to be {_TYPES[kind][1]}, not {value!r}{quote}"
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _value_problems(inner, "", f"{place}.{key}")


def _is_nested(value: Any) -> bool:
    return isinstance(value, dict | list)


def _mac_address(number: int) -> str:
    """Return the text that YAML has read as a number with the base 60."""
    groups = []
    for _ in range(5):
        number, group = divmod(number, 60)
        groups.append(group)
    return ":".join(f"{group:02}" for group in [number, *reversed(groups)])


def _filled(value: Any, numbers: Mapping[str, int]) -> Any:
    """Return a value with numbers instead of the patterns in its texts."""
    if not numbers:
        return value
    if isinstance(value, str):
        return _PATTERN.sub(lambda found: _written(found, numbers), value)
    if isinstance(value, dict):
        return {key: _filled(item, numbers) for key, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, numbers) for item in value]
    return value


def _written(found: re.Match[str], numbers: Mapping[str, int]) -> str:
    name, form = found.groups()
    if name not in numbers:
        return found[0]
    if form == "mac":
        digits = f"{numbers[name]:06x}"
        return ":".join(digits[place : place + 2] for place in (0, 2, 4))
    return format(numbers[name], form or "d")
