"""Commands about the vendor methods of a node."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from baremetalclient._http.redact import masked
from baremetalclient._http.text import printable
from baremetalclient.osc.command import Command, Lister, add_show_secrets
from baremetalclient.osc.passthru import COLUMNS, add_call, list_methods, shown_response
from baremetalclient.osc.v1.node.crud import add_node

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from baremetalclient.osc.parser import ArgumentParser


class PassthruCallBaremetalNode(Command):
    """Call a vendor method of a node."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the node, the method and its arguments."""
        add_node(parser)
        add_call(parser)
        add_show_secrets(parser)

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        """Call the method and print its response, if there is one, as JSON."""
        response = shown_response(
            self.client.node.vendor_passthru(
                parsed_args.node,
                parsed_args.method,
                http_method=parsed_args.http_method,
                args=dict(parsed_args.arg),
            )
        )
        if isinstance(response, bytes):
            response = response.decode("utf-8", "replace")
        if response is not None:
            shown = response if parsed_args.show_secrets else masked(response)
            text = shown if isinstance(shown, str) else json.dumps(shown)
            print(printable(text), file=self.app.stdout)


class PassthruListBaremetalNode(Lister):
    """List the vendor methods of a node."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the node."""
        add_node(parser)

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Sequence[Any]]]:
        """Fetch the methods."""
        methods = self.client.node.get_vendor_passthru_methods(parsed_args.node)
        return tuple(COLUMNS.values()), list_methods(methods)
