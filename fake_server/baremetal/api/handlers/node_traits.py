"""``/v1/nodes/{node}/traits``: list, set, add and remove traits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import arguments
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.resources import NodeController
from fake_server.baremetal.api.trait_schemas import TRAIT, TRAITS
from fake_server.baremetal.conductor.work import node_task
from fake_server.baremetal.errors import Invalid
from fake_server.baremetal.models.traits import NODE_TRAITS

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context


class NodeTraitsController(NodeController):
    """The traits of a node."""

    @expose(policy="node:traits:list")
    def get_all(self, ctx: Context) -> dict[str, Any]:
        """List the traits."""
        return {"traits": NODE_TRAITS.fetch(ctx.session, self.node(ctx))}

    called: ClassVar = {"given": "body"}

    @expose(204, policy="node:traits:set", body="given", given=TRAITS, trait=TRAIT)
    def put(
        self, ctx: Context, trait: str | None = None, given: dict[str, Any] | None = None
    ) -> dict[str, Any] | None:
        """Set all traits, or add one."""
        node = self.node(ctx)
        wanted = (given or {}).get("traits")
        if (trait and wanted is not None) or not (trait or wanted is not None):
            raise Invalid(
                "A single node trait may be added via PUT /v1/nodes/<node identifier>/traits/"
                "<trait> with no body, or all node traits may be replaced via PUT /v1/nodes/"
                "<node identifier>/traits with the list of traits specified in the request body."
            )
        with node_task(ctx.session, node):
            if trait:
                NODE_TRAITS.add(ctx.session, node, trait)
                ctx.location = ctx.link("nodes", f"{self.node_ident}/traits/{trait}")
            else:
                NODE_TRAITS.replace(ctx.session, node, wanted or ())
        if trait or not ctx.session.dialect.answers_traits:
            return None
        ctx.status = 200
        return {"traits": NODE_TRAITS.fetch(ctx.session, node)}

    @expose(204, policy="node:traits:delete", trait=arguments.string)
    def delete(self, ctx: Context, trait: str | None = None) -> None:
        """Remove one trait, or all."""
        node = self.node(ctx)
        with node_task(ctx.session, node):
            if trait:
                NODE_TRAITS.remove(ctx.session, node, trait)
            else:
                NODE_TRAITS.remove_all(ctx.session, node)
