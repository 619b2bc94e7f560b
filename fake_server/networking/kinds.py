"""The kinds of resources of the Networking service, a row for each.

What can be done with them is in :mod:`.models`, in a module for each kind.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from fake_server.networking import nested_values, network_kinds, rule_values, values
from fake_server.networking.attributes import REQUIRED, Attribute, Kind
from fake_server.networking.standard import (
    FIXED,
    KEPT,
    NAME,
    OFF,
    OPTIONAL_TEXT,
    ROUTES,
    SORTED_ONLY,
    STANDARD,
    SWITCH,
    UNFILTERED,
    UNSORTED,
    standard_without,
    unlisted,
)

if TYPE_CHECKING:
    from collections.abc import Mapping


_GATEWAY = "external_gateway_info"
_OPTIONAL_SWITCH = values.optional(values.boolean)
_OF_PROJECT = {name: STANDARD[name] for name in ("id", "tenant_id", "name")}
#: The largest amount that a QoS rule can have.
LARGEST = 2**31 - 1
_AMOUNT = values.between(0, LARGEST)
#: The marks that traffic can have.
DSCP_MARKS = (0, *range(8, 41, 2), 44, 46, 48, 56)


_MANY = Attribute(_AMOUNT, REQUIRED, filters=False)
_BURST = Attribute(_AMOUNT, 0, filters=False)
_DIRECTION = unlisted(values.one_of(("egress", "ingress")), "egress")
_ANY_DIRECTION = unlisted(values.one_of(("egress", "ingress", "any")), "egress")
_DSCP_MARK = Attribute(values.one_of(DSCP_MARKS, values.integer), REQUIRED, filters=False)
_QOS_RULES: Mapping[str, Mapping[str, Attribute]] = {
    "bandwidth_limit": {"max_kbps": _MANY, "max_burst_kbps": _BURST, "direction": _DIRECTION},
    "packet_rate_limit": {"max_kpps": _MANY, "max_burst_kpps": _BURST, "direction": _DIRECTION},
    "dscp_marking": {"dscp_mark": _DSCP_MARK},
    "minimum_bandwidth": {"min_kbps": _MANY, "direction": _DIRECTION},
    "minimum_packet_rate": {"min_kpps": _MANY, "direction": _ANY_DIRECTION},
}
#: The rules that have an address of their own, too, and what their names begin with there.
_QOS_ALIASES = [name for name in _QOS_RULES if name != "packet_rate_limit"]
ALIAS = "alias_"


def _qos_rule(rule_type: str, attributes: Mapping[str, Attribute]) -> Kind:
    """Return a kind of rules of QoS policies."""
    return Kind(
        f"{rule_type}_rules",
        {"id": FIXED, **attributes},
        parent="policies",
        inside=True,
        named_alone=rule_type.startswith(ALIAS),
    )


_ROWS = (
    *network_kinds.KINDS,
    Kind(
        "security_groups",
        {
            **STANDARD,
            "name": Attribute(values.group_name, ""),
            "stateful": replace(SWITCH, sorts=False),
            "shared": UNSORTED,
            "security_group_rules": UNFILTERED,
        },
        parent="security_groups",
        absent=("Security group {} does not exist", "SecurityGroupNotFound"),
        shares_as="security_group",
    ),
    Kind(
        "security_group_rules",
        {
            **standard_without("name", "tags"),
            "description": Attribute(values.text(), "", sorts=False),
            "security_group_id": Attribute(values.text(36), REQUIRED, update=False),
            "direction": Attribute(values.one_of(("ingress", "egress")), REQUIRED, update=False),
            "ethertype": Attribute(rule_values.ethertype, "IPv4", update=False),
            "protocol": Attribute(rule_values.protocol, update=False),
            "port_range_min": Attribute(rule_values.port, update=False),
            "port_range_max": Attribute(rule_values.port, update=False),
            "remote_ip_prefix": Attribute(rule_values.prefix, update=False),
            "remote_group_id": Attribute(update=False),
            "remote_address_group_id": Attribute(update=False),
            "normalized_cidr": FIXED,
            "belongs_to_default_sg": UNSORTED,
        },
        parent="security_groups",
        hidden=("tags",),
        absent=("Security group rule {} does not exist", "SecurityGroupRuleNotFound"),
    ),
    Kind(
        "address_groups",
        {
            **standard_without("tags"),
            "description": Attribute(values.text(1024), ""),
            "addresses": unlisted(values.items_of(values.subnet), (), update=False),
            "shared": UNFILTERED,
        },
        parent="address_groups",
        hidden=("shared", "tags"),
        absent=("Address group {} could not be found.", "AddressGroupNotFound"),
        shares_as="address_group",
    ),
    Kind(
        "rbac_policies",
        {
            **dict.fromkeys(("id",), UNSORTED),
            "object_type": Attribute(update=False, sorts=False),
            "object_id": Attribute(values.uuid, REQUIRED, update=False, sorts=False),
            "target_tenant": Attribute(values.target_project, REQUIRED, sorts=False),
            "tenant_id": Attribute(values.text(), update=False, sorts=False),
            "action": Attribute(values.text(), REQUIRED, update=False, sorts=False),
        },
        hidden=KEPT,
        absent=("RBAC policy of type unknown with ID {} not found", "RbacPolicyNotFound"),
        columns=("object_id",),
    ),
    Kind(
        "routers",
        {
            **STANDARD,
            "admin_state_up": SWITCH,
            "status": SORTED_ONLY,
            "external_gateway_info": unlisted(nested_values.gateway, MappingProxyType({})),
            "ha": unlisted(_OPTIONAL_SWITCH),
            "distributed": unlisted(_OPTIONAL_SWITCH),
            "flavor_id": Attribute(values.optional(values.uuid), update=False, filters=False),
            "availability_zones": UNFILTERED,
            "availability_zone_hints": unlisted(
                values.items_of(values.zone, null=False), (), update=False
            ),
            "routes": unlisted(ROUTES, (), create=False),
        },
        needs={f"{_GATEWAY.replace(':', '.')}.network_id": "networks"},
        absent=("Router {} could not be found", "RouterNotFound"),
    ),
    Kind(
        "floatingips",
        {
            **standard_without("name"),
            "floating_network_id": Attribute(values.uuid, REQUIRED, update=False),
            "floating_ip_address": Attribute(values.optional(values.address), update=False),
            "subnet_id": unlisted(values.optional(values.uuid), update=False),
            "router_id": Attribute(values.optional(values.uuid)),
            "port_id": Attribute(values.optional(values.uuid), sorts=False),
            "fixed_ip_address": Attribute(values.optional(values.address)),
            "status": FIXED,
            "qos_policy_id": unlisted(values.optional(values.uuid)),
            "port_details": UNFILTERED,
            "port_forwardings": UNFILTERED,
        },
        needs={
            "floating_network_id": "networks",
            "port_id": "ports",
            "qos_policy_id": "policies",
        },
        hidden=("subnet_id",),
        absent=("Floating IP {} could not be found", "FloatingIPNotFound"),
    ),
    Kind(
        "port_forwardings",
        {
            "id": FIXED,
            "external_port": Attribute(values.optional(values.port), sorts=False),
            "external_port_range": Attribute(values.optional(values.port_range), sorts=False),
            "internal_port": unlisted(values.optional(values.port)),
            "internal_port_range": unlisted(values.optional(values.port_range)),
            "internal_ip_address": unlisted(values.address, REQUIRED),
            "internal_port_id": Attribute(values.uuid, REQUIRED),
            "protocol": Attribute(rule_values.forwarded, REQUIRED),
            "description": replace(NAME, sorts=False),
        },
        parent="floatingips",
        needs={"internal_port_id": "ports"},
        inside=True,
    ),
    Kind(
        "address_scopes",
        {
            **_OF_PROJECT,
            "ip_version": Attribute(values.one_of((4, 6), values.integer), REQUIRED, update=False),
            "shared": Attribute(values.boolean, False),
        },
        parent="address_scopes",
        hidden=KEPT,
        absent=("Address scope {} could not be found.", "AddressScopeNotFound"),
        shares_as="address_scope",
    ),
    Kind(
        "subnetpools",
        {
            **STANDARD,
            "name": Attribute(values.filled_text, REQUIRED),
            "prefixes": unlisted(values.items_of(values.subnet, null=False), REQUIRED),
            "default_quota": Attribute(values.natural),
            "ip_version": FIXED,
            "default_prefixlen": Attribute(values.natural),
            "min_prefixlen": Attribute(values.natural),
            "max_prefixlen": Attribute(values.natural),
            "is_default": Attribute(values.boolean, False),
            "shared": Attribute(values.boolean, False, update=False),
            "address_scope_id": Attribute(values.optional(values.uuid)),
        },
        parent="subnetpools",
        needs={"address_scope_id": "address_scopes"},
        absent=("Subnet pool {} could not be found.", "SubnetPoolNotFound"),
        shares_as="subnetpool",
    ),
    Kind(
        "policies",
        {
            **STANDARD,
            "shared": OFF,
            "is_default": OFF,
            "rules": UNFILTERED,
        },
        parent="policies",
        absent=("QoS policy {} could not be found.", "QosPolicyNotFound"),
        shares_as="qos_policy",
    ),
    *(_qos_rule(name, attributes) for name, attributes in _QOS_RULES.items()),
    *(_qos_rule(f"{ALIAS}{name}", _QOS_RULES[name]) for name in _QOS_ALIASES),
    Kind(
        "agents",
        {
            **dict.fromkeys(("id", "agent_type", "binary", "topic", "host", "alive"), FIXED),
            **dict.fromkeys(("created_at", "started_at", "heartbeat_timestamp"), SORTED_ONLY),
            **dict.fromkeys(("configurations", "resources_synced"), UNFILTERED),
            "availability_zone": UNSORTED,
            "admin_state_up": Attribute(values.boolean, True, create=False),
            "description": Attribute(OPTIONAL_TEXT, create=False),
        },
    ),
    # By the ids of projects.
    Kind("quotas"),
)
#: By what the API calls several of them.
KINDS: Mapping[str, Kind] = {kind.collection: kind for kind in _ROWS}
