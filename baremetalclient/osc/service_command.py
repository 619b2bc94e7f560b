"""Bases of commands that need the Block Storage or the Compute service."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from baremetalclient._resource.arguments import is_uuid
from baremetalclient.osc import argument_types
from baremetalclient.osc.command import Command
from baremetalclient.osc.options import Argument, Option, words

if TYPE_CHECKING:
    import argparse

    from baremetalclient.block_storage.service import BlockStorage
    from baremetalclient.compute.service import Compute
    from baremetalclient.osc.parser import ArgumentParser


SERVER = Argument("server", help="Name or ID of the server.")
VOLUME = Argument("volume", help="Name or ID of the volume.")
ATTACH_MODE = Option(
    "attach_mode",
    choices=words("AttachMode", "baremetalclient.compute.objects"),
    help="Attach the volume read-only (ro) or read-write (rw, the default).",
)


class StorageCommand(Command):
    """A command that needs the Block Storage service."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        _add_endpoint(parser, "volume", "block storage")

    def storage(self, parsed_args: argparse.Namespace) -> BlockStorage:
        """Return the client of the Block Storage service."""
        return self.client.block_storage(parsed_args.volume_endpoint)

    def volume_id(self, parsed_args: argparse.Namespace, name_or_id: str) -> str:
        """Return the id of a volume, which is looked up only if a name is given."""
        if is_uuid(name_or_id):
            return name_or_id
        from baremetalclient.block_storage import lookup

        return str(lookup.find_volume(self.storage(parsed_args), name_or_id)["id"])


class ComputeCommand(Command):
    """A command that needs the Compute service."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        _add_endpoint(parser, "compute", "compute")

    def compute(self, parsed_args: argparse.Namespace) -> Compute:
        """Return the client of the Compute service."""
        return self.client.compute(parsed_args.compute_endpoint)

    def server_id(self, parsed_args: argparse.Namespace) -> tuple[Compute, str]:
        """Return the client, and the id of the server that :data:`SERVER` names."""
        from baremetalclient.compute import lookup

        compute = self.compute(parsed_args)
        return compute, lookup.find_server(compute, parsed_args.server)["id"]


def _add_endpoint(parser: ArgumentParser, name: str, service: str) -> None:
    variable = f"OS_{name.upper()}_ENDPOINT"
    parser.add_argument(
        f"--{name}-endpoint",
        metavar="<url>",
        type=argument_types.non_empty,
        default=os.environ.get(variable) or None,
        help=f"Endpoint of the {service} service, needed if there is no service catalog. "
        f"(Env: {variable})",
    )
