"""The command that creates resources from files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient.osc.command import Command
from baremetalclient.osc.lab_files import LISTS, LabFile

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Mapping

    from baremetalclient.osc.lab_files import Item
    from baremetalclient.osc.parser import ArgumentParser


class CreateBaremetal(Command):
    """Create a lab from files: nodes with their ports, chassis, deploy templates and so on."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the files."""
        parser.add_argument(
            "resource_files",
            metavar="<file>",
            nargs="+",
            help="File of JSON or YAML (.json or .yaml) with lists of 'chassis', 'nodes', "
            "'deploy_templates', 'runbooks', 'inspection_rules' and 'allocations', or some of "
            "them. Seeds of the fake server are such files; what a real Ironic can't be given of "
            "them is left out.",
        )

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        """Read all files, then create the resources; if one fails, go on with the others.

        :raises CommandError: if anything in any file is wrong; nothing is created.
        """
        files = [LabFile(name) for name in parsed_args.resource_files]
        problems = [f"{file.name}: {problem}" for file in files for problem in file.problems]
        if problems:
            raise exc.CommandError("\n".join([*problems, "Nothing was created."]))
        #: UUIDs of what was created, by the name of the manager and what a file calls it.
        self._created: dict[tuple[str, str], str] = {}
        failures = 0
        for file in files:
            if file.left_out:
                self.report(f"{file.name}: left out is what Ironic can't be given: {file.left_out}")
            failures += sum(self._create_all(file.items[key], {}) for key in LISTS)
        return int(failures > 0)

    def _create_all(self, items: Iterable[Item], parents: Mapping[str, str]) -> int:
        # A parent has to be there before its children.
        ordered = sorted(items, key=lambda item: bool(item.fields.get("parent_node")))
        return sum(self._create(item, parents) for item in ordered)

    def _create(self, item: Item, parents: Mapping[str, str]) -> int:
        """Create a resource and its nested resources, and return the number of failures.

        :param parents: the fields that name what it is nested in.
        """
        manager = getattr(self.client, item.kind.name)
        try:
            created = manager.create(**{**self._fields(item), **parents})
        except exc.ClientException as error:
            self.report_error(f"Failed to create {item.label}", error)
            return 1
        self.report(f"Created {item.kind.name} {created.uuid}")
        for name in item.names:
            self._created[item.kind.name, name] = created.uuid
        failures = 0
        try:
            self._complete(item, created.uuid)
        except exc.ClientException as error:
            self.report_error(f"Failed to complete {item.label}", error)
            failures = 1
        below = {item.kind.parent_field: created.uuid}
        if item.kind.name == "portgroup":
            # Its ports belong to its node too.
            below |= parents
        nested = (item.nested.get(key, []) for key in item.kind.nested)
        return failures + sum(self._create_all(items, below) for items in nested)

    def _fields(self, item: Item) -> dict[str, Any]:
        """Return what a resource is created with: UUIDs instead of names of what was created."""
        fields = dict(item.fields)
        for field, kind, wanted in (
            ("parent_node", "node", fields.get("parent_node")),
            ("portgroup_uuid", "portgroup", item.links.get("portgroup")),
        ):
            if wanted:
                fields[field] = self._created.get((kind, wanted), wanted)
        return fields

    def _complete(self, item: Item, uuid: str) -> None:
        """Set what a resource can't be created with."""
        traits = item.links.get("traits")
        if traits and item.kind.name == "node":
            self.client.node.set_traits(uuid, traits)
        elif traits:
            for trait in traits:
                self.client.runbook.add_trait(uuid, trait)
        changes = {name: value for name, value in item.changes.items() if value}
        if changes:
            patch = [
                {"op": "add", "path": f"/{name}", "value": value} for name, value in changes.items()
            ]
            self.client.node.update(uuid, patch)
