"""Base of the commands that delete resources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient.osc.action_command import ActionCommand
from baremetalclient.osc.resource import ResourceCommand

if TYPE_CHECKING:
    import argparse


class Delete(ActionCommand, ResourceCommand):
    """Delete resources that are named or selected; if one fails, the others are deleted anyway."""

    action = "delete"
    verb = "delete"
    # One after the other, since a conductor locks the node that they belong to.
    parallel = 1
    prints_results = True

    def act(self, ident: str, label: str, parsed_args: argparse.Namespace, /) -> list[str]:
        self.manager.delete(ident)
        return [f"Deleted {self.noun} {label}"]
