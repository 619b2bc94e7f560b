"""``/v2.0/qos``: the rules of QoS policies, and their types."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import Forbidden, NotFound
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.networking.handlers.inside import Inside
from fake_server.networking.kinds import ALIAS, DSCP_MARKS, KINDS, LARGEST
from fake_server.networking.models import qos
from fake_server.networking.policies import POLICIES

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response
    from fake_server.networking.context import Handler, NetworkingContext

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)


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


for _name, _kind in qos.RULES.items():
    _rules = Inside(
        _kind,
        partial(qos.rules, rule_type=_name),
        partial(qos.find_rule, rule_type=_name),
        partial(qos.add_rule, rule_type=_name),
        qos.update_rule,
        qos.remove_rule,
    )
    _rules.add_to(ROUTES)
    if f"{ALIAS}{_kind}" in KINDS:
        replace(_rules, kind=f"{ALIAS}{_kind}", above=qos.policy_of).add_to(ROUTES)


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
