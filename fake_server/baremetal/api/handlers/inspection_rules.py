"""``/v1/inspection_rules``: create, show, list, change and remove inspection rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import arguments, microversions
from fake_server.baremetal.api import (
    list_query,
    listing,
    node_queries,
    node_rendering,
    patches,
    permissions,
)
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.list_query import ListArgument, ListQuery
from fake_server.baremetal.api.resources import ResourceController
from fake_server.baremetal.arguments import SORT_DIRECTION, UUID_TEXT, ArgumentChecker, checked
from fake_server.baremetal.errors import Invalid, PatchError
from fake_server.baremetal.models.inspection_rules import INSPECTION_RULES
from fake_server.baremetal.rules import checks
from fake_server.baremetal.rules.actions import ACTIONS
from fake_server.baremetal.rules.conditions import CONDITIONS
from fake_server.common.schemas import Schema, object_schema

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context
    from fake_server.db.store import Record

#: Fields that have a value always.
_NEVER_NULL = ("priority", "actions", "conditions")
_LIST_OR_OBJECT: Schema = {"type": ["array", "object"]}
_FIELDS_QUERY: Schema = {"fields": {"type": "array", "items": {"type": "string"}}}
_LIST = {
    "marker": ListArgument({"type": "string"}),
    "limit": list_query.PAGE["limit"],
    "sort_key": ListArgument(
        {
            "type": "string",
            "not": {"type": "string", "enum": list(INSPECTION_RULES.fields.unsortable)},
        }
    ),
    "sort_dir": ListArgument(SORT_DIRECTION),
    "fields": ListArgument(_FIELDS_QUERY["fields"], arguments.string_list),
    "detail": ListArgument({"type": "boolean"}, arguments.boolean),
    "phase": ListArgument({"type": "string"}),
}
_PATH = ArgumentChecker(object_schema({"inspection_rule_uuid": UUID_TEXT}, "inspection_rule_uuid"))


def _operations(names: list[str], minimum: int, **more: Schema) -> Schema:
    return {
        "type": "array",
        "minItems": minimum,
        "items": {
            "type": "object",
            "required": ["op", "args"],
            "properties": {
                "op": {"enum": names},
                "args": _LIST_OR_OBJECT,
                "loop": _LIST_OR_OBJECT,
                **more,
            },
            "additionalProperties": True,
        },
    }


_RULE_SCHEMA = INSPECTION_RULES.fields.schema(
    actions=_operations(list(ACTIONS), 1),
    conditions=_operations(
        [*CONDITIONS, *(f"!{name}" for name in CONDITIONS)],
        0,
        multiple={"enum": ["any", "all", "first", "last"]},
    ),
)
#: The schema of each field of a rule.
PROPERTIES: dict[str, Schema] = _RULE_SCHEMA["properties"]
_RULE = ArgumentChecker(_RULE_SCHEMA)
_PATCHED = arguments.chain(checked(_RULE_SCHEMA), INSPECTION_RULES.fields.converter())


class InspectionRulesController(ResourceController):
    """All inspection rules."""

    model = INSPECTION_RULES
    # Ironic links to an address that isn't there.
    path = "inspection"
    converter = _PATCHED
    since = microversions.INSPECTION_RULES
    closed = "inspection rules"

    @expose(policy="inspection_rule:get", listed=_LIST)
    def get_all(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List rules; of all phases, whichever is asked for, as Ironic does."""
        permissions.check(ctx)
        node_rendering.check_version(ctx, query.fields)
        node_queries.check_sort_key(ctx, query.sort_key)
        fields = query.choose_fields(ctx, INSPECTION_RULES.fields.listed)
        page = self.page(ctx, query)
        rows = INSPECTION_RULES.fetch(ctx.session, page)
        phase = query.filters.get("phase")
        return listing.answer(
            ctx,
            "inspection_rules",
            rows,
            self.show,
            page,
            fields,
            query.detail,
            resource=self.path,
            filters={"phase": phase} if phase else {},
        )

    @expose(policy="inspection_rule:get", query=object_schema(_FIELDS_QUERY))
    def get_one(
        self, ctx: Context, inspection_rule_uuid: str, fields: list[str] | None = None
    ) -> dict[str, Any]:
        """Show a rule."""
        _check_path(inspection_rule_uuid)
        permissions.check(ctx)
        found = INSPECTION_RULES.get_by_uuid(ctx.session, inspection_rule_uuid)
        node_rendering.check_version(ctx, fields)
        return self.show_fields(ctx, found, fields)

    @expose(201, policy="inspection_rule:create", body="inspection_rule", body_schema=_RULE)
    def post(self, ctx: Context, inspection_rule: dict[str, Any]) -> dict[str, Any]:
        """Create a rule."""
        permissions.check(ctx)
        checks.check(inspection_rule)
        _check_values({"conditions": None, **inspection_rule})
        inspection_rule["sensitive"] = bool(inspection_rule.get("sensitive"))
        created = INSPECTION_RULES.create(ctx.session, inspection_rule)
        ctx.location = ctx.link("inspection_rules", created["uuid"])
        return self.show(ctx, created)

    @expose(
        policy="inspection_rule:update",
        body="patch",
        inspection_rule_uuid=arguments.uuid,
        patch=patches.patch,
    )
    def patch(
        self, ctx: Context, inspection_rule_uuid: str, patch: patches.Patch = ()
    ) -> dict[str, Any]:
        """Change a rule."""
        permissions.check(ctx)
        found = INSPECTION_RULES.get_by_uuid(ctx.session, inspection_rule_uuid)
        wanted = patches.values(patch, "/sensitive")
        if found["sensitive"] and wanted and wanted[0] is not None and not wanted[0]:
            raise PatchError(
                patch=list(patch), reason="Inspection rules cannot have the sensitive flag unset."
            )
        settable = self.settable(patches.apply(found, patch))
        _PATCHED("patch", settable)
        checks.check(settable)
        settable.setdefault("priority", 0)
        _check_values({name: settable.get(name) for name in _NEVER_NULL})
        settable["sensitive"] = bool(settable.get("sensitive"))
        changes = INSPECTION_RULES.changes(found, settable)
        if "uuid" in changes:
            # Ironic looks for the rule by its new UUID.
            INSPECTION_RULES.get_by_uuid(ctx.session, changes["uuid"])
        return self.show(ctx, INSPECTION_RULES.update(ctx.session, found, changes))

    @expose(204, policy="inspection_rule:delete")
    def delete(self, ctx: Context, inspection_rule_uuid: str) -> None:
        """Remove a rule."""
        _check_path(inspection_rule_uuid)
        permissions.check(ctx)
        found = INSPECTION_RULES.get_by_uuid(ctx.session, inspection_rule_uuid)
        INSPECTION_RULES.delete(ctx.session, found)

    def more(self, ctx: Context, row: Record) -> dict[str, Any]:
        """Return conditions and actions, unless they are sensitive."""
        if row["sensitive"]:
            return {"conditions": None, "actions": None}
        return {
            "conditions": [_condition(item) for item in row["conditions"]],
            "actions": [_operation(item) for item in row["actions"]],
        }


def _condition(condition: dict[str, Any]) -> dict[str, Any]:
    shown = _operation(condition)
    if "loop" in shown:
        shown["multiple"] = condition.get("multiple", "any")
    return shown


def _operation(operation: dict[str, Any]) -> dict[str, Any]:
    shown = {"op": operation["op"], "args": operation["args"]}
    if operation.get("loop"):
        shown["loop"] = operation["loop"]
    return shown


def _check_path(uuid: str) -> None:
    _PATH.whole({"inspection_rule_uuid": uuid})


def _check_values(rule: dict[str, Any]) -> None:
    for name in _NEVER_NULL:
        if name in rule and rule[name] is None:
            raise Invalid(f"The {name} of an inspection rule can't be left out or null.")
