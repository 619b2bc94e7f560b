"""``/v1/deploy_templates``: create, show, list, change and remove deploy templates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import arguments, microversions
from fake_server.baremetal.api import node_queries, step_schemas
from fake_server.baremetal.api.list_query import ListArgument
from fake_server.baremetal.api.resources import PlainController
from fake_server.baremetal.api.trait_schemas import trait_schema
from fake_server.baremetal.arguments import NAME_TEXT
from fake_server.baremetal.models.deploy_templates import DEPLOY_TEMPLATES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.api.context import Context
    from fake_server.db.store import Record


class DeployTemplatesController(PlainController):
    """All deploy templates."""

    opened = (microversions.DEPLOY_TEMPLATES, "deploy templates")
    model = DEPLOY_TEMPLATES
    path = "deploy_templates"
    kind = "deploy_template"
    called: ClassVar = {"ident": "template_ident", "values": "template"}
    converter = step_schemas.converter(
        DEPLOY_TEMPLATES.fields, "priority", trait_schema, description=arguments.as_it_is
    )

    @classmethod
    def names(cls) -> list[str]:
        """Return the fields that can be asked for."""
        return DEPLOY_TEMPLATES.fields.names("description")

    @classmethod
    def listed(cls) -> Mapping[str, ListArgument]:
        """Return the arguments of lists, whose marker may be a name."""
        return {**super().listed(), "marker": ListArgument(NAME_TEXT, arguments.name)}

    def check_asked(self, ctx: Context, fields: list[str] | None, sort_key: str = "id") -> None:
        """Refuse sort keys that nodes have in later versions."""
        node_queries.check_sort_key(ctx, sort_key)

    def settable(self, patched: dict[str, Any]) -> dict[str, Any]:
        """Return the fields of a patched template that requests can set."""
        return step_schemas.pruned(super().settable(patched), "priority")

    def more(self, ctx: Context, row: Record) -> dict[str, Any]:
        """Return the steps, with masked arguments."""
        return {"steps": step_schemas.shown(row["steps"], "priority")}
