"""Commands about chassis."""

from __future__ import annotations

from typing import Any

from baremetalclient.osc.delete_command import Delete
from baremetalclient.osc.options import KeyValueOption, Option
from baremetalclient.osc.resource import (
    Create,
    List,
    ResourceCommand,
    Set,
    Show,
    Unset,
    without_links,
)

FIELDS = (Option("description", parse=str), KeyValueOption("extra"))


class _ChassisCommand(ResourceCommand):
    manager_name = "chassis"


class CreateBaremetalChassis(_ChassisCommand, Create):
    """Create a chassis."""

    examples = ("baremetal chassis create --description 'Rack 1'",)
    options = (*FIELDS, Option("uuid"))

    def shown(self, item: dict[str, Any]) -> dict[str, Any]:
        return without_links(item, self.resource_type)


class DeleteBaremetalChassis(_ChassisCommand, Delete):
    """Delete chassis."""

    examples = ("baremetal chassis delete 4cb3a5b8-7e4f-4a6e-9c86-5f7d0a2e8d10",)


class ListBaremetalChassis(_ChassisCommand, List):
    """List chassis."""

    examples = ("baremetal chassis list --fields uuid description",)


class SetBaremetalChassis(_ChassisCommand, Set):
    """Set fields of a chassis."""

    examples = (
        "baremetal chassis set 4cb3a5b8-7e4f-4a6e-9c86-5f7d0a2e8d10 --description 'Rack 2'",
    )
    options = FIELDS


class ShowBaremetalChassis(_ChassisCommand, Show):
    """Show a chassis."""

    examples = ("baremetal chassis show 4cb3a5b8-7e4f-4a6e-9c86-5f7d0a2e8d10",)


class UnsetBaremetalChassis(_ChassisCommand, Unset):
    """Remove fields of a chassis."""

    examples = ("baremetal chassis unset 4cb3a5b8-7e4f-4a6e-9c86-5f7d0a2e8d10 --description",)
    options = FIELDS
