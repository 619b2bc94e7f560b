"""Commands about allocations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient import exc
from baremetalclient.osc.command import columns_of
from baremetalclient.osc.delete_command import Delete
from baremetalclient.osc.options import KeyValueOption, Option, RepeatedOption
from baremetalclient.osc.resource import Create, List, ResourceCommand, Set, Show, Unset
from baremetalclient.osc.terminal.progress import add_wait
from baremetalclient.osc.wait_command import ResourceWaitCommand

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.command import ItemData
    from baremetalclient.osc.parser import ArgumentParser

FIELDS = (Option("name"), KeyValueOption("extra"))


class _AllocationCommand(ResourceCommand):
    manager_name = "allocation"
    identifiers = "Name or UUID"


class CreateBaremetalAllocation(_AllocationCommand, Create):
    """Create an allocation."""

    examples = (
        "baremetal allocation create --resource-class gold --trait CUSTOM_GPU --name web --wait 60",
    )
    options = (
        Option("resource_class"),
        RepeatedOption("traits", flag="--trait", help="Trait that the node has to have."),
        RepeatedOption(
            "candidate_nodes",
            flag="--candidate-node",
            help="Node to choose from (name or UUID); by default all nodes.",
        ),
        Option("uuid"),
        Option("owner"),
        Option("node"),
        *FIELDS,
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        add_wait(parser, "the allocation is 'active'")

    def take_action(self, parsed_args: argparse.Namespace) -> ItemData:
        if not parsed_args.node and not parsed_args.resource_class:
            raise exc.CommandError("--resource-class is required, unless --node is given.")
        allocation = self.client.allocation.create(**self.fields(parsed_args))
        if parsed_args.wait_timeout is not None:
            from baremetalclient._bulk.kinds import ALLOCATION
            from baremetalclient.osc.terminal.printing_listener import PrintingListener

            listener = PrintingListener(self, ALLOCATION.name, ALLOCATION.state)
            allocation = self.client.allocation.wait(
                allocation.uuid, timeout=parsed_args.wait_timeout, listener=listener
            )
        return columns_of(self.shown(allocation.to_dict()))


class DeleteBaremetalAllocation(_AllocationCommand, Delete):
    """Delete allocations."""

    examples = ("baremetal allocation delete web",)


class ListBaremetalAllocation(_AllocationCommand, List):
    """List allocations."""

    selectable = True
    examples = ("baremetal allocation list --resource-class gold --state active",)
    options = (Option("node"), Option("resource_class"), Option("state"), Option("owner"))


class SetBaremetalAllocation(_AllocationCommand, Set):
    """Set fields of an allocation."""

    examples = ("baremetal allocation set web --name web-1 --extra team=shop",)
    options = FIELDS


class ShowBaremetalAllocation(_AllocationCommand, Show):
    """Show an allocation."""

    examples = ("baremetal allocation show web",)


class UnsetBaremetalAllocation(_AllocationCommand, Unset):
    """Remove fields of an allocation."""

    examples = ("baremetal allocation unset web --name",)
    options = FIELDS


class WaitBaremetalAllocation(_AllocationCommand, ResourceWaitCommand):
    """Wait until conditions hold for allocations.

    An allocation in the state 'error' that no condition names is a failure, and so is one that is
    gone without the condition 'deleted'; the exit code is 1. It is 124 if the time is over.
    """

    examples = ("baremetal allocation wait --for state=active --timeout 5m web",)
    state_field = "state"
