"""Commands about chassis."""

from __future__ import annotations

from typing import Any

from baremetalclient.osc.options import KeyValueOption, Option
from baremetalclient.osc.resource import (
    Create,
    Delete,
    List,
    ResourceCommand,
    Set,
    Show,
    Unset,
    without_links,
)

DESCRIPTION = Option("description", parse=str, help="Description of the chassis.")
EXTRA = KeyValueOption("extra", help="Arbitrary metadata.")
UUID = Option("uuid", help="UUID of the new chassis.")


class _Chassis(ResourceCommand):
    manager_name = "chassis"


class CreateBaremetalChassis(_Chassis, Create):
    """Create a chassis."""

    options = (DESCRIPTION, EXTRA, UUID)

    def shown(self, item: dict[str, Any]) -> dict[str, Any]:
        """Return the fields to print: all that the server sent."""
        return without_links(item, self.resource_type)


class DeleteBaremetalChassis(_Chassis, Delete):
    """Delete chassis."""


class ListBaremetalChassis(_Chassis, List):
    """List chassis."""


class SetBaremetalChassis(_Chassis, Set):
    """Set fields of a chassis."""

    options = (DESCRIPTION, EXTRA)


class ShowBaremetalChassis(_Chassis, Show):
    """Show a chassis."""


class UnsetBaremetalChassis(_Chassis, Unset):
    """Remove fields of a chassis."""

    options = (DESCRIPTION, EXTRA)
