"""Inspection rules: conditions and actions for the data of an inspection.

API reference, section "Inspection rules"; since version 1.96.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient._resource import manager
from baremetalclient._resource.resource import Resource
from baremetalclient._resource.schema import NO_CHANGES, Field, Filter, ResourceType, SettableField
from baremetalclient.microversion import v1

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Unpack

    from baremetalclient._resource.arguments import CallOptions
    from baremetalclient.v1.arguments import InspectionRuleFields, InspectionRuleFilters
    from baremetalclient.v1.objects import Link, Patch, RuleAction, RuleCondition
    from baremetalclient.v1.types import InspectionPhase, SortDirection


RESOURCE_TYPE = ResourceType(
    name="inspection rule",
    plural="inspection rules",
    path="inspection_rules",
    list_key="inspection_rules",
    since=v1(96),
    missing=NO_CHANGES,
    fields=(
        Field("uuid", "UUID", "uuid", creatable=True),
        SettableField("description", "Description"),
        SettableField("priority", "Priority", "integer"),
        SettableField("sensitive", "Sensitive", "boolean"),
        SettableField("phase", "Phase"),
        SettableField("actions", "Actions", "list", sortable=False),
        SettableField("conditions", "Conditions", "list", sortable=False),
        Field("created_at", "Created At", "datetime"),
        Field("updated_at", "Updated At", "datetime"),
        Field("links", "Links", "links", sortable=False, detailed=False),
    ),
    listed=("uuid", "description"),
    filters=(Filter("phase"),),
)


class InspectionRule(Resource):
    """An inspection rule."""

    __slots__ = ()
    resource_type = RESOURCE_TYPE

    uuid: str
    description: str | None
    priority: int
    sensitive: bool
    phase: InspectionPhase | None
    actions: list[RuleAction]
    conditions: list[RuleCondition]
    created_at: str
    updated_at: str | None
    links: list[Link]


class InspectionRuleManager(manager.Manager[InspectionRule]):
    """Calls for inspection rules."""

    resource_class = InspectionRule

    def list(
        self,
        limit: int | None = None,
        marker: str | None = None,
        sort_key: str | None = None,
        sort_dir: SortDirection | None = None,
        detail: bool = False,
        fields: Sequence[str] | None = None,
        *,
        phase: InspectionPhase | None = None,
        **call: Unpack[CallOptions],
    ) -> list[InspectionRule]:
        """Return inspection rules; see :class:`.Manager` for the arguments of all lists.

        :param phase: only those of this phase.
        """
        filters = {"phase": phase}
        return self._list(filters, limit, marker, sort_key, sort_dir, detail, fields, **call)

    def iterate(self, **options: Unpack[InspectionRuleFilters]) -> Iterator[InspectionRule]:
        """Yield all matching inspection rules, holding one page of the server in memory at a time.

        :param options: the filters of :meth:`list`, the arguments of all lists but ``limit``, and
            the options of every call.
        """
        return self._iterate(**options)

    def get(
        self,
        rule_id: str | InspectionRule,
        fields: Sequence[str] | None = None,
        **call: Unpack[CallOptions],
    ) -> InspectionRule:
        """Return an inspection rule.

        :param rule_id: its UUID.
        :param fields: the fields to return, None for all.
        :raises NotFound: if it does not exist.
        """
        return self._get(rule_id, fields, **call)

    def create(self, **attributes: Unpack[InspectionRuleFields]) -> InspectionRule:
        """Create an inspection rule.

        Conditions are always sent: Ironic 39 accepts a rule without them, but then fails to list
        rules.

        :param attributes: ``actions``, optionally ``conditions``, ``description``, ``priority``,
            ``sensitive``, ``phase`` and ``uuid``; and the options of every call.
        :raises InvalidAttribute: if an inspection rule does not have one of the fields.
        :raises Conflict: if the UUID is taken.
        """
        return self._create(**{"conditions": [], **attributes})

    def update(
        self, rule_id: str | InspectionRule, patch: Patch, **call: Unpack[CallOptions]
    ) -> InspectionRule:
        """Change an inspection rule.

        :param rule_id: its UUID.
        :param patch: a JSON patch.
        :returns: the changed inspection rule.
        """
        return self._update(rule_id, patch, **call)

    def delete(self, rule_id: str | InspectionRule, **call: Unpack[CallOptions]) -> None:
        """Delete an inspection rule.

        :param rule_id: its UUID.
        """
        self._delete(rule_id, **call)
