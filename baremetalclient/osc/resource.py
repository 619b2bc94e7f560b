"""Commands that create, show, list, set, unset and delete, for any kind of resource.

What a resource consists of comes from its description in `baremetalclient.v1`, what can be given
on the command line from options; a command names both.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast
from uuid import UUID

from baremetalclient import exc
from baremetalclient.osc import argument_types
from baremetalclient.osc.command import Command, Lister, ShowOne, columns_of
from baremetalclient.osc.sorting import Order, cut, parse_order, sort_rows

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from baremetalclient._resource.schema import ResourceType
    from baremetalclient.osc.command import ItemData, TableData
    from baremetalclient.osc.options import Operation, Option
    from baremetalclient.osc.parser import ArgumentParser
    from baremetalclient.v1.client import Client

    class _Item(Protocol):
        def to_dict(self) -> dict[str, Any]: ...

    class _Manager(Protocol):
        def create(self, **fields: Any) -> _Item: ...
        def get(self, ident: str, *, fields: Sequence[str] | None = None) -> _Item: ...
        def update(self, ident: str, patch: list[Operation]) -> _Item: ...
        def delete(self, ident: str) -> None: ...
        def list(self, **parameters: Any) -> Sequence[_Item]: ...


_MANAGERS_OF_REFERENCES = {"node_uuid": "node", "portgroup_uuid": "portgroup"}


class ResourceCommand(Command):
    """A command about one kind of resource."""

    manager_name: ClassVar[str]
    """The attribute of the client that manages it, and the module that describes it."""
    identifiers: ClassVar[str] = "UUID"
    """What may stand for one of them on the command line."""
    options: ClassVar[Sequence[Option]] = ()
    """The options that stand for its fields, or for filters of its list."""

    @property
    def resource_type(self) -> ResourceType:
        """The description of the resource.

        It is imported when the command runs: OpenStackClient imports the modules of all commands
        whichever of them is called.
        """
        module = importlib.import_module(f"baremetalclient.v1.{self.manager_name}")
        return cast("ResourceType", module.RESOURCE_TYPE)

    @property
    def manager(self) -> _Manager:
        """The manager of the resource."""
        return cast("_Manager", getattr(self.client, self.manager_name))

    def add_identifier(self, parser: ArgumentParser) -> None:
        """Add the argument that names one of the resource."""
        parser.add_argument(
            "ident",
            metavar=f"<{self.resource_type.name}>",
            help=f"{self.identifiers} of the {self.resource_type.name}.",
        )


class Create(ResourceCommand, ShowOne):
    """Create a resource and show it."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options of all fields."""
        for option in self.options:
            option.add_to_create(parser)

    def take_action(self, parsed_args: argparse.Namespace) -> ItemData:
        """Create the resource."""
        item = self.manager.create(**self.fields(parsed_args)).to_dict()
        return columns_of(self.shown(item))

    def fields(self, parsed_args: argparse.Namespace) -> dict[str, Any]:
        """Return the fields of the new resource that were given."""
        given = {option.field: option.value(parsed_args) for option in self.options}
        return {
            field: referred(self.client, field, value)
            for field, value in given.items()
            if value is not None
        }

    def shown(self, item: dict[str, Any]) -> dict[str, Any]:
        """Return what is shown of the new resource: the columns of a long list."""
        return {field.name: item.get(field.name, "") for field in self.resource_type.long_columns}


class Show(ResourceCommand, ShowOne):
    """Show a resource."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the identifier and ``--fields``."""
        self.add_identifier(parser)
        add_fields(parser, self.resource_type)

    def take_action(self, parsed_args: argparse.Namespace) -> ItemData:
        """Fetch the resource."""
        item = self.fetch(parsed_args, chosen_fields(parsed_args)).to_dict()
        return columns_of(self.shown(without_links(item, self.resource_type)))

    def fetch(self, parsed_args: argparse.Namespace, fields: list[str] | None) -> _Item:
        """Return the resource that was asked for."""
        return self.manager.get(parsed_args.ident, fields=fields)

    def shown(self, item: dict[str, Any]) -> dict[str, Any]:
        """Return what is shown of the resource: the fields in alphabetical order."""
        return dict(sorted(item.items()))


class List(ResourceCommand, Lister):
    """List resources, a page or all of them."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the filters, the limits of the page, the order and the columns."""
        for option in self.options:
            option.add_to_list(parser)
        add_paging(parser, self.resource_type)
        add_columns(parser, self.resource_type)

    def take_action(self, parsed_args: argparse.Namespace) -> TableData:
        """Fetch the list."""
        columns, parameters = self.columns(parsed_args)
        for option in self.options:
            value = option.value(parsed_args)
            if value is not None:
                parameters[option.field] = value
        parameters["marker"] = parsed_args.marker
        items = self.fetch_sorted(parse_order(parsed_args.sort), parsed_args.limit, parameters)
        return columns, ([item.get(name, "") for name in columns] for item in items)

    def columns(self, parsed_args: argparse.Namespace) -> tuple[list[str], dict[str, Any]]:
        """Return the columns that were asked for, and the parameters that fetch them."""
        fields = chosen_fields(parsed_args)
        if fields:
            return fields, {"fields": fields}
        if parsed_args.long:
            long = [field.name for field in self.resource_type.long_columns]
            return long, {"detail": True} if self.resource_type.detail else {}
        return list(self.resource_type.listed), {}

    def fetch_sorted(
        self, order: Sequence[Order], limit: int | None, parameters: dict[str, Any]
    ) -> list[dict[str, Any]]:
        """Return the items in the order that was asked for.

        The server sorts before it applies the limit, but knows only one key, and not every field.
        For anything else the whole list is fetched and sorted here, and then cut.
        """
        names = [key.field for key in order]
        if len(order) < 2 and all(self.resource_type.field(name).sortable for name in names):
            for key in order:
                parameters |= {"sort_key": key.field, "sort_dir": key.direction}
            return self.fetch(limit=limit, **parameters)
        if wanted := parameters.get("fields"):
            parameters["fields"] = list(dict.fromkeys([*wanted, *names]))
        elif self.resource_type.detail and not set(names) <= set(self.resource_type.listed):
            parameters["detail"] = True
        return cut(sort_rows(self.fetch(limit=0, **parameters), order), limit)

    def fetch(self, **parameters: Any) -> list[dict[str, Any]]:
        """Return the items that the server lists."""
        return [item.to_dict() for item in self.manager.list(**parameters)]


class Set(ResourceCommand):
    """Set fields of a resource."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the identifier and the options of all fields."""
        self.add_identifier(parser)
        for option in self.options:
            option.add_to_set(parser)

    def take_action(self, parsed_args: argparse.Namespace) -> int | None:
        """Set what was given.

        :raises CommandError: nothing was given.
        """
        patch = self.patch(parsed_args)
        if not patch:
            raise nothing_to("set", self.options)
        self.manager.update(parsed_args.ident, patch)
        return None

    def patch(self, parsed_args: argparse.Namespace) -> list[Operation]:
        """Return the patch that sets what was given."""
        patch = [
            operation for option in self.options for operation in option.set_operations(parsed_args)
        ]
        for operation in patch:
            field = operation["path"].removeprefix("/")
            if "value" in operation:
                operation["value"] = referred(self.client, field, operation["value"])
        return patch


class Unset(ResourceCommand):
    """Remove fields of a resource."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the identifier and the options of all fields."""
        self.add_identifier(parser)
        for option in self.options:
            option.add_to_unset(parser)

    def take_action(self, parsed_args: argparse.Namespace) -> int | None:
        """Remove what was named.

        :raises CommandError: nothing was named.
        """
        patch = self.patch(parsed_args)
        if not patch:
            raise nothing_to("unset", self.options)
        self.manager.update(parsed_args.ident, patch)
        return None

    def patch(self, parsed_args: argparse.Namespace) -> list[Operation]:
        """Return the patch that removes what was named."""
        return [
            operation
            for option in self.options
            for operation in option.unset_operations(parsed_args)
        ]


class Delete(ResourceCommand):
    """Delete resources, each of them, whatever becomes of the others."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the identifiers."""
        parser.add_argument(
            "idents",
            metavar=f"<{self.resource_type.name}>",
            nargs="+",
            help=f"{self.identifiers} of each {self.resource_type.name} to delete.",
        )

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        """Delete each."""
        name = self.resource_type.name
        return self.for_each(
            parsed_args.idents,
            self.manager.delete,
            failure=f"Failed to delete {name} {{}}",
            success=f"Deleted {name} {{}}",
        )


def add_fields(parser: Any, resource_type: ResourceType) -> None:
    """Add ``--fields``."""
    parser.add_argument(
        "--fields",
        nargs="+",
        action="extend",
        metavar="<field>",
        choices=[field.name for field in resource_type.shown_fields],
        help="One or more fields; only these are fetched from the server.",
    )


def add_columns(parser: ArgumentParser, resource_type: ResourceType) -> None:
    """Add ``--long`` and ``--fields``."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--long",
        action="store_true",
        help="Show all columns.",
    )
    add_fields(group, resource_type)


def add_paging(parser: ArgumentParser, resource_type: ResourceType) -> None:
    """Add ``--limit``, ``--marker`` and ``--sort``."""
    identifier = resource_type.by_name[resource_type.identifier].label
    parser.add_argument(
        "--limit",
        metavar="<limit>",
        type=argument_types.natural,
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
    """Return the fields that ``--fields`` names, each once, or None."""
    return list(dict.fromkeys(parsed_args.fields or ())) or None


def without_links(item: dict[str, Any], resource_type: ResourceType) -> dict[str, Any]:
    """Return an item without the fields that only lead elsewhere."""
    links = {field.name for field in resource_type.fields if field.type == "links"}
    return {name: value for name, value in item.items() if name not in links}


def referred(client: Client, field: str, value: Any) -> Any:
    """Return the UUID where a field refers to another resource and a name was given.

    :param client: the client to look it up with.
    :param field: the name of the field.
    :param value: what was given for it.
    :raises NotFound: there is no resource of this name.
    """
    manager = _MANAGERS_OF_REFERENCES.get(field)
    if manager is None or _is_uuid(value):
        return value
    return getattr(client, manager).get(value, fields=["uuid"]).uuid


def nothing_to(verb: str, options: Sequence[Option], *more: str) -> exc.CommandError:
    """Return the error of a command that was given nothing to do.

    :param verb: what it would have done.
    :param options: the options that give it something to do.
    :param more: the flags of further ones.
    """
    flags = ", ".join([*(option.flag for option in options), *more])
    return exc.CommandError(f"Nothing to {verb}: give at least one of {flags}.")


def _is_uuid(value: Any) -> bool:
    try:
        UUID(value)
    except (AttributeError, TypeError, ValueError):
        return False
    return True
