"""``/v1/deploy_templates``: create, show, list, change and remove deploy templates."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import arguments, microversions
from fake_server.baremetal.api import list_query, listing, patches, permissions
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.handlers import node_queries, step_schemas
from fake_server.baremetal.api.handlers.node_traits import trait_schema
from fake_server.baremetal.api.list_query import ListArgument, ListQuery, expose_list
from fake_server.baremetal.api.lookup import addressed, find_named
from fake_server.baremetal.api.resources import ResourceController
from fake_server.baremetal.models.deploy_templates import DEPLOY_TEMPLATES
from fake_server.baremetal.schemas import NAME_TEXT, fields_schema
from fake_server.common.schemas import object_schema

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context
    from fake_server.db.store import Record

_FIELDS = DEPLOY_TEMPLATES.fields.names("description")
_LIST = {
    **list_query.PAGE,
    "marker": ListArgument(NAME_TEXT, arguments.name),
    **list_query.chosen(_FIELDS),
}
_TEMPLATE = step_schemas.converter(
    DEPLOY_TEMPLATES.fields, "priority", trait_schema, description=arguments.as_it_is
)
_find = partial(find_named, DEPLOY_TEMPLATES)


class DeployTemplatesController(ResourceController):
    """All deploy templates."""

    opened = (microversions.DEPLOY_TEMPLATES, "deploy templates")
    model = DEPLOY_TEMPLATES
    path = "deploy_templates"
    converter = _TEMPLATE

    @expose_list(_LIST)
    def get_all(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List templates."""
        permissions.check(ctx, "baremetal:deploy_template:get")
        node_queries.check_sort_key(ctx, query.sort_key)
        fields = query.choose_fields(ctx, DEPLOY_TEMPLATES.fields.listed)
        page = self.page(ctx, query)
        rows = DEPLOY_TEMPLATES.fetch(ctx.session, page)
        return listing.answer(ctx, self.path, rows, self.show, page, fields, query.detail)

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
        return self.show_fields(ctx, addressed(ctx, template_ident, _find), fields)

    @expose(201, body="template", template=_TEMPLATE)
    def post(self, ctx: Context, template: dict[str, Any]) -> dict[str, Any]:
        """Create a template."""
        permissions.check(ctx, "baremetal:deploy_template:create")
        return self.created(ctx, DEPLOY_TEMPLATES.create(ctx.session, template))

    @expose(body="patch", template_ident=arguments.uuid_or_name, patch=patches.patch)
    def patch(self, ctx: Context, template_ident: str, patch: patches.Patch = ()) -> dict[str, Any]:
        """Change a template."""
        permissions.check(ctx, "baremetal:deploy_template:update")
        patches.check_fields(ctx, patch, DEPLOY_TEMPLATES.fields.patchable)
        found = addressed(ctx, template_ident, _find)
        document = DEPLOY_TEMPLATES.document(found)
        settable = self.settable(patches.apply(document, patch))
        step_schemas.prune(settable, "priority")
        changes = self.changes(document, settable)
        return self.show(ctx, DEPLOY_TEMPLATES.update(ctx.session, found, changes))

    @expose(204, template_ident=arguments.uuid_or_name)
    def delete(self, ctx: Context, template_ident: str) -> None:
        """Remove a template."""
        permissions.check(ctx, "baremetal:deploy_template:delete")
        DEPLOY_TEMPLATES.delete(ctx.session, addressed(ctx, template_ident, _find))

    def more(self, ctx: Context, row: Record) -> dict[str, Any]:
        """Return the steps, with masked arguments."""
        return {"steps": step_schemas.shown(row["steps"], "priority")}
