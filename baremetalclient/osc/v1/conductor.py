"""Commands about conductors."""

from __future__ import annotations

from typing import Any

from baremetalclient.osc.resource import List, ResourceCommand, Show


class _ConductorCommand(ResourceCommand):
    manager_name = "conductor"
    identifiers = "Host name"


class ListBaremetalConductor(_ConductorCommand, List):
    """List conductors."""

    examples = ("baremetal conductor list --long",)


class ShowBaremetalConductor(_ConductorCommand, Show):
    """Show a conductor."""

    examples = ("baremetal conductor show conductor-1",)

    def shown(self, item: dict[str, Any]) -> dict[str, Any]:
        return item
