"""The command that creates resources from files."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient.osc import argument_types
from baremetalclient.osc.command import Command

if TYPE_CHECKING:
    from baremetalclient.osc.parser import ArgumentParser

Items = list[dict[str, Any]]

_NESTED = {"chassis": ("nodes",), "node": ("portgroups", "ports"), "portgroup": ("ports",)}
"""The keys of the nested resources of each type in a file, in the order of creation."""

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
        """Read all files, then create the resources; if one fails, go on with the others.

        :raises CommandError: if a file cannot be read or has another content; nothing is created.
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
        """Create a resource and its nested resources, and return the number of failures."""
        nested = _NESTED.get(kind, ())
        fields = {name: value for name, value in item.items() if name not in nested}
        name = fields.get("name") or fields.get("uuid") or fields.get("address") or "without a name"
        try:
            created = getattr(self.client, kind).create(**_with_parents(fields, parents))
        except exc.ClientException as error:
            self.report_error(f"Failed to create {kind} {name}", error)
            return 1
        self.report(f"Created {kind} {created.uuid}")
        own = {_PARENT_FIELDS[kind]: created.uuid} if kind in _PARENT_FIELDS else {}
        # Ports of a port group belong to its node too.
        below = {**parents, **own} if kind == "portgroup" else own
        return sum(self._create_all(key, item.get(key) or [], below) for key in nested)


def _with_parents(fields: dict[str, Any], parents: dict[str, str]) -> dict[str, Any]:
    for name, uuid in parents.items():
        if fields.get(name, uuid) != uuid:
            raise exc.CommandError(
                f"its {name} is {fields[name]!r}, but in the file it is nested in {uuid!r}"
            )
    return {**fields, **parents}


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
