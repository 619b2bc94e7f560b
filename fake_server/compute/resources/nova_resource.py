"""What the resources of Nova that are declared have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.common.dialects.nova import NOVA, Nova
from fake_server.common.resources.resource import Resource
from fake_server.compute.context import Context
from fake_server.compute.formats import FORMATS
from fake_server.compute.policies import POLICIES

if TYPE_CHECKING:
    from fake_server.db.store import Record


class NovaResource(Resource[Context]):
    """A kind of resources of Nova."""

    service_policies = POLICIES
    dialect: ClassVar[Nova] = NOVA
    formats = FORMATS

    def page(self, ctx: Context, rows: list[Record]) -> tuple[list[Record], dict[str, Any]]:
        """Return all rows: few lists of Nova have pages."""
        return rows, {}
