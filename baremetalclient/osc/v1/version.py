"""The command about versions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient.osc.command import ShowOne, columns_of

if TYPE_CHECKING:
    import argparse

    from baremetalclient.osc.command import ItemData


class ShowBaremetalVersion(ShowOne):
    """Show the version of the client, and the API versions of client and server."""

    examples = ("baremetal version show",)

    def take_action(self, parsed_args: argparse.Namespace) -> ItemData:
        from importlib import metadata

        from baremetalclient.microversion import CLIENT_MAX, CLIENT_MIN
        from baremetalclient.v1.node.features import HISTORY

        negotiated = self.client.negotiated_version
        server_min, server_max = self.client.http_client.server_range()
        if negotiated < HISTORY.since:
            self.report(
                f"API version {negotiated} lacks features that this client uses; 'baremetal node "
                "explain NODE' says which of them matter for a node."
            )
        return columns_of(
            {
                "client": metadata.version("baremetalclient"),
                "client_min": str(CLIENT_MIN),
                "client_max": str(CLIENT_MAX),
                "server_min": str(server_min),
                "server_max": str(server_max),
                "negotiated": str(negotiated),
            }
        )
