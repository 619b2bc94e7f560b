"""The bases of commands that need other services than the bare metal one."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from baremetalclient.osc import argument_types
from baremetalclient.osc.command import Command

if TYPE_CHECKING:
    import argparse

    from baremetalclient.block_storage.service import BlockStorage
    from baremetalclient.compute.service import Compute
    from baremetalclient.osc.parser import ArgumentParser

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


class StorageCommand(Command):
    """A command that needs the block storage service."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add where the block storage service is."""
        super().add_arguments(parser)
        _add_endpoint(parser, "volume", "block storage")

    def storage(self, parsed_args: argparse.Namespace) -> BlockStorage:
        """Return the client of the block storage service."""
        return self.client.block_storage(parsed_args.volume_endpoint)

    def volume_id(self, parsed_args: argparse.Namespace, name_or_id: str) -> str:
        """Return the id of a volume; what is an id already is not looked for.

        :param name_or_id: what the user calls it.
        """
        if _UUID.fullmatch(name_or_id):
            return name_or_id
        from baremetalclient.block_storage import lookup

        return str(lookup.find_volume(self.storage(parsed_args), name_or_id)["id"])


class ComputeCommand(Command):
    """A command that needs the compute service."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add where the compute service is."""
        super().add_arguments(parser)
        _add_endpoint(parser, "compute", "compute")

    def compute(self, parsed_args: argparse.Namespace) -> Compute:
        """Return the client of the compute service."""
        return self.client.compute(parsed_args.compute_endpoint)


def _add_endpoint(parser: ArgumentParser, name: str, service: str) -> None:
    variable = f"OS_{name.upper()}_ENDPOINT"
    parser.add_argument(
        f"--{name}-endpoint",
        metavar="<url>",
        type=argument_types.filled,
        default=os.environ.get(variable) or None,
        help=f"Endpoint of the {service} service, where no service catalog tells it. "
        f"(Env: {variable})",
    )
