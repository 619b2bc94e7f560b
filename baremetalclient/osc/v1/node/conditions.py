"""The command that waits until conditions hold for nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient.osc.conditions import WaitCommand
from baremetalclient.osc.explain_hint import print_hint
from baremetalclient.osc.node_sources import add_sources, choose

if TYPE_CHECKING:
    import argparse
    from collections.abc import Collection, Mapping, Sequence
    from typing import Any

    from baremetalclient._resource.condition_waits import Kind, ListPoller
    from baremetalclient._resource.results import Result
    from baremetalclient._resource.schema import ResourceType
    from baremetalclient.osc.parser import ArgumentParser


class WaitBaremetalNode(WaitCommand):
    """Wait until conditions hold for nodes.

    A node in a failure state that no condition names is a failure, and so is one that is gone
    without the condition 'deleted'; the exit code is 1. It is 124 if the time is over.
    """

    examples = (
        "baremetal node wait --for 'provision_state=active and power_state=power on' "
        "--timeout 30m --select resource-class=gold",
    )
    _filters: Mapping[str, Any]

    @property
    def kind(self) -> Kind:
        from baremetalclient.v1.node.conditions import NODE

        return NODE

    @property
    def resource_type(self) -> ResourceType:
        """The description of nodes."""
        from baremetalclient.v1.node import RESOURCE_TYPE

        return RESOURCE_TYPE

    @property
    def known_fields(self) -> Collection[str]:
        return [field.name for field in self.resource_type.shown_fields]

    def add_sources(self, parser: ArgumentParser) -> None:
        add_sources(parser)

    def find(self, parsed_args: argparse.Namespace) -> Sequence[str]:
        chosen = choose(self, parsed_args)
        self._filters = chosen.filters
        return [target.ident for target in chosen.targets]

    def poller(self, parsed_args: argparse.Namespace, fields: Collection[str]) -> ListPoller:
        from baremetalclient.v1.node import conditions

        return conditions.poller(self.client.node, fields, self._filters)

    def print_hint(self, results: Sequence[Result]) -> None:
        for one in results:
            if one.result == "failed" and one.uuid is not None:
                print_hint(self, one.name or one.uuid)
                return
