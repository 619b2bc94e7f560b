"""``/v2.0/qos``: the rules of QoS policies, and their types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import Forbidden, NotFound, UnknownAddress
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.networking import bodies, lists, views
from fake_server.networking.kinds import ALIAS, DSCP_MARKS, KINDS, LARGEST
from fake_server.networking.models import qos
from fake_server.networking.policies import POLICIES

if TYPE_CHECKING:
    from fake_server.db.store import Record
    from fake_server.networking.context import Handler, NetworkingContext

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)


def _all(action: str) -> list[str]:
    """Return the policies of doing something to a rule, whatever its type."""
    return [KINDS[kind].policy(action) for kind in qos.RULES.values()]


def _aliases(action: str) -> list[str]:
    """Return the policies of doing something to a rule that is named by its id alone."""
    return [KINDS[kind].policy(action) for kind in KINDS if kind.startswith(ALIAS)]


@ROUTES.add("GET", "/v2.0/rule-types", "get_rule_type")
def list_types(ctx: NetworkingContext) -> Response:
    """List the types of rules."""
    found = [{"type": one} for one in qos.RULES if ctx.may("get_rule_type", {})]
    return encode(200, {"rule_types": found})


@ROUTES.add("GET", "/v2.0/rule-types/{rule_type}", "get_rule_type")
def show_type(ctx: NetworkingContext, rule_type: str) -> Response:
    """Show what the rules of a type can be."""
    if not ctx.is_admin:
        raise Forbidden("Not authorized.", "NotAuthorized")
    if not ctx.may("get_rule_type", {}):
        raise NotFound
    if rule_type not in qos.RULES:
        raise NotFound
    names = [name for name in KINDS[qos.RULES[rule_type]].attributes if name != "id"]
    driver = {
        "name": "openvswitch",
        "supported_parameters": [_parameter(name) for name in names],
    }
    return encode(200, {"rule_type": {"type": rule_type, "drivers": [driver]}})


@ROUTES.add("GET", "/v2.0/policies/{ident}/{rules}", *_all("get"))
def list_rules(ctx: NetworkingContext, ident: str, rules: str) -> Response:
    """List the rules of a type that a policy has."""
    kind, rule_type = _kind(rules)
    policy = ctx.visible("policies", ident)
    rows = [_with_policy(rule) for rule in policy["rules"] if rule["type"] == rule_type]
    body = lists.answer(ctx, kind, rows)
    return encode(200, {**body, kind: [views.inside(kind, rule) for rule in body[kind]]})


@ROUTES.add("POST", "/v2.0/policies/{ident}/{rules}", *_all("create"))
def create(ctx: NetworkingContext, ident: str, rules: str) -> Response:
    """Add a rule to a policy, or several."""
    kind, rule_type = _kind(rules)
    wanted, several = bodies.read(ctx, kind)
    ctx.enforce("create", kind, {"policy_id": ident})
    made = [
        qos.add_rule(ctx.session, ctx.visible("policies", ident), rule_type, values)
        for values in wanted
    ]
    # Of several, Neutron shows what is kept of them.
    return encode(201, {kind: made}) if several else _answer(201, kind, made[0])


@ROUTES.add("GET", "/v2.0/policies/{ident}/{rules}/{rule_id}", *_all("get"))
def show(ctx: NetworkingContext, ident: str, rules: str, rule_id: str) -> Response:
    """Show a rule of a policy."""
    kind, rule_type = _kind(rules)
    return _show(ctx, kind, qos.find_rule(ctx.visible("policies", ident), rule_type, rule_id))


@ROUTES.add("PUT", "/v2.0/policies/{ident}/{rules}/{rule_id}", *_all("update"))
def update(ctx: NetworkingContext, ident: str, rules: str, rule_id: str) -> Response:
    """Change a rule of a policy."""
    kind, rule_type = _kind(rules)
    return _update(ctx, kind, rule_type, ctx.visible("policies", ident), rule_id)


@ROUTES.add("DELETE", "/v2.0/policies/{ident}/{rules}/{rule_id}", *_all("delete"))
def delete(ctx: NetworkingContext, ident: str, rules: str, rule_id: str) -> Response:
    """Remove a rule from a policy."""
    kind, rule_type = _kind(rules)
    return _delete(ctx, kind, rule_type, ctx.visible("policies", ident), rule_id)


@ROUTES.add("GET", "/v2.0/alias-{alias}-rules/{rule_id}", *_aliases("get"))
def show_alias(ctx: NetworkingContext, alias: str, rule_id: str) -> Response:
    """Show a rule by its id alone."""
    kind, rule_type = _aliased(alias)
    return _show(ctx, kind, qos.find_rule(_policy(ctx, rule_id), rule_type, rule_id))


@ROUTES.add("PUT", "/v2.0/alias-{alias}-rules/{rule_id}", *_aliases("update"))
def update_alias(ctx: NetworkingContext, alias: str, rule_id: str) -> Response:
    """Change a rule by its id alone."""
    kind, rule_type = _aliased(alias)
    return _update(ctx, kind, rule_type, _policy(ctx, rule_id), rule_id)


@ROUTES.add("DELETE", "/v2.0/alias-{alias}-rules/{rule_id}", *_aliases("delete"))
def delete_alias(ctx: NetworkingContext, alias: str, rule_id: str) -> Response:
    """Remove a rule by its id alone."""
    kind, rule_type = _aliased(alias)
    return _delete(ctx, kind, rule_type, _policy(ctx, rule_id), rule_id)


def _kind(rules: str) -> tuple[str, str]:
    """Return the kind of rules at an address, and their type."""
    rule_type = rules.removesuffix("_rules")
    if qos.RULES.get(rule_type) != rules:
        raise UnknownAddress
    return rules, rule_type


def _aliased(alias: str) -> tuple[str, str]:
    """Return the kind of rules at an address of their own, and their type."""
    rule_type = alias.replace("-", "_")
    kind = f"{ALIAS}{rule_type}_rules"
    if kind not in KINDS:
        raise UnknownAddress
    return kind, rule_type


def _policy(ctx: NetworkingContext, rule_id: str) -> Record:
    return ctx.visible("policies", qos.policy_of(ctx.session, rule_id)["id"])


def _show(ctx: NetworkingContext, kind: str, rule: Record) -> Response:
    ctx.enforce("get", kind, _with_policy(rule))
    return _answer(200, kind, views.of_fields(ctx, rule))


def _update(
    ctx: NetworkingContext, kind: str, rule_type: str, policy: Record, rule_id: str
) -> Response:
    changes = bodies.read_changes(ctx, kind)
    rule = qos.find_rule(policy, rule_type, rule_id)
    ctx.enforce("update", kind, _with_policy(rule))
    return _answer(200, kind, qos.update_rule(ctx.session, policy, rule, changes))


def _delete(
    ctx: NetworkingContext, kind: str, rule_type: str, policy: Record, rule_id: str
) -> Response:
    rule = qos.find_rule(policy, rule_type, rule_id)
    ctx.enforce("delete", kind, _with_policy(rule))
    qos.remove_rule(ctx.session, policy, rule)
    return Response(204)


def _answer(status: int, kind: str, rule: Record) -> Response:
    return encode(status, {KINDS[kind].singular: views.inside(kind, rule)})


def _with_policy(rule: Record) -> Record:
    """Return a rule as policies see it."""
    return {**rule, "policy_id": rule["qos_policy_id"]}


def _parameter(name: str) -> dict[str, Any]:
    """Return what an attribute of rules can be."""
    found: dict[str, Any] = {"parameter_name": name}
    if name == "direction":
        choices = ["egress", "ingress"]
        return {**found, "parameter_type": "choices", "parameter_values": choices}
    if name == "dscp_mark":
        choices = list(DSCP_MARKS)
        return {**found, "parameter_type": "choices", "parameter_values": choices}
    bounds = {"start": 0, "end": LARGEST}
    return {**found, "parameter_type": "range", "parameter_values": bounds}
