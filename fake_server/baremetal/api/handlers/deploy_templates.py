"""``/v1/deploy_templates``: create, show, list, change and remove deploy templates."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import arguments, microversions, tables
from fake_server.baremetal.api import list_query, listing, patches, permissions
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.handlers import node_queries, step_schemas
from fake_server.baremetal.api.handlers.node_traits import trait_schema
from fake_server.baremetal.api.list_query import ListArgument, ListQuery, expose_list
from fake_server.baremetal.api.lookup import addressed, find_named
from fake_server.baremetal.api.routing import Controller
from fake_server.baremetal.models import deploy_templates, node_resources, step_lists
from fake_server.baremetal.resource_fields import DEPLOY_TEMPLATES
from fake_server.baremetal.schemas import NAME_TEXT, ArgumentChecker, checked, fields_schema
from fake_server.common import masking
from fake_server.common.schemas import Schema, object_schema

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context
    from fake_server.db.store import Record

_FIELDS = DEPLOY_TEMPLATES.names("description")
_LIST = {
    **list_query.PAGE,
    "marker": ListArgument(NAME_TEXT, arguments.name),
    **list_query.chosen(_FIELDS),
}


def _schema() -> Schema:
    steps = {"type": "array", "items": step_schemas.DEPLOY_STEP, "minItems": 1}
    return DEPLOY_TEMPLATES.schema(name=trait_schema(), steps=steps) | {
        "required": ["steps", "name"]
    }


def _distinct_steps(_name: str, template: dict[str, Any] | None) -> dict[str, Any] | None:
    if template is not None:
        step_lists.check_duplicates(template["steps"])
    return template


_TEMPLATE = arguments.chain(
    checked(_schema), _distinct_steps, DEPLOY_TEMPLATES.converter(description=arguments.as_it_is)
)
_STEP = ArgumentChecker(step_schemas.DEPLOY_STEP)


_find = partial(find_named, deploy_templates)


class DeployTemplatesController(Controller):
    """All deploy templates."""

    opened = (microversions.DEPLOY_TEMPLATES, "deploy templates")

    @expose_list(_LIST)
    def get_all(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List templates."""
        permissions.check(ctx, "baremetal:deploy_template:get")
        node_queries.check_sort_key(ctx, query.sort_key)
        fields = query.choose_fields(ctx, DEPLOY_TEMPLATES.listed)
        page = query.page(
            partial(deploy_templates.get_by_uuid, ctx.session), DEPLOY_TEMPLATES.unsortable
        )
        rows = deploy_templates.fetch(ctx.session, page)
        return listing.answer(ctx, "deploy_templates", rows, _show, page, fields, query.detail)

    @expose(
        query=object_schema({"fields": fields_schema(_FIELDS)}),
        template_ident=arguments.uuid_or_name,
        fields=arguments.string_list,
    )
    def get_one(
        self, ctx: Context, template_ident: str, fields: list[str] | None = None
    ) -> dict[str, Any]:
        """Show a template."""
        permissions.check(ctx, "baremetal:deploy_template:get")
        return listing.chosen(_show(ctx, addressed(ctx, template_ident, _find)), fields)

    @expose(201, body="template", template=_TEMPLATE)
    def post(self, ctx: Context, template: dict[str, Any]) -> dict[str, Any]:
        """Create a template."""
        permissions.check(ctx, "baremetal:deploy_template:create")
        created = deploy_templates.create(ctx.session, template)
        ctx.location = ctx.link("deploy_templates", created["uuid"])
        return _show(ctx, created)

    @expose(body="patch", template_ident=arguments.uuid_or_name, patch=patches.patch)
    def patch(self, ctx: Context, template_ident: str, patch: patches.Patch = ()) -> dict[str, Any]:
        """Change a template."""
        permissions.check(ctx, "baremetal:deploy_template:update")
        patches.check_fields(ctx, patch, DEPLOY_TEMPLATES.patchable)
        found = addressed(ctx, template_ident, _find)
        document = node_resources.as_document(tables.deploy_templates, found)
        patched = patches.apply(document, patch)
        settable = {name: patched[name] for name in DEPLOY_TEMPLATES.settable if name in patched}
        if isinstance(settable.get("steps"), list):
            settable["steps"] = step_schemas.pruned(
                settable["steps"], step_schemas.DEPLOY_STEP["properties"], _STEP
            )
        _TEMPLATE("patch", settable)
        names = DEPLOY_TEMPLATES.changeable
        changes = node_resources.changes(tables.deploy_templates, document, settable, names)
        return _show(ctx, deploy_templates.update(ctx.session, found, changes))

    @expose(204, template_ident=arguments.uuid_or_name)
    def delete(self, ctx: Context, template_ident: str) -> None:
        """Remove a template."""
        permissions.check(ctx, "baremetal:deploy_template:delete")
        deploy_templates.delete(ctx.session, addressed(ctx, template_ident, _find))


def _show(ctx: Context, template: Record) -> dict[str, Any]:
    return {
        **listing.identity(template),
        **DEPLOY_TEMPLATES.shown(template),
        "links": ctx.links("deploy_templates", template["uuid"]),
        "steps": [
            {
                "interface": step["interface"],
                "step": step["step"],
                "args": masking.mask(step["args"]),
                "priority": step["priority"],
            }
            for step in template["steps"]
        ],
    }
