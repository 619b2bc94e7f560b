"""Waiting for servers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient.osc.conditions import NamedWaitCommand
from baremetalclient.osc.services import ComputeCommand

if TYPE_CHECKING:
    import argparse
    from collections.abc import Collection

    from baremetalclient._resource.condition_waits import Kind, ListPoller


class WaitBaremetalServer(ComputeCommand, NamedWaitCommand):
    """Wait until conditions hold for servers.

    A server with the status ERROR that no condition names is a failure, and so is one that is gone
    without the condition 'deleted'; the exit code is 1. It is 124 if the time is over.
    """

    examples = ("baremetal server wait --for status=ACTIVE --timeout 30m server-1 server-2",)
    identifiers = "Name or ID"

    @property
    def kind(self) -> Kind:
        """Servers."""
        from baremetalclient.compute.waiting import SERVER

        return SERVER

    @property
    def known_fields(self) -> Collection[str]:
        """The fields of servers."""
        from baremetalclient.compute.objects import Server

        return sorted(Server.__required_keys__ | Server.__optional_keys__)

    def poller(self, parsed_args: argparse.Namespace, fields: Collection[str]) -> ListPoller:
        """Return what polls the servers."""
        from baremetalclient.compute import waiting

        return waiting.poller(self.compute(parsed_args))
