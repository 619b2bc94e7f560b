"""The command that creates resources from files."""

from __future__ import annotations

import argparse
import importlib
from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient.osc import argument_types
from baremetalclient.osc.command import Command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from baremetalclient.osc.parser import ArgumentParser

Items = list[dict[str, Any]]

_NESTED = {"chassis": ("nodes",), "node": ("portgroups", "ports"), "portgroup": ("ports",)}
"""The keys of the nested resources of each type in a file, in the order of creation."""

_KINDS = {"chassis": "chassis", "nodes": "node", "portgroups": "portgroup", "ports": "port"}
_PARENT_FIELDS = {"chassis": "chassis_uuid", "node": "node_uuid", "portgroup": "portgroup_uuid"}
_TYPES: dict[str, tuple[type, str]] = {
    "string": (str, "text"),
    "uuid": (str, "text"),
    "object": (dict, "an object"),
    "list": (list, "a list"),
}
"""The Python type of values of a field by the field's type, and its name in messages."""

_MAC_ADDRESSES = ("address", "switch_id")


class CreateBaremetal(Command):
    """Create chassis and nodes, with their port groups and ports, from files."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the files."""
        parser.add_argument(
            "resource_files",
            metavar="<file>",
            nargs="+",
            help="File of JSON or YAML (.json or .yaml) with a list of 'chassis', a list of "
            "'nodes', or both.",
        )

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        """Read all files, then create the resources; if one fails, go on with the others.

        :raises CommandError: if anything in any file is wrong; nothing is created.
        """
        contents = [_load(name) for name in parsed_args.resource_files]
        problems = [
            f"{name}: {problem}"
            for name, content in zip(parsed_args.resource_files, contents, strict=True)
            for key, items in content.items()
            for problem in _problems(key, items, key, {})
        ]
        if problems:
            raise exc.CommandError("\n".join([*problems, "Nothing was created."]))
        failures = [
            self._create_all(key, items, {})
            for content in contents
            for key in ("chassis", "nodes")
            for items in [content.get(key, [])]
        ]
        return int(any(failures))

    def _create_all(self, key: str, items: Items, parents: dict[str, str]) -> int:
        return sum(self._create(_KINDS[key], item, parents) for item in items)

    def _create(self, kind: str, item: dict[str, Any], parents: dict[str, str]) -> int:
        """Create a resource and its nested resources, and return the number of failures."""
        nested = _NESTED.get(kind, ())
        fields = {name: value for name, value in item.items() if name not in {*nested, *parents}}
        name = fields.get("name") or fields.get("uuid") or fields.get("address") or "without a name"
        try:
            created = getattr(self.client, kind).create(**fields, **parents)
        except exc.ClientException as error:
            self.report_error(f"Failed to create {kind} {name}", error)
            return 1
        self.report(f"Created {kind} {created.uuid}")
        own = {_PARENT_FIELDS[kind]: created.uuid} if kind in _PARENT_FIELDS else {}
        # Ports of a port group belong to its node too.
        below = {**parents, **own} if kind == "portgroup" else own
        return sum(self._create_all(key, item.get(key) or [], below) for key in nested)


def _load(name: str) -> dict[str, Items]:
    if not name.endswith((".json", ".yaml")):
        raise exc.CommandError(f"Invalid file name {name!r}: it has to end with .json or .yaml.")
    try:
        content = argument_types.parse_json_or_yaml(argument_types.read_text(name), name)
    except argparse.ArgumentTypeError as error:
        raise exc.CommandError(str(error)) from error
    lists_of_objects = isinstance(content, dict) and all(
        key in ("chassis", "nodes")
        and isinstance(items, list)
        and all(isinstance(item, dict) for item in items)
        for key, items in content.items()
    )
    if not lists_of_objects:
        raise exc.CommandError(
            f"Invalid content of {name!r}. An object with a list of 'chassis', a list of 'nodes', "
            "or both is needed."
        )
    checked: dict[str, Items] = content
    return checked


def _problems(key: str, items: Any, place: str, parents: dict[str, Any]) -> Iterator[str]:
    """Yield a message for each value that cannot be right, with its place in the file.

    :param key: the key of the list of resources.
    :param items: the list.
    :param place: where it is.
    :param parents: the fields that name the resources around it, and the UUIDs given for these.
    """
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        yield f"{place} has to be a list of objects"
        return
    kind = _KINDS[key]
    nested = _NESTED.get(kind, ())
    known = importlib.import_module(f"baremetalclient.v1.{kind}").RESOURCE_TYPE
    for number, item in enumerate(items):
        here = f"{place}[{number}]"
        for name, value in item.items():
            if name in parents and value != parents[name]:
                yield (
                    f"{here}.{name} is {value!r}, but the {kind} is nested in {parents[name]!r}"
                    if parents[name]
                    else f"{here}.{name} is {value!r}, but the {kind} is nested in another resource"
                )
            elif name in nested:
                below = {_PARENT_FIELDS[kind]: item.get("uuid")}
                if kind == "portgroup":
                    below |= parents
                yield from _problems(name, value or [], f"{here}.{name}", below)
            elif name not in known.creatable_names:
                yield (
                    f"{here}.{name} is unknown. A {kind} has the fields "
                    f"{', '.join([*known.creatable_names, *nested])}"
                )
            else:
                yield from _value_problems(value, known.by_name[name].type, f"{here}.{name}")


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
