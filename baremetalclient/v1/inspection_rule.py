"""Inspection rules: conditions and actions for the data of an inspection.

API reference, section "Inspection rules"; since version 1.96.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient._resource.fields import Filter, field, settable
from baremetalclient._resource.resource import Resource
from baremetalclient._resource.schema import NO_CHANGES, ResourceType
from baremetalclient.microversion import v1
from baremetalclient.v1.calls.inspection_rule import InspectionRuleCalls

if TYPE_CHECKING:
    from baremetalclient.v1.objects import Link, RuleAction, RuleCondition
    from baremetalclient.v1.types import InspectionPhase


class InspectionRule(Resource):
    """An inspection rule."""

    __slots__ = ()
    resource_type = ResourceType(
        name="inspection rule",
        path="inspection_rules",
        since=v1(96),
        missing=NO_CHANGES,
        identified_by="rule_id",
        listed=("uuid", "description"),
        list_arguments=("limit", "marker", "sort_key", "sort_dir", "detail", "fields"),
        filters=(Filter("phase", "List only rules of this phase."),),
    )

    uuid: str = field("UUID of the inspection rule.", creatable=True)
    description: str | None = settable("Description of the rule.")
    priority: int = settable("Priority of the rule; rules with a higher priority run first.")
    sensitive: bool = settable("Whether actions and conditions are hidden once they are stored.")
    phase: InspectionPhase | None = settable("Phase in which the rule runs.")
    actions: list[RuleAction] = settable(
        "What the rule does.", given="Sequence[RuleAction]", required=True
    )
    conditions: list[RuleCondition] = settable(
        "When the rule applies.", given="Sequence[RuleCondition]"
    )
    created_at: str = field("Time of its creation.")
    updated_at: str | None = field("Time of its last change.")
    links: list[Link] = field("Links to the inspection rule.", detailed=False)


class InspectionRuleManager(InspectionRuleCalls[InspectionRule]):
    """Calls for inspection rules."""

    resource_class = InspectionRule

    def _create(self, **fields: Any) -> InspectionRule:
        # Ironic 39 accepts a rule without conditions, but then fails to list rules.
        return super()._create(**{"conditions": [], **fields})
