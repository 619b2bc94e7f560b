"""Commands that create, list, show, change and delete nodes; a module for each other topic.

The topics have the names of those in ``baremetalclient.v1.node``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient.osc import argument_types
from baremetalclient.osc.command import ShowOne
from baremetalclient.osc.node_command import NodeCommand, NodesCommand
from baremetalclient.osc.options import FlagOption
from baremetalclient.osc.resource import (
    Create,
    List,
    ResourceCommand,
    Set,
    Show,
    Unset,
    without_links,
)
from baremetalclient.osc.v1.node.options import (
    CREATE_OPTIONS,
    FILTERS,
    SET_OPTIONS,
    UNSET_OPTIONS,
)

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from baremetalclient._bulk.listener import Target
    from baremetalclient._resource.resource import Item
    from baremetalclient.osc.command import ItemData
    from baremetalclient.osc.parser import ArgumentParser


class _OneNode(ResourceCommand):
    manager_name = "node"
    identifiers = "Name or UUID"


class CreateBaremetalNode(_OneNode, Create):
    """Enrol a node."""

    examples = (
        "baremetal node create --driver ipmi --name node-7 --driver-info ipmi_address=192.0.2.7",
    )
    options = CREATE_OPTIONS

    def shown(self, item: dict[str, Any]) -> dict[str, Any]:
        return {"chassis_uuid": ""} | without_links(item, self.resource_type)


class DeleteBaremetalNode(NodesCommand, _OneNode):
    """Delete nodes."""

    verb = "delete"
    action = "delete"
    done = "Deleted node {node}"
    examples = ("baremetal node delete --select 'retired,!associated'",)
    prints_results = True


class ListBaremetalNode(_OneNode, List):
    """List nodes."""

    selectable = True
    examples = ("baremetal node list --provision-state available --fields name power_state",)
    options = FILTERS

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        children = parser.add_mutually_exclusive_group()
        children.add_argument(
            "--include-children", action="store_true", help="List child nodes too."
        )
        children.add_argument(
            "--parent-node",
            metavar="<parent_node>",
            type=argument_types.non_empty,
            help="List only children of this node.",
        )

    def columns(self, parsed_args: argparse.Namespace) -> tuple[list[str], dict[str, Any]]:
        columns, parameters = super().columns(parsed_args)
        if parsed_args.include_children:
            parameters["include_children"] = True
        if parsed_args.parent_node:
            parameters["parent_node"] = parsed_args.parent_node
        return columns, parameters


class ShowBaremetalNode(_OneNode, Show):
    """Show a node."""

    examples = ("baremetal node show node-1 --fields name provision_state last_error",)

    options = (FlagOption("instance", help="<node> is the UUID of an instance."),)

    def fetch(self, parsed_args: argparse.Namespace, fields: list[str] | None) -> Any:
        if not parsed_args.instance:
            return super().fetch(parsed_args, fields)
        try:
            return self.client.node.get_by_instance_uuid(parsed_args.ident, fields=fields)
        except exc.NotFound as error:
            raise exc.NotFound(
                f"Found no node with the instance {parsed_args.ident!r}.",
                request_id=error.request_id,
                url=error.url,
                method=error.method,
            ) from error

    def shown(self, item: dict[str, Any]) -> dict[str, Any]:
        return item


class SetBaremetalNode(NodesCommand, _OneNode, Set):
    """Set fields of nodes."""

    action = "set"
    examples = ("baremetal node set node-1 --resource-class gold --property cpu_arch=x86_64",)
    options = SET_OPTIONS
    _patch: list[dict[str, Any]]

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--reset-interfaces",
            action="store_true",
            help="Reset all interfaces that are not given to their defaults. Only with --driver.",
        )
        parser.add_argument(
            "--target-raid-config",
            metavar="<target_raid_config>",
            type=argument_types.json_or_yaml,
            help="Target RAID configuration: JSON, the name of a file with JSON or YAML, or '-' "
            "for standard input.",
        )

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        if parsed_args.reset_interfaces and not parsed_args.driver:
            raise exc.CommandError("--reset-interfaces can only be used with --driver.")
        self._patch = self.patch(parsed_args)
        if not self._patch and parsed_args.target_raid_config is None:
            raise self.nothing_to_do("--target-raid-config")
        return super().take_action(parsed_args)

    def check_targets(self, targets: Sequence[Target], parsed_args: argparse.Namespace) -> None:
        for flag, value in (
            ("--name", parsed_args.name),
            ("--instance-uuid", parsed_args.instance_uuid),
        ):
            if value and len(targets) > 1:
                raise exc.CommandError(f"{flag} cannot be used with more than one node.")

    def act(self, node: str, label: str, parsed_args: argparse.Namespace) -> list[str]:
        # First, since the patch may change the name.
        if parsed_args.target_raid_config is not None:
            self.client.node.set_target_raid_config(node, parsed_args.target_raid_config)
        if self._patch:
            reset = parsed_args.reset_interfaces or None
            self.client.node.update(node, self._patch, reset_interfaces=reset)
        return []


class UnsetBaremetalNode(NodesCommand, _OneNode, Unset):
    """Remove fields of nodes."""

    action = "unset"
    examples = ("baremetal node unset node-1 --description --extra team",)
    options = UNSET_OPTIONS

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--target-raid-config",
            action="store_true",
            help="Remove the target RAID configuration.",
        )

    def check(self, parsed_args: argparse.Namespace) -> None:
        if not self.patch(parsed_args) and not parsed_args.target_raid_config:
            raise self.nothing_to_do("--target-raid-config")

    def interruption(self, parsed_args: argparse.Namespace, item: Item | None = None) -> str:
        from baremetalclient._http.redact import is_secret
        from baremetalclient.v1.node.actions import ACTIONS

        keys = [key for one in self.patch(parsed_args) for key in one["path"].split("/")]
        return ACTIONS["unset secrets"].interrupts if any(map(is_secret, keys)) else ""

    def act(self, node: str, label: str, parsed_args: argparse.Namespace) -> list[str]:
        # First, since the patch may remove the name.
        if parsed_args.target_raid_config:
            self.client.node.set_target_raid_config(node, {})
        if patch := self.patch(parsed_args):
            self.client.node.update(node, patch)
        return []


class NodeChildrenList(NodeCommand, ShowOne):
    """List the children of a node."""

    examples = ("baremetal node children list node-1",)

    def take_action(self, parsed_args: argparse.Namespace) -> ItemData:
        children = self.client.node.list_children_of_node(parsed_args.node)
        if parsed_args.formatter == "value":
            # A line for each child, as with python-ironicclient.
            return ["children"] * len(children), children
        return ["children"], [children]
