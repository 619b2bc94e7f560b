"""The command that creates what files describe."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient.osc import argument_types
from baremetalclient.osc.command import Command

if TYPE_CHECKING:
    from baremetalclient.osc.parser import ArgumentParser

Items = list[dict[str, Any]]

_CONTENTS = {"chassis": ("nodes",), "node": ("portgroups", "ports"), "portgroup": ("ports",)}
"""What each kind of resource holds in a file, by the keys there, in the order of creation."""

_KINDS = {"chassis": "chassis", "nodes": "node", "portgroups": "portgroup", "ports": "port"}
_PARENT_FIELDS = {"chassis": "chassis_uuid", "node": "node_uuid", "portgroup": "portgroup_uuid"}


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
        """Read all files, and then create what they describe; one failure doesn't spare the rest.

        :raises CommandError: a file can't be read or describes something else; nothing is created.
        """
        contents = [_load(name) for name in parsed_args.resource_files]
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
        """Create a resource and what it holds, and return how many of these failed."""
        inside = _CONTENTS.get(kind, ())
        fields = {name: value for name, value in item.items() if name not in inside}
        name = fields.get("name") or fields.get("uuid") or fields.get("address") or "without a name"
        try:
            created = getattr(self.client, kind).create(**_belonging(fields, parents))
        except exc.ClientException as error:
            self.report_error(f"Failed to create {kind} {name}", error)
            return 1
        self.report(f"Created {kind} {created.uuid}")
        own = {_PARENT_FIELDS[kind]: created.uuid} if kind in _PARENT_FIELDS else {}
        # Ports of a port group belong to its node; nodes of a chassis pass nothing on.
        below = {**parents, **own} if kind == "portgroup" else own
        return sum(self._create_all(key, item.get(key) or [], below) for key in inside)


def _belonging(fields: dict[str, Any], parents: dict[str, str]) -> dict[str, Any]:
    for name, uuid in parents.items():
        if fields.get(name, uuid) != uuid:
            raise exc.CommandError(
                f"its {name} is {fields[name]!r}, but it stands in the file below {uuid!r}"
            )
    return {**fields, **parents}


def _load(name: str) -> dict[str, Items]:
    if not name.endswith((".json", ".yaml")):
        raise exc.CommandError(f"Cannot use {name!r}: its name has to end with .json or .yaml.")
    try:
        content = argument_types.load(argument_types.read(name), name)
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
            f"{name!r} has to hold an object with a list of 'chassis', a list of 'nodes', or both."
        )
    checked: dict[str, Items] = content
    return checked
