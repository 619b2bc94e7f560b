"""Commands about volume connectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from baremetalclient.osc.delete_command import Delete
from baremetalclient.osc.options import KeyValueOption, Option, words
from baremetalclient.osc.resource import Create, List, ResourceCommand, Set, Show, Unset
from baremetalclient.osc.wait_command import ResourceWaitCommand

if TYPE_CHECKING:
    from collections.abc import Sequence

EXTRA = KeyValueOption("extra")
FIELDS = (
    Option("node_uuid", flag="--node", required=True),
    Option(
        "type",
        help="Type of the connector, one of {choices}.",
        choices=words("VolumeConnectorType"),
        required=True,
    ),
    Option("connector_id", spellings=("--connector_id",), required=True),
    EXTRA,
)


class _VolumeConnectorCommand(ResourceCommand):
    manager_name = "volume_connector"


class CreateBaremetalVolumeConnector(_VolumeConnectorCommand, Create):
    """Create a volume connector."""

    examples = (
        "baremetal volume connector create --node node-1 --type ip --connector-id 192.0.2.11",
    )
    options = (*FIELDS, Option("uuid"))


class DeleteBaremetalVolumeConnector(_VolumeConnectorCommand, Delete):
    """Delete volume connectors."""

    examples = ("baremetal volume connector delete 6a1d2c7e-94f1-4b0d-8f0a-3b8d5e2c9f41",)


class ListBaremetalVolumeConnector(_VolumeConnectorCommand, List):
    """List volume connectors."""

    selectable = True
    examples = ("baremetal volume connector list --node node-1",)
    options: ClassVar[Sequence[Option]] = (
        Option("node"),
        Option("type"),
        Option("connector_id", spellings=("--connector_id",)),
    )


class SetBaremetalVolumeConnector(_VolumeConnectorCommand, Set):
    """Set fields of a volume connector."""

    examples = (
        "baremetal volume connector set 6a1d2c7e-94f1-4b0d-8f0a-3b8d5e2c9f41 --extra team=shop",
    )
    options = FIELDS


class ShowBaremetalVolumeConnector(_VolumeConnectorCommand, Show):
    """Show a volume connector."""

    examples = ("baremetal volume connector show 6a1d2c7e-94f1-4b0d-8f0a-3b8d5e2c9f41",)


class UnsetBaremetalVolumeConnector(_VolumeConnectorCommand, Unset):
    """Remove fields of a volume connector."""

    examples = (
        "baremetal volume connector unset 6a1d2c7e-94f1-4b0d-8f0a-3b8d5e2c9f41 --extra team",
    )
    options = (EXTRA,)


class WaitBaremetalVolumeConnector(_VolumeConnectorCommand, ResourceWaitCommand):
    """Wait until conditions hold for volume connectors, or fail if one is gone unexpectedly."""

    examples = ("baremetal volume connector wait --select node.name=node-1 --for extra/team=shop",)
