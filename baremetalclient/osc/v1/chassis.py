"""Commands about chassis: what nodes are mounted in."""

from __future__ import annotations

from typing import Any

from baremetalclient.osc.options import Option, Pairs
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

DESCRIPTION = Option(
    field="description", flag="--description", parse=str, help="Description of the chassis."
)
EXTRA = Pairs(field="extra", flag="--extra", help="Arbitrary metadata.")
UUID = Option(field="uuid", flag="--uuid", help="UUID of the new chassis.")


class _Chassis(ResourceCommand):
    manager_name = "chassis"


class CreateBaremetalChassis(_Chassis, Create):
    """Create a chassis."""

    options = (DESCRIPTION, EXTRA, UUID)

    def shown(self, item: dict[str, Any]) -> dict[str, Any]:
        """Return what is shown of the new chassis: all that the server sent."""
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
