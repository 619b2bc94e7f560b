"""QoS policies, and their rules for the traffic of ports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common import randomness
from fake_server.common.errors import Conflict, NotFound
from fake_server.networking.kinds import ALIAS, KINDS
from fake_server.networking.models import items, rbac

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.db.store import Record
    from fake_server.networking.models.items import NetworkingSession

_KIND = "policies"
#: The kinds of rules by their types.
RULES = {
    kind.removesuffix("_rules"): kind
    for kind, row in KINDS.items()
    if row.inside and row.parent == _KIND and not kind.startswith(ALIAS)
}
#: The least bandwidth can't be above the most.
_LIMIT = "bandwidth_limit"
_ORDERED = {_LIMIT, "minimum_bandwidth"}
_RATE = "minimum_packet_rate"


def create(session: NetworkingSession, values: Mapping[str, Any]) -> Record:
    """Create a policy without rules, and return it."""
    _check_default(session, values, None)
    revision = int(values["shared"] or values["is_default"])
    policy = items.add(session, _KIND, {**values, "rules": []}, revision=revision)
    rbac.follow(session, _KIND, policy)
    return policy


def update(session: NetworkingSession, policy: Record, changes: Mapping[str, Any]) -> Record:
    """Change a policy and return it."""
    _check_default(session, {**policy, **changes}, policy["id"])
    changed = items.save(session, _KIND, policy, changes)
    rbac.follow(session, _KIND, changed)
    return changed


def delete(session: NetworkingSession, policy: Record) -> None:
    """Remove a policy with its rules; raise Conflict if a network or a port has it."""
    for kind in ("networks", "ports", "floatingips"):
        for item in items.fetch(session, kind):
            if item["qos_policy_id"] == policy["id"]:
                raise Conflict(
                    f"QoS Policy {policy['id']} is used by {KINDS[kind].singular} {item['id']}.",
                    "QosPolicyInUse",
                )
    rbac.forget(session, policy["id"])
    items.remove(session, _KIND, policy["id"])


def default_of(session: NetworkingSession, project_id: str) -> str | None:
    """Return the id of the policy that new networks of a project have, unless they name one."""
    for policy in items.fetch(session, _KIND):
        if policy["is_default"] and policy["project_id"] == project_id:
            return str(policy["id"])
    return None


def rules(policy: Mapping[str, Any], rule_type: str) -> list[Record]:
    """Return the rules of a type that a policy has."""
    return [rule for rule in policy["rules"] if rule["type"] == rule_type]


def find_rule(policy: Mapping[str, Any], ident: str, rule_type: str) -> Record:
    """Return a rule of a policy; raise NotFound if it has no such rule."""
    for rule in policy["rules"]:
        if (rule["id"], rule["type"]) == (ident, rule_type):
            return dict(rule)
    raise NotFound(
        f"QoS rule {ident} for policy {policy['id']} could not be found.", "QosRuleNotFound"
    )


def policy_of(session: NetworkingSession, ident: str) -> Record:
    """Return the policy that has a rule; raise NotFound if none has."""
    for policy in items.fetch(session, _KIND):
        if any(rule["id"] == ident for rule in policy["rules"]):
            return policy
    raise NotFound(f"QoS rule {ident} for policy None could not be found.", "QosRuleNotFound")


def add_rule(
    session: NetworkingSession, policy: Record, values: Mapping[str, Any], rule_type: str
) -> Record:
    """Add a rule to a policy and return it; raise Conflict if it fits no other."""
    rule = {"id": randomness.uuid(), "qos_policy_id": policy["id"], "type": rule_type, **values}
    _check(policy, rule)
    _save(session, policy, [*policy["rules"], rule])
    return rule


def update_rule(
    session: NetworkingSession, policy: Record, rule: Record, changes: Mapping[str, Any]
) -> Record:
    """Change a rule and return it; raise Conflict if it fits no other then."""
    changed = {**rule, **changes}
    _check(policy, changed)
    rules = [changed if one["id"] == rule["id"] else one for one in policy["rules"]]
    _save(session, policy, rules)
    return changed


def remove_rule(session: NetworkingSession, policy: Record, rule: Record) -> None:
    """Remove a rule from a policy."""
    _save(session, policy, [one for one in policy["rules"] if one["id"] != rule["id"]])


def seen_by(project: str | None, policy: Mapping[str, Any]) -> Record:
    """Return a policy as a project sees it, which has a default of its own."""
    return {**policy, "is_default": policy["is_default"] and policy["project_id"] == project}


def _save(session: NetworkingSession, policy: Record, rules: list[Record]) -> None:
    items.save(session, _KIND, policy, {"rules": rules})


def _check_default(session: NetworkingSession, values: Mapping[str, Any], own: str | None) -> None:
    if not values["is_default"]:
        return
    for other in items.fetch(session, _KIND):
        same = other["project_id"] == values["project_id"]
        if other["is_default"] and same and other["id"] != own:
            raise Conflict(
                f"A default QoS policy exists for project {values['project_id']}.",
                "QoSPolicyDefaultAlreadyExists",
            )


def _check(policy: Mapping[str, Any], rule: Mapping[str, Any]) -> None:
    """Raise Conflict if a rule can't be in a policy beside the others."""
    others = [one for one in policy["rules"] if one["id"] != rule["id"]]
    for other in others:
        alike = other["type"] == rule["type"]
        directions = {one.get("direction") for one in (rule, other)}
        if alike and rule["type"] == _RATE and "any" in directions and len(directions) > 1:
            raise _mismatch(policy, rule["direction"], other, other["direction"])
        if {rule["type"], other["type"]} == _ORDERED and rule["direction"] == other["direction"]:
            own, present = (one.get("min_kbps", one.get("max_kbps")) for one in (rule, other))
            if (own > present) if rule["type"] != _LIMIT else (own < present):
                raise _mismatch(policy, own, other, present)
    for other in others:
        alike = other["type"] == rule["type"]
        if alike and other.get("direction") == rule.get("direction"):
            raise Conflict(
                f"Rule {rule['type']} conflicts with rule {other['id']} which already exists in "
                f"QoS Policy {policy['id']}.",
                "QoSRulesConflict",
            )


def _mismatch(
    policy: Mapping[str, Any], value: Any, other: Mapping[str, Any], present: Any
) -> Conflict:
    return Conflict(
        f"Unable to add the rule with value {value} to the policy {policy['id']} as the existing "
        f"rule of type {other['type']} has value {present}.",
        "QoSRuleParameterConflict",
    )
