"""The command that creates resources from files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient.osc.command import Command
from baremetalclient.osc.nodes import add_bounds, max_failures

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Mapping

    from baremetalclient.declare.lab import Item, Lab
    from baremetalclient.osc.parser import ArgumentParser

_SUFFIXES = (".json", ".yaml", ".yml")
_CHANGES = ("instance_info", "maintenance", "retired", "retired_reason")
"""Fields of nodes that are set when they are there."""
_LINKS = ("traits", "portgroup")
"""Fields that become something else."""

_Message = tuple[str, exc.ClientException | None]


class CreateBaremetal(Command):
    """Create a lab from files: nodes with their ports, chassis, deploy templates and so on."""

    examples = ("baremetal create lab.yaml",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the files."""
        parser.add_argument(
            "resource_files",
            metavar="<file>",
            nargs="+",
            help="File of JSON or YAML (.json or .yaml) with lists of 'chassis', 'nodes', "
            "'deploy_templates', 'runbooks', 'inspection_rules' and 'allocations', or some of "
            "them. Seeds of the fake server are such files; values that a real Ironic does not "
            "accept are left out.",
        )
        # One after the other, so that lists have the order of the file.
        add_bounds(parser, parallel=1)

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        """Read all files, then create the resources; if one fails, go on with the others.

        :raises CommandError: if anything in any file is wrong; nothing is created.
        """
        from baremetalclient.declare.kinds import LISTS

        files = {name: _read(name) for name in parsed_args.resource_files}
        problems = [problem for lab in files.values() for problem in lab.problems]
        if problems:
            raise exc.CommandError("\n".join(problems) + ". Nothing was created.")
        #: UUIDs of what was created, by the name of the manager and what a file calls it.
        self._created: dict[tuple[str, str], str] = {}
        self._failed: list[Item] = []
        for name, lab in files.items():
            left_out = ", ".join(_left_out(lab))
            if left_out:
                self.report(f"{name}: left out, because Ironic does not accept it: {left_out}")
            for key in LISTS:
                items = [item for item in lab.items[key] if _is_open(item)]
                self._create_all(items, parsed_args)
        return int(bool(self._failed))

    def _create_all(self, items: list[Item], parsed_args: argparse.Namespace) -> None:
        """Create resources with what belongs to them, until too many have failed."""
        from baremetalclient._http.session import allow_connections
        from baremetalclient._resource.parallel import run

        allow_connections(self.client.http_client.session, parsed_args.parallel)
        most = max_failures(parsed_args)
        for batch in _parents_first(items):
            outcomes = run(
                batch,
                self._create_with_parts,
                parallel=parsed_args.parallel,
                stop=lambda: most is not None and len(self._failed) >= most,
            )
            for outcome in outcomes:
                if outcome.error:
                    self._failed.append(outcome.item)
                    self.report_error(f"Failed to create {_label(outcome.item)}", outcome.error)
                for message, error in outcome.value or ():
                    if error:
                        self.report_error(message, error)
                    else:
                        self.report(message)

    def _create_with_parts(self, item: Item) -> list[_Message]:
        messages = list(self._create(item, {}))
        if any(error for _, error in messages):
            self._failed.append(item)
        return messages

    def _create(self, item: Item, parents: Mapping[str, str]) -> Iterator[_Message]:
        """Create a resource and its nested resources, and yield what became of each.

        :param parents: the fields that name what it is nested in.
        """
        manager = getattr(self.client, item.kind.manager)
        try:
            created = manager.create(**{**self._fields(item), **parents})
        except exc.ClientException as error:
            yield f"Failed to create {_label(item)}", error
            return
        yield f"Created {item.kind.manager} {created.uuid}", None
        for name in item.names:
            self._created[item.kind.manager, name] = created.uuid
        try:
            self._complete(item, created.uuid)
        except exc.ClientException as error:
            yield f"Failed to complete {_label(item)}", error
        below = {item.kind.parent_field: created.uuid}
        if item.kind.manager == "portgroup":
            # Its ports belong to its node too.
            below |= parents
        for key in item.kind.nested:
            for batch in _parents_first(item.nested.get(key, [])):
                for nested in batch:
                    yield from self._create(nested, below)

    def _fields(self, item: Item) -> dict[str, Any]:
        """Return what a resource is created with: UUIDs instead of names of what was created."""
        known = item.kind.schema.creatable_names
        fields = {name: value for name, value in item.fields.items() if name in known}
        for field, kind, wanted in (
            ("parent_node", "node", fields.get("parent_node")),
            ("portgroup_uuid", "portgroup", item.fields.get("portgroup")),
        ):
            if wanted:
                fields[field] = self._created.get((kind, wanted), wanted)
        return fields

    def _complete(self, item: Item, uuid: str) -> None:
        """Set fields that can only be set after a resource was created."""
        kind, traits = item.kind.manager, item.fields.get("traits")
        if traits and kind == "node":
            self.client.node.set_traits(uuid, traits)
        elif traits and kind == "runbook":
            for trait in traits:
                self.client.runbook.add_trait(uuid, trait)
        changes = {name: item.fields[name] for name in _CHANGES if item.fields.get(name)}
        if changes:
            patch = [
                {"op": "add", "path": f"/{name}", "value": value} for name, value in changes.items()
            ]
            self.client.node.update(uuid, patch)


def _read(name: str) -> Lab:
    from baremetalclient.declare import lab, read

    if not name.endswith(_SUFFIXES):
        raise exc.CommandError(f"Invalid file name {name!r}: it has to end with .json or .yaml.")
    return lab.Lab(read.read(name), strict=False)


def _left_out(lab: Lab) -> Iterable[str]:
    """Return what is left out of a file, each only once."""
    from baremetalclient.declare.kinds import KINDS

    found: dict[str, None] = {}
    for key, kind in KINDS.items():
        taken = {*kind.schema.creatable_names, *_CHANGES, *_LINKS}
        for item in lab.all(key):
            if not _is_open(item):
                found["allocations that are no longer open"] = None
                continue
            names = (name for name in (*item.fields, *item.seed_only) if name not in taken)
            found |= dict.fromkeys(f"{name} of {key}" for name in names)
    return [*found, *lab.other_lists]


def _is_open(item: Item) -> bool:
    """Return whether an allocation is to be created: nodes in files are not deployed yet."""
    if item.kind.manager != "allocation":
        return True
    return not item.fields.get("node") and item.seed_only.get("state") in (None, "allocating")


def _parents_first(items: Iterable[Item]) -> list[list[Item]]:
    # A parent has to be there before its children.
    found: list[list[Item]] = [[], []]
    for item in items:
        found[bool(item.fields.get("parent_node"))].append(item)
    return found


def _label(item: Item) -> str:
    return f"{item.kind.manager} {next(iter(item.names), 'without a name')}"
