"""Commands of the former ``ironic`` client, for scripts that use ``alias ironic=baremetal``.

They are today's commands with their former names and options, and are hidden from help.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient.osc import argument_types
from baremetalclient.osc.command import ShowOne, columns_of
from baremetalclient.osc.node_command import add_node
from baremetalclient.osc.options import remove
from baremetalclient.osc.resource import List, ResourceCommand, without_links
from baremetalclient.osc.v1.volume_connector import (
    CreateBaremetalVolumeConnector,
    ListBaremetalVolumeConnector,
)
from baremetalclient.osc.v1.volume_target import (
    CreateBaremetalVolumeTarget,
    ListBaremetalVolumeTarget,
)

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.command import ItemData
    from baremetalclient.osc.parser import ArgumentParser


class _ShortForms(ResourceCommand):
    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.accept_spelling("-e", "--extra")
        parser.accept_spelling("-u", "--uuid")


class VolumeConnectorCreate(_ShortForms, CreateBaremetalVolumeConnector):
    """Create a volume connector."""


class VolumeTargetCreate(_ShortForms, CreateBaremetalVolumeTarget):
    """Create a volume target."""


class _FormerList(List):
    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.accept_spelling("--detail", "--long")
        parser.add_argument("--sort-key", metavar="<field>", help="Field to sort by.")
        parser.add_argument("--sort-dir", metavar="<direction>", choices=("asc", "desc"))

    def take_action(self, parsed_args: argparse.Namespace) -> Any:
        if parsed_args.sort_key:
            parsed_args.sort = f"{parsed_args.sort_key}:{parsed_args.sort_dir or 'asc'}"
        return super().take_action(parsed_args)


class VolumeConnectorList(_FormerList, ListBaremetalVolumeConnector):
    """List volume connectors."""


class VolumeTargetList(_FormerList, ListBaremetalVolumeTarget):
    """List volume targets."""


class _ListOfNode(_FormerList):
    options = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_node(parser)
        super().add_arguments(parser)

    def columns(self, parsed_args: argparse.Namespace) -> tuple[list[str], dict[str, Any]]:
        columns, parameters = super().columns(parsed_args)
        return columns, parameters | {"node": parsed_args.node}


class NodeVolumeConnectorList(_ListOfNode, ListBaremetalVolumeConnector):
    """List the volume connectors of a node."""

    options = ()


class NodeVolumeTargetList(_ListOfNode, ListBaremetalVolumeTarget):
    """List the volume targets of a node."""

    options = ()


class _Update(ResourceCommand, ShowOne):
    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_identifier(parser)
        parser.add_argument("op", metavar="<op>", choices=("add", "replace", "remove"))
        parser.add_argument("attributes", metavar="<path=value>", nargs="+")

    def take_action(self, parsed_args: argparse.Namespace) -> ItemData:
        patch = [_operation(parsed_args.op, word) for word in parsed_args.attributes]
        item = self.manager.update(parsed_args.ident, patch).to_dict()
        return columns_of(without_links(item, self.resource_type))


class VolumeConnectorUpdate(_Update):
    """Change a volume connector."""

    manager_name = "volume_connector"


class VolumeTargetUpdate(_Update):
    """Change a volume target."""

    manager_name = "volume_target"


def _operation(verb: str, word: str) -> dict[str, Any]:
    if verb == "remove":
        return remove(word.removeprefix("/"))
    path, value = argument_types.key_value(word)
    return {"op": verb, "path": f"/{path.removeprefix('/')}", "value": value}
