"""``/v1/runbooks/{runbook}/traits``: list, set, add and remove traits of a runbook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import arguments
from fake_server.baremetal.api import permissions
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.handlers.node_traits import trait_schema, traits_schema
from fake_server.baremetal.api.lookup import find_runbook
from fake_server.baremetal.api.routing import Controller
from fake_server.baremetal.errors import Invalid
from fake_server.baremetal.models import runbooks
from fake_server.baremetal.schemas import ArgumentChecker

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context
    from fake_server.db.store import Record

_TRAIT = ArgumentChecker(trait_schema)
_BODY = ArgumentChecker(traits_schema)


class RunbookTraitsController(Controller):
    """The traits of a runbook: a node needs one of them to go through it."""

    def __init__(self, runbook_ident: str) -> None:
        self.runbook_ident = runbook_ident

    @expose()
    def get_all(self, ctx: Context) -> dict[str, Any]:
        """List the traits."""
        return {"traits": self._runbook(ctx, "get")["traits"]}

    @expose(204, body="body", body_converter=_BODY.argument, trait=_TRAIT.argument)
    def put(
        self, ctx: Context, trait: str | None = None, body: dict[str, Any] | None = None
    ) -> None:
        """Set all traits, or add one."""
        runbook = self._runbook(ctx, "update")
        wanted = (body or {}).get("traits")
        if bool(trait) == (wanted is not None):
            raise Invalid(
                "A single runbook trait may be added via PUT /v1/runbooks/<runbook identifier>/"
                "traits/<trait> with no body, or all runbook traits may be replaced via PUT "
                "/v1/runbooks/<runbook identifier>/traits with the list of traits specified in "
                "the request body."
            )
        if trait:
            runbooks.add_trait(ctx.session, runbook, trait)
            ctx.location = ctx.link("runbooks", f"{self.runbook_ident}/traits/{trait}")
        else:
            runbooks.replace_traits(ctx.session, runbook, wanted or ())

    @expose(204, trait=arguments.string)
    def delete(self, ctx: Context, trait: str | None = None) -> None:
        """Remove one trait, or all."""
        runbook = self._runbook(ctx, "update")
        if trait:
            runbooks.remove_trait(ctx.session, runbook, trait)
        else:
            runbooks.remove_all_traits(ctx.session, runbook)

    def _runbook(self, ctx: Context, action: str) -> Record:
        runbook = find_runbook(ctx, self.runbook_ident)
        permissions.check(ctx, f"baremetal:runbook:{action}", runbook)
        return runbook
