"""Commands about allocations: finding nodes that fit, and reserving them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient import exc
from baremetalclient.osc.command import columns_of
from baremetalclient.osc.options import Option, Pairs, Several
from baremetalclient.osc.resource import Create, Delete, List, ResourceCommand, Set, Show, Unset
from baremetalclient.osc.waiting import POLL_INTERVAL, Backoff, ProgressReporter, add_wait

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.command import ItemData
    from baremetalclient.osc.parser import ArgumentParser

NAME = Option(field="name", flag="--name", help="Name of the allocation.")
EXTRA = Pairs(field="extra", flag="--extra", help="Arbitrary metadata.")


class _Allocation(ResourceCommand):
    manager_name = "allocation"
    identifiers = "Name or UUID"


class CreateBaremetalAllocation(_Allocation, Create):
    """Create an allocation."""

    options = (
        Option(field="resource_class", flag="--resource-class", help="Resource class to ask for."),
        Several(field="traits", flag="--trait", help="Trait to ask for."),
        Several(
            field="candidate_nodes",
            flag="--candidate-node",
            help="Node to choose from (name or UUID); without any, all nodes are.",
        ),
        NAME,
        Option(field="uuid", flag="--uuid", help="UUID of the new allocation."),
        Option(field="owner", flag="--owner", help="Owner of the allocation."),
        EXTRA,
        Option(
            field="node",
            flag="--node",
            help="Node that is deployed already, to record an allocation for it.",
        ),
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options and ``--wait``."""
        super().add_arguments(parser)
        add_wait(parser, "the allocation is 'active'")

    def take_action(self, parsed_args: argparse.Namespace) -> ItemData:
        """Create the allocation, and wait for it if asked to."""
        if not parsed_args.node and not parsed_args.resource_class:
            raise exc.CommandError("--resource-class is required, unless --node is given.")
        allocation = self.client.allocation.create(**self.fields(parsed_args))
        if parsed_args.wait_timeout is not None:
            allocation = self.client.allocation.wait(
                allocation.uuid,
                timeout=parsed_args.wait_timeout,
                poll_interval=POLL_INTERVAL,
                poll_delay_function=Backoff().delay,
                progress=ProgressReporter(self),
            )
        return columns_of(self.shown(allocation.to_dict()))


class DeleteBaremetalAllocation(_Allocation, Delete):
    """Delete allocations."""


class ListBaremetalAllocation(_Allocation, List):
    """List allocations."""

    options = (
        Option(field="node", flag="--node", help="List only the allocation of this node."),
        Option(
            field="resource_class",
            flag="--resource-class",
            help="List only allocations of this resource class.",
        ),
        Option(field="state", flag="--state", help="List only allocations in this state."),
        Option(field="owner", flag="--owner", help="List only allocations of this owner."),
    )


class SetBaremetalAllocation(_Allocation, Set):
    """Set fields of an allocation."""

    options = (NAME, EXTRA)


class ShowBaremetalAllocation(_Allocation, Show):
    """Show an allocation."""


class UnsetBaremetalAllocation(_Allocation, Unset):
    """Remove fields of an allocation."""

    options = (NAME, EXTRA)
