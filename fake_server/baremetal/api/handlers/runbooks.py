"""``/v1/runbooks``: create, show, list, change and remove runbooks."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import arguments, microversions, tables
from fake_server.baremetal.api import list_query, listing, patches, permissions
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.handlers import node_queries, node_rendering, step_schemas
from fake_server.baremetal.api.handlers.node_traits import trait_schema
from fake_server.baremetal.api.handlers.runbook_traits import RunbookTraitsController
from fake_server.baremetal.api.list_query import ListArgument, ListQuery, expose_list
from fake_server.baremetal.api.lookup import find_runbook
from fake_server.baremetal.api.routing import Controller
from fake_server.baremetal.errors import HTTPForbidden, Invalid, PatchError, RoutingError
from fake_server.baremetal.models import node_resources, runbooks, step_lists
from fake_server.baremetal.resource_fields import RUNBOOKS
from fake_server.baremetal.schemas import ArgumentChecker, checked
from fake_server.common import masking

if TYPE_CHECKING:
    from collections.abc import Sequence

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


def _schema(name: Schema, *, described: bool) -> Schema:
    steps = {"type": "array", "items": step_schemas.RUNBOOK_STEP, "minItems": 1}
    schema = RUNBOOKS.schema(name=name, steps=steps)
    if not described:
        del schema["properties"]["description"]
    return schema | {"required": ["steps", "name"]}


def _distinct_steps(_name: str, runbook: dict[str, Any]) -> dict[str, Any]:
    step_lists.check_duplicates(runbook["steps"])
    return runbook


_CHECKS = (_distinct_steps, RUNBOOKS.converter())
_RUNBOOK = arguments.chain(checked(_schema(_NAME, described=True)), *_CHECKS)
#: Before 1.112 a runbook was named like the trait that nodes need for it.
_OLDER_RUNBOOK = arguments.chain(
    checked(lambda: _schema(trait_schema(), described=False)), *_CHECKS
)
_STEP = ArgumentChecker(step_schemas.RUNBOOK_STEP)


class RunbooksController(Controller):
    """All runbooks."""

    opened = (microversions.RUNBOOKS, "runbooks")
    has_lookup = True

    @expose_list(_LIST, checked=False)
    def get_all(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List runbooks."""
        listed = permissions.check_listing(ctx, "runbook", query.filters.get("project"))
        node_rendering.check_version(ctx, query.fields)
        node_queries.check_sort_key(ctx, query.sort_key)
        fields = query.choose_fields(ctx, RUNBOOKS.listed)
        page = query.page(
            partial(runbooks.get_by_uuid, ctx.session), (*RUNBOOKS.unsortable, "traits")
        )
        owner = listed if isinstance(listed, str) else None
        rows = runbooks.fetch(ctx.session, page, visible_to=owner, public=listed is True)
        return listing.answer(ctx, "runbooks", rows, _show, page, fields, query.detail)

    @expose(runbook_ident=arguments.uuid_or_name, fields=arguments.string_list)
    def get_one(
        self, ctx: Context, runbook_ident: str, fields: list[str] | None = None
    ) -> dict[str, Any]:
        """Show a runbook."""
        found = find_runbook(ctx, runbook_ident)
        if not found["public"] and not permissions.permits(ctx, "baremetal:runbook:get", found):
            # Ironic doesn't fill in what was denied.
            raise HTTPForbidden(HTTPForbidden.template)
        node_rendering.check_version(ctx, fields)
        return listing.chosen(_show(ctx, found), fields)

    @expose(201, body="runbook")
    def post(self, ctx: Context, runbook: Any) -> dict[str, Any]:
        """Create a runbook."""
        permissions.check(ctx, "baremetal:runbook:create")
        check = _RUNBOOK if ctx.minor >= microversions.RUNBOOK_TRAITS else _OLDER_RUNBOOK
        check("runbook", runbook)
        runbook["owner"] = _owner(ctx, runbook)
        created = runbooks.create(ctx.session, runbook)
        ctx.location = ctx.link("runbooks", created["uuid"])
        return _show(ctx, created)

    @expose(body="patch", runbook_ident=arguments.uuid_or_name, patch=patches.patch)
    def patch(self, ctx: Context, runbook_ident: str, patch: patches.Patch = ()) -> dict[str, Any]:
        """Change a runbook."""
        known = [name for name in RUNBOOKS.patchable if RUNBOOKS.since[name] <= ctx.minor]
        patches.check_fields(ctx, patch, known)
        found = find_runbook(ctx, runbook_ident)
        for policy in _policies(patch):
            permissions.check(ctx, policy, found)
        document = node_resources.as_document(tables.runbooks, found)
        _check_owner(document, patch)
        patched = dict(document)
        if patches.values(patch, "/public"):
            patched["owner"] = None
        patched = patches.apply(patched, patch)
        settable = {name: patched[name] for name in RUNBOOKS.settable if name in patched}
        if isinstance(settable.get("steps"), list):
            settable["steps"] = step_schemas.pruned(
                settable["steps"], step_schemas.RUNBOOK_STEP["properties"], _STEP
            )
        _RUNBOOK("patch", settable)
        for name in ("public", "disable_ramdisk"):
            settable[name] = bool(settable.get(name))
        changes = node_resources.changes(tables.runbooks, document, settable, RUNBOOKS.changeable)
        return _show(ctx, runbooks.update(ctx.session, found, changes))

    @expose(204, runbook_ident=arguments.uuid_or_name)
    def delete(self, ctx: Context, runbook_ident: str) -> None:
        """Remove a runbook."""
        found = find_runbook(ctx, runbook_ident)
        permissions.check(ctx, "baremetal:runbook:delete", found)
        runbooks.delete(ctx.session, found)

    def lookup(
        self, ctx: Context, ident: str, *remainder: str
    ) -> tuple[Controller, Sequence[str]] | None:
        """Find the controller of a runbook's traits."""
        if not remainder or remainder[0] != "traits":
            return None
        if ctx.minor < microversions.RUNBOOK_TRAITS:
            raise RoutingError(404, "The API version does not allow runbook traits")
        return RunbookTraitsController(ident), remainder[1:]


def _show(ctx: Context, runbook: Record) -> dict[str, Any]:
    shown = {
        **listing.identity(runbook),
        **RUNBOOKS.shown(runbook),
        "traits": runbook["traits"],
        "links": ctx.links("runbooks", runbook["uuid"]),
        "steps": [{**step, "args": masking.mask(step["args"])} for step in runbook["steps"]],
    }
    if ctx.minor < microversions.RUNBOOK_TRAITS:
        del shown["description"], shown["traits"]
    return shown


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
