"""``/v1/runbooks``: runbooks, and their traits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import arguments, microversions
from fake_server.baremetal.api import (
    list_query,
    listing,
    node_queries,
    node_rendering,
    patches,
    permissions,
    step_schemas,
)
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.list_query import ListArgument, ListQuery
from fake_server.baremetal.api.lookup import find_runbook
from fake_server.baremetal.api.resources import CHANGE, PlainController
from fake_server.baremetal.api.routing import Controller, Found
from fake_server.baremetal.api.trait_schemas import TRAIT, TRAITS, trait_schema
from fake_server.baremetal.errors import HTTPForbidden, Invalid, PatchError, RoutingError
from fake_server.baremetal.models import runbooks
from fake_server.baremetal.models.runbooks import RUNBOOKS
from fake_server.baremetal.models.traits import RUNBOOK_TRAITS

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context
    from fake_server.common.schemas import Schema
    from fake_server.db.store import Record

_LIST = {
    **list_query.PAGE,
    "marker": ListArgument(converter=arguments.name),
    **list_query.chosen(()),
    "project": ListArgument(converter=arguments.boolean),
}
#: Who may change a field; other fields are guarded by the policy for updates in general.
_GUARDED = {
    "/owner": "baremetal:runbook:update:owner",
    "/public": "baremetal:runbook:update:public",
}
_NAME: Schema = {
    "type": "string",
    "minLength": 1,
    "maxLength": 255,
    "pattern": r"^[A-Za-z0-9\-._~]+$",
}
_RUNBOOK = step_schemas.converter(RUNBOOKS.fields, "order", lambda: _NAME)
#: Before 1.112 a runbook was named like the trait that nodes need for it.
_OLDER_RUNBOOK = step_schemas.converter(RUNBOOKS.fields, "order", trait_schema, "description")


class RunbookTraitsController(Controller):
    """The traits of a runbook: a node needs one of them to go through it."""

    called: ClassVar = {"given": "body"}

    def __init__(self, runbook_ident: str) -> None:
        self.runbook_ident = runbook_ident

    @expose(policy="runbook:get")
    def get_all(self, ctx: Context) -> dict[str, Any]:
        """List the traits."""
        return {"traits": self._runbook(ctx)["traits"]}

    @expose(204, policy="runbook:update", body="given", given=TRAITS, trait=TRAIT)
    def put(
        self, ctx: Context, trait: str | None = None, given: dict[str, Any] | None = None
    ) -> None:
        """Set all traits, or add one."""
        runbook = self._runbook(ctx)
        wanted = (given or {}).get("traits")
        if bool(trait) == (wanted is not None):
            raise Invalid(
                "A single runbook trait may be added via PUT /v1/runbooks/<runbook identifier>/"
                "traits/<trait> with no body, or all runbook traits may be replaced via PUT "
                "/v1/runbooks/<runbook identifier>/traits with the list of traits specified in "
                "the request body."
            )
        if trait:
            RUNBOOK_TRAITS.add(ctx.session, runbook, trait)
            ctx.location = ctx.link("runbooks", f"{self.runbook_ident}/traits/{trait}")
        else:
            RUNBOOK_TRAITS.replace(ctx.session, runbook, wanted or ())

    @expose(204, policy="runbook:update", trait=arguments.string)
    def delete(self, ctx: Context, trait: str | None = None) -> None:
        """Remove one trait, or all."""
        runbook = self._runbook(ctx)
        if trait:
            RUNBOOK_TRAITS.remove(ctx.session, runbook, trait)
        else:
            RUNBOOK_TRAITS.remove_all(ctx.session, runbook)

    def _runbook(self, ctx: Context) -> Record:
        return _permitted(ctx, self.runbook_ident)


class RunbooksController(PlainController):
    """All runbooks."""

    opened = (microversions.RUNBOOKS, "runbooks")
    has_lookup = True
    model = RUNBOOKS
    path = "runbooks"
    kind = "runbook"
    asks_first = False
    called: ClassVar = {"ident": "runbook_ident", "values": "runbook"}
    converter = _RUNBOOK

    @expose(policy="runbook:list", listed=_LIST, checked=False)
    def get_all(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List runbooks."""
        listed = permissions.check_listing(ctx, "runbook", query.filters.get("project"))
        node_rendering.check_version(ctx, query.fields)
        node_queries.check_sort_key(ctx, query.sort_key)
        fields = query.choose_fields(ctx, RUNBOOKS.fields.listed)
        page = self.page(ctx, query)
        owner = listed if isinstance(listed, str) else None
        found = runbooks.visible(owner, public=listed is True)
        rows = RUNBOOKS.fetch(ctx.session, page, *found)
        return listing.answer(ctx, self.path, rows, self.show, page, fields, query.detail)

    @expose(policy="runbook:get", ident=arguments.uuid_or_name)
    def get_one(self, ctx: Context, ident: str, fields: list[str] | None = None) -> dict[str, Any]:
        """Show a runbook."""
        found = find_runbook(ctx, ident)
        is_public = found["public"] and permissions.in_scope(ctx, "baremetal:runbook:get")
        if not is_public and not permissions.permits(ctx, "baremetal:runbook:get", found):
            # Ironic doesn't fill in what was denied.
            raise HTTPForbidden(HTTPForbidden.template)
        node_rendering.check_version(ctx, fields)
        return listing.chosen(self.show(ctx, found), fields)

    @expose(201, policy="runbook:create", body="values")
    def post(self, ctx: Context, values: Any) -> dict[str, Any]:
        """Create a runbook."""
        permissions.check(ctx)
        check = _RUNBOOK if ctx.minor >= microversions.RUNBOOK_TRAITS else _OLDER_RUNBOOK
        check("runbook", values)
        permissions.check_steps(ctx, values["steps"], None)
        values["owner"] = _owner(ctx, values)
        return self.created(ctx, RUNBOOKS.create(ctx.session, values))

    @CHANGE
    def patch(self, ctx: Context, ident: str, patch: patches.Patch = ()) -> dict[str, Any]:
        """Change a runbook."""
        known = [
            name for name in RUNBOOKS.fields.patchable if RUNBOOKS.fields.since[name] <= ctx.minor
        ]
        patches.check_fields(ctx, patch, known)
        found = find_runbook(ctx, ident)
        for policy in _policies(patch):
            permissions.check(ctx, policy, found)
        document = RUNBOOKS.document(found)
        _check_owner(document, patch)
        public = patches.values(patch, "/public")
        patched = patches.apply(document | ({"owner": None} if public else {}), patch)
        settable = step_schemas.pruned(self.settable(patched), "order")
        _RUNBOOK("patch", settable)
        if patches.begins_at(patch, "/steps"):
            permissions.check_steps(ctx, settable["steps"], None)
        for name in ("public", "disable_ramdisk"):
            settable[name] = bool(settable.get(name))
        changes = RUNBOOKS.changes(document, settable)
        return self.show(ctx, RUNBOOKS.update(ctx.session, found, changes))

    def find(self, ctx: Context, ident: str, action: str) -> Record:
        """Return what a request names, if the caller may do that to it."""
        return _permitted(ctx, ident)

    def more(self, ctx: Context, row: Record) -> dict[str, Any]:
        """Return the steps, with masked arguments."""
        return {"steps": step_schemas.shown(row["steps"], "order")}

    def lookup(self, ctx: Context, ident: str, *remainder: str) -> Found:
        """Find the controller of a runbook's traits."""
        if not remainder or remainder[0] != "traits":
            return None
        if ctx.minor < microversions.RUNBOOK_TRAITS:
            raise RoutingError(404, "The API version does not allow runbook traits")
        return RunbookTraitsController(ident), remainder[1:]


def _permitted(ctx: Context, ident: str) -> Record:
    runbook = find_runbook(ctx, ident)
    permissions.check(ctx, owned=runbook)
    return runbook


def _owner(ctx: Context, runbook: dict[str, Any]) -> str | None:
    """Return the owner of a new runbook; raise Invalid for another project or a public runbook."""
    project = permissions.owner(ctx, "runbook", runbook.get("owner"))
    if permissions.project_id(ctx) and runbook.get("public"):
        raise Invalid("Cannot create a public runbook as a project scoped admin.")
    return project


def _policies(operations: patches.Patch) -> list[str]:
    """Return the policies that guard what a patch does, in the order of the checks."""
    found, general = [], not operations
    for operation in operations:
        guards = [_GUARDED[path] for path in _GUARDED if operation["path"].startswith(path)]
        found += guards
        general = general or not guards
    return [*found, "baremetal:runbook:update"] if general else found


def _check_owner(runbook: Record, operations: patches.Patch) -> None:
    """Raise PatchError for an owner of a runbook that is public after the patch."""
    if not patches.values(operations, "/owner"):
        return
    public = patches.values(operations, "/public")
    if public[0] if public else runbook["public"]:
        raise PatchError(
            patch=list(operations), reason="There cannot be an owner for a public runbook"
        )
