"""Bases of commands that create, show, list, set, unset and delete resources of any type.

The fields come from the description of the type in `baremetalclient.v1`, the arguments from
options; a command names both.
"""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, Any, ClassVar

from baremetalclient import exc
from baremetalclient._resource.arguments import is_uuid
from baremetalclient.osc import argument_types
from baremetalclient.osc.command import Command, Lister, NothingToDoError, ShowOne, columns_of
from baremetalclient.osc.sorting import SortKey, parse_sort, sort_items

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from baremetalclient._resource.crud import CreateManager
    from baremetalclient._resource.resource import Resource
    from baremetalclient._resource.schema import ResourceType
    from baremetalclient.osc.command import ItemData, TableData
    from baremetalclient.osc.parser import ArgumentParser
    from baremetalclient.v1.client import Client


_REFERENCED_MANAGERS = {"node_uuid": "node", "portgroup_uuid": "portgroup"}


class ResourceCommand(Command):
    """A command about one type of resource."""

    manager_name: ClassVar[str]
    """The attribute of the client with the manager, and the module with the description."""
    identifiers: ClassVar[str] = "UUID"
    """The identifiers that the command line accepts, for help."""

    @property
    def resource_type(self) -> ResourceType:
        """The description of the type of resource.

        It is imported when the command runs, since OpenStackClient imports the modules of all
        commands, whichever runs.
        """
        from baremetalclient.v1.resources import resource_type

        return resource_type(self.manager_name)

    @property
    def labels(self) -> Mapping[str, str]:
        """The labels of fields by their names; ``-c`` accepts both."""
        return self.resource_type.labels

    @property
    def shown_names(self) -> list[str]:
        """The names of the fields that ``--fields`` takes."""
        return [field.name for field in self.resource_type.shown_fields]

    @property
    def manager(self) -> CreateManager[Any]:
        """The manager of the resource."""
        manager: CreateManager[Any] = getattr(self.client, self.manager_name)
        return manager

    def add_identifier(self, parser: ArgumentParser) -> None:
        """Add the argument that identifies a resource."""
        parser.add_argument(
            "ident",
            metavar=f"<{self.resource_type.name}>",
            help=f"{self.identifiers} of the {self.resource_type.name}.",
        )


class Create(ResourceCommand, ShowOne):
    """Create a resource and show it."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        for option in self.options:
            option.described(self.resource_type.by_name).add_to_create(parser)

    def take_action(self, parsed_args: argparse.Namespace) -> ItemData:
        item = self.manager.create(**self.fields(parsed_args)).to_dict()
        return columns_of(self.shown(item))

    def fields(self, parsed_args: argparse.Namespace) -> dict[str, Any]:
        """Return the fields of the new resource that were given."""
        return {
            field: _resolved(self.client, field, value)
            for field, value in self.given(parsed_args).items()
        }

    def shown(self, item: dict[str, Any]) -> dict[str, Any]:
        """Return the fields to print: the columns of a long list."""
        return {field.name: item.get(field.name, "") for field in self.resource_type.long_columns}


class Show(ResourceCommand, ShowOne):
    """Show a resource."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_identifier(parser)
        add_fields(parser, self.shown_names)
        super().add_arguments(parser)

    def take_action(self, parsed_args: argparse.Namespace) -> ItemData:
        item = self.fetch(parsed_args, chosen_fields(parsed_args)).to_dict()
        return columns_of(self.shown(without_links(item, self.resource_type)))

    def fetch(self, parsed_args: argparse.Namespace, fields: list[str] | None) -> Resource:
        """Return the resource with the given identifier."""
        found: Resource = self.manager.get(parsed_args.ident, fields=fields)
        return found

    def shown(self, item: dict[str, Any]) -> dict[str, Any]:
        """Return the fields to print, in alphabetical order."""
        return dict(sorted(item.items()))


class List(ResourceCommand, Lister):
    """List resources."""

    selectable: ClassVar[bool] = False
    """Whether ``--select`` and ``--all`` choose them."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        meanings = {one.name: one for one in self.resource_type.filters}
        for option in self.options:
            option.described(meanings).add(parser)
        if self.selectable:
            from baremetalclient.osc.targets import add_selection

            group = parser.add_mutually_exclusive_group()
            add_selection(group, self.manager_name)
        _add_paging(parser, self.resource_type)
        add_columns(parser, self.shown_names)

    def take_action(self, parsed_args: argparse.Namespace) -> TableData:
        columns, parameters = self.columns(parsed_args)
        filters = self.given(parsed_args)
        parameters |= filters
        keys, limit = parse_sort(parsed_args.sort), parsed_args.limit
        if self.selectable and (parsed_args.selections or parsed_args.everything):
            if parsed_args.marker:
                raise exc.UsageError("--marker cannot be used with --select and --all.")
            found = self.fetch_selected(parsed_args.selections or [], keys, columns, parameters)
            items = sort_items(found, keys)[: limit or None]
        else:
            parameters["marker"] = parsed_args.marker
            items = self.fetch_sorted(keys, limit, parameters)
        if not items:
            from baremetalclient.osc.targets import nothing_found

            selections = getattr(parsed_args, "selections", None) or []
            asked = [
                f"{name}={','.join(value) if isinstance(value, list) else value}"
                for name, value in filters.items()
            ]
            self.report(nothing_found(self.resource_type.plural, selections, asked))
        else:
            self._tell_of_version(columns)
        return columns, ([item.get(name, "") for name in columns] for item in items)

    def _tell_of_version(self, columns: Sequence[str]) -> None:
        """Report the columns that are empty because the version of the API in use lacks them."""
        version = self.client.http_client.version()
        lacking = [
            f"{name} (since {field.since})"
            for name in columns
            if (field := self.resource_type.by_name[name]).since > version
        ]
        if lacking:
            self.report(
                f"Empty, since version {version} of the API, which is in use, lacks them: "
                f"{', '.join(lacking)}."
            )

    def columns(self, parsed_args: argparse.Namespace) -> tuple[list[str], dict[str, Any]]:
        """Return the columns, and the parameters to fetch them."""
        fields = chosen_fields(parsed_args)
        if fields:
            return fields, {"fields": fields}
        if parsed_args.long:
            long = [field.name for field in self.resource_type.long_columns]
            return long, {"detail": True} if self.resource_type.detail else {}
        return list(self.resource_type.listed), {}

    def fetch_sorted(
        self, keys: Sequence[SortKey], limit: int | None, parameters: dict[str, Any]
    ) -> list[dict[str, Any]]:
        """Return the sorted items.

        The server can sort by one key before it applies the limit, but not by each field. In all
        other cases the whole list is fetched, sorted here, and limited afterwards.
        """
        names = [key.field for key in keys]
        if len(keys) < 2 and all(self.resource_type.field(name).sortable for name in names):
            for key in keys:
                parameters |= {"sort_key": key.field, "sort_dir": key.direction}
            return self.fetch(limit=limit, **parameters)
        if wanted := parameters.get("fields"):
            parameters["fields"] = list(dict.fromkeys([*wanted, *names]))
        elif self.resource_type.detail and not set(names) <= set(self.resource_type.listed):
            parameters["detail"] = True
        return sort_items(self.fetch(limit=0, **parameters), keys)[: limit or None]

    def fetch_selected(
        self,
        expressions: Sequence[str],
        keys: Sequence[SortKey],
        columns: Sequence[str],
        parameters: dict[str, Any],
    ) -> list[dict[str, Any]]:
        """Return the items that match one of several expressions, sorted by their names."""
        from baremetalclient.osc.targets import fetch_selected
        from baremetalclient.v1.expressions import selection

        filters = dict(parameters)
        filters.pop("fields", None)
        detail = filters.pop("detail", False)
        fields = None if detail else [*columns, *(key.field for key in keys)]
        chosen = selection(self.resource_type, expressions)
        found = fetch_selected(self, self.manager_name, chosen, fields, filters)
        return [item.to_dict() for item in found]

    def fetch(self, **parameters: Any) -> list[dict[str, Any]]:
        """Return the items that the server lists."""
        return [item.to_dict() for item in self.manager.list(**parameters)]


class _SettingCommand(ResourceCommand):
    change: ClassVar[str]
    """What it does with fields: ``set`` or ``unset``."""

    def take_action(self, parsed_args: argparse.Namespace) -> int | None:
        patch = self.patch(parsed_args)
        if not patch:
            raise self.nothing_to_do()
        self.manager.update(parsed_args.ident, patch)
        return None

    @abc.abstractmethod
    def patch(self, parsed_args: argparse.Namespace) -> list[dict[str, Any]]:
        """Return the patch for the options that were given."""

    def nothing_to_do(self, *more: str) -> NothingToDoError:
        """Return the exception for a command that got no fields.

        :param more: options besides those for fields.
        """
        unset = self.change == "unset"
        given = (option.unset_flag if unset else option.flag for option in self.options)
        flags = ", ".join([*given, *more])
        return NothingToDoError(f"Nothing to {self.change}. Give at least one of: {flags}.")


class Set(_SettingCommand):
    """Set fields of a resource."""

    change = "set"

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_identifier(parser)
        for option in self.options:
            option.described(self.resource_type.by_name).add(parser)

    def patch(self, parsed_args: argparse.Namespace) -> list[dict[str, Any]]:
        patch = [each for option in self.options for each in option.set_operations(parsed_args)]
        for operation in patch:
            field = operation["path"].removeprefix("/")
            if "value" in operation:
                operation["value"] = _resolved(self.client, field, operation["value"])
        return patch


class Unset(_SettingCommand):
    """Remove fields of a resource."""

    change = "unset"

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_identifier(parser)
        for option in self.options:
            option.add_to_unset(parser)

    def patch(self, parsed_args: argparse.Namespace) -> list[dict[str, Any]]:
        return [each for option in self.options for each in option.unset_operations(parsed_args)]


def add_fields(parser: Any, names: Sequence[str]) -> None:
    """Add ``--fields``."""
    parser.add_argument(
        "--fields",
        nargs="+",
        action="extend",
        metavar="<field>",
        choices=names,
        help="Fields to fetch and to print, instead of the default ones.",
    )


def add_columns(parser: ArgumentParser, names: Sequence[str]) -> None:
    """Add ``--long``, and ``--fields`` with these names."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--long", action="store_true", help="Show all columns.")
    add_fields(group, names)


def _add_paging(parser: ArgumentParser, resource_type: ResourceType) -> None:
    identifier = resource_type.by_name[resource_type.identifier].label
    parser.add_argument(
        "--limit",
        metavar="<limit>",
        type=argument_types.non_negative_int,
        help=f"Maximum number of {resource_type.plural} to list, 0 for all. By default one page of "
        "the server.",
    )
    parser.add_argument(
        "--marker",
        metavar=f"<{resource_type.name}>",
        help=f"{identifier} of the last {resource_type.name} of the previous page; the list begins "
        "after it.",
    )
    parser.add_argument(
        "--sort",
        metavar="<key>[:<direction>]",
        help="Field to sort by and direction (asc or desc, asc by default). Several can be given, "
        "separated by commas.",
    )


def chosen_fields(parsed_args: argparse.Namespace) -> list[str] | None:
    """Return the fields of ``--fields`` without duplicates, or None."""
    return list(dict.fromkeys(parsed_args.fields or ())) or None


def without_links(item: dict[str, Any], resource_type: ResourceType) -> dict[str, Any]:
    """Return an item without its links."""
    links = {field.name for field in resource_type.fields if field.type == "links"}
    return {name: value for name, value in item.items() if name not in links}


def _resolved(client: Client, field: str, value: Any) -> Any:
    """Return the UUID of the resource that a field refers to, or the value of any other field."""
    manager = _REFERENCED_MANAGERS.get(field)
    if manager is None or is_uuid(value):
        return value
    return getattr(client, manager).get(value, fields=["uuid"]).uuid
