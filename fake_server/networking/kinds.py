"""The kinds of resources of the Networking service, a row for each.

What can be done with them is in :mod:`.models`, in a module for each kind.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from fake_server.networking import nested_values, rule_values, values
from fake_server.networking.attributes import CHOSEN, REQUIRED, UNSET, Attribute, Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.networking.values import Convert

_FIXED = Attribute(create=False, update=False)
_NAME = Attribute(values.text(), "")
_SWITCH = Attribute(values.boolean, True)
_OFF = Attribute(values.boolean, False, sorts=False)
_VNIC_TYPES = (
    *("normal", "direct", "macvtap", "baremetal", "direct-physical", "virtio-forwarder"),
    *("smart-nic", "vdpa", "accelerator-direct", "accelerator-direct-physical", "remote-managed"),
)
_NAMESERVERS = values.items_of(
    values.nameserver, "Invalid data format for nameserver: '{}'", "Duplicate nameserver '{}'"
)
_ROUTES = values.items_of(
    nested_values.route, "Invalid data format for hostroute: '{}'", "Duplicate hostroute '{}'"
)
_OPTIONAL_TEXT = values.optional(values.text())
_IPV6_MODES = (None, "dhcpv6-stateful", "dhcpv6-stateless", "slaac")
_UNSORTED = replace(_FIXED, sorts=False)
_UNFILTERED = replace(_FIXED, filters=False, sorts=False)
_SORTED_ONLY = replace(_FIXED, filters=False)

_STANDARD: Mapping[str, Attribute] = {
    "id": _FIXED,
    "tenant_id": Attribute(values.text(), update=False),
    "name": _NAME,
    "description": replace(_NAME, sorts=False),
    "tags": _FIXED,
    "created_at": _UNFILTERED,
    "updated_at": _UNFILTERED,
    "revision_number": _UNSORTED,
}


def _unlisted(convert: Convert = values.anything, default: Any = CHOSEN, **more: Any) -> Attribute:
    """Return an attribute by which lists are neither filtered nor sorted."""
    return Attribute(convert, default, filters=False, sorts=False, **more)


def _standard_without(*names: str) -> dict[str, Attribute]:
    return {name: one for name, one in _STANDARD.items() if name not in names}


_GATEWAY = "external_gateway_info"
_OPTIONAL_SWITCH = values.optional(values.boolean)
_OF_PROJECT = {name: _STANDARD[name] for name in ("id", "tenant_id", "name")}
#: What is kept of items of the kinds that have less than the standard attributes.
_KEPT = ("tags", "created_at", "updated_at", "revision_number")
#: The largest amount that a QoS rule can have.
LARGEST = 2**31 - 1
_AMOUNT = values.between(0, LARGEST)
#: The marks that traffic can have.
DSCP_MARKS = (0, *range(8, 41, 2), 44, 46, 48, 56)


_MANY = Attribute(_AMOUNT, REQUIRED, filters=False)
_BURST = Attribute(_AMOUNT, 0, filters=False)
_DIRECTION = _unlisted(values.one_of(("egress", "ingress")), "egress")
_ANY_DIRECTION = _unlisted(values.one_of(("egress", "ingress", "any")), "egress")
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
        {"id": _FIXED, **attributes},
        parent="policies",
        inside=True,
        named_alone=rule_type.startswith(ALIAS),
    )


_ROWS = (
    Kind(
        "networks",
        {
            **_STANDARD,
            "admin_state_up": _SWITCH,
            "status": _FIXED,
            "subnets": _UNFILTERED,
            "shared": _OFF,
            "router:external": _OFF,
            "provider:network_type": Attribute(_OPTIONAL_TEXT, sorts=False),
            "provider:physical_network": Attribute(_OPTIONAL_TEXT, sorts=False),
            "provider:segmentation_id": Attribute(values.optional_integer, sorts=False),
            "segments": _unlisted(),
            "mtu": Attribute(values.natural, 0),
            "port_security_enabled": _unlisted(values.boolean, True),
            "availability_zone_hints": Attribute(
                values.items_of(values.zone, null=False), (), update=False, filters=False
            ),
            "availability_zones": _UNFILTERED,
            "l2_adjacency": _UNFILTERED,
            "ipv4_address_scope": _UNFILTERED,
            "ipv6_address_scope": _UNFILTERED,
            "is_default": _OFF,
            "qos_policy_id": _unlisted(values.optional(values.uuid)),
        },
        needs={"qos_policy_id": "policies"},
        shares_as="network",
    ),
    Kind(
        "subnets",
        {
            **_STANDARD,
            "ip_version": Attribute(values.one_of((4, 6), values.integer), REQUIRED, update=False),
            "network_id": Attribute(values.uuid, REQUIRED, update=False),
            "cidr": Attribute(values.cidr, update=False),
            "subnetpool_id": Attribute(values.optional(values.uuid), update=False),
            "prefixlen": _unlisted(values.integer, update=False),
            "gateway_ip": Attribute(values.optional(values.address), UNSET),
            "allocation_pools": _unlisted(nested_values.pools),
            "dns_nameservers": _unlisted(_NAMESERVERS, ()),
            "host_routes": _unlisted(_ROUTES, ()),
            "enable_dhcp": _SWITCH,
            "ipv6_ra_mode": Attribute(values.one_of(_IPV6_MODES), update=False),
            "ipv6_address_mode": Attribute(values.one_of(_IPV6_MODES), update=False),
            "use_default_subnetpool": _unlisted(values.boolean, False, update=False),
            "service_types": _unlisted(values.items_of(values.text()), ()),
            "segment_id": Attribute(values.optional(values.uuid)),
            "router:external": _UNSORTED,
            "shared": _UNSORTED,
        },
        needs={"subnetpool_id": "subnetpools"},
        hidden=("shared",),
    ),
    Kind(
        "ports",
        {
            **_STANDARD,
            "tags": Attribute(values.tags, (), update=False),
            "network_id": Attribute(values.uuid, REQUIRED, update=False),
            "admin_state_up": _SWITCH,
            "status": _FIXED,
            "mac_address": Attribute(values.mac),
            "fixed_ips": Attribute(nested_values.fixed_ips, sorts=False),
            "device_id": Attribute(values.text(), ""),
            "device_owner": Attribute(values.text(), ""),
            "binding:host_id": Attribute(_OPTIONAL_TEXT, "", sorts=False),
            "binding:profile": _unlisted(values.dictionary, MappingProxyType({})),
            "binding:vnic_type": _unlisted(values.one_of(_VNIC_TYPES), "normal"),
            "binding:vif_type": _UNFILTERED,
            "binding:vif_details": _UNFILTERED,
            "allowed_address_pairs": _unlisted(nested_values.address_pairs, ()),
            "extra_dhcp_opts": _unlisted(nested_values.dhcp_options, ()),
            # By default as its network.
            "port_security_enabled": _unlisted(values.boolean),
            "security_groups": Attribute(values.items_of(values.uuid), sorts=False),
            "ip_allocation": _FIXED,
            "trunk_details": _UNFILTERED,
            "qos_policy_id": _unlisted(values.optional(values.uuid)),
            "qos_network_policy_id": _UNFILTERED,
        },
        needs={
            "network_id": "networks",
            "qos_policy_id": "policies",
            "fixed_ips.subnet_id": "subnets",
        },
        hidden=("bindings",),
        columns=("mac_address",),
    ),
    Kind(
        "bindings",
        {
            "host": Attribute(values.text(), REQUIRED, sorts=False),
            "vnic_type": Attribute(values.one_of(_VNIC_TYPES), "normal", sorts=False),
            "profile": _unlisted(values.dictionary, MappingProxyType({})),
            **dict.fromkeys(("vif_type", "status"), _UNSORTED),
            "vif_details": _UNFILTERED,
        },
        parent="ports",
        inside=True,
    ),
    Kind(
        "segments",
        {
            **_standard_without("tenant_id", "tags"),
            "name": Attribute(_OPTIONAL_TEXT),
            "network_id": Attribute(values.uuid, REQUIRED, update=False),
            "network_type": Attribute(values.text(), REQUIRED, update=False),
            "physical_network": Attribute(_OPTIONAL_TEXT, update=False),
            "segmentation_id": Attribute(values.optional_integer, update=False, filters=False),
        },
        hidden=("tags",),
        columns=("network_type",),
    ),
    Kind(
        "trunks",
        {
            **_STANDARD,
            "port_id": Attribute(values.uuid, REQUIRED, update=False),
            "admin_state_up": _SWITCH,
            "status": _FIXED,
            "sub_ports": _unlisted(nested_values.sub_ports, (), update=False),
        },
        needs={"port_id": "ports", "sub_ports.port_id": "ports"},
    ),
    Kind(
        "agents",
        {
            **dict.fromkeys(("id", "agent_type", "binary", "topic", "host", "alive"), _FIXED),
            **dict.fromkeys(("created_at", "started_at", "heartbeat_timestamp"), _SORTED_ONLY),
            **dict.fromkeys(("configurations", "resources_synced"), _UNFILTERED),
            "availability_zone": _UNSORTED,
            "admin_state_up": Attribute(values.boolean, True, create=False),
            "description": Attribute(_OPTIONAL_TEXT, create=False),
        },
    ),
    Kind(
        "security_groups",
        {
            **_STANDARD,
            "name": Attribute(values.group_name, ""),
            "stateful": replace(_SWITCH, sorts=False),
            "shared": _UNSORTED,
            "security_group_rules": _UNFILTERED,
        },
        parent="security_groups",
        absent=("Security group {} does not exist", "SecurityGroupNotFound"),
        shares_as="security_group",
    ),
    Kind(
        "security_group_rules",
        {
            **_standard_without("name", "tags"),
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
            "normalized_cidr": _FIXED,
            "belongs_to_default_sg": _UNSORTED,
        },
        parent="security_groups",
        hidden=("tags",),
        absent=("Security group rule {} does not exist", "SecurityGroupRuleNotFound"),
    ),
    Kind(
        "routers",
        {
            **_STANDARD,
            "admin_state_up": _SWITCH,
            "status": _SORTED_ONLY,
            "external_gateway_info": _unlisted(nested_values.gateway, MappingProxyType({})),
            "ha": _unlisted(_OPTIONAL_SWITCH),
            "distributed": _unlisted(_OPTIONAL_SWITCH),
            "flavor_id": Attribute(values.optional(values.uuid), update=False, filters=False),
            "availability_zones": _UNFILTERED,
            "availability_zone_hints": _unlisted(
                values.items_of(values.zone, null=False), (), update=False
            ),
            "routes": _unlisted(_ROUTES, (), create=False),
        },
        needs={f"{_GATEWAY.replace(':', '.')}.network_id": "networks"},
        absent=("Router {} could not be found", "RouterNotFound"),
    ),
    Kind(
        "floatingips",
        {
            **_standard_without("name"),
            "floating_network_id": Attribute(values.uuid, REQUIRED, update=False),
            "floating_ip_address": Attribute(values.optional(values.address), update=False),
            "subnet_id": _unlisted(values.optional(values.uuid), update=False),
            "router_id": Attribute(values.optional(values.uuid)),
            "port_id": Attribute(values.optional(values.uuid), sorts=False),
            "fixed_ip_address": Attribute(values.optional(values.address)),
            "status": _FIXED,
            "qos_policy_id": _unlisted(values.optional(values.uuid)),
            "port_details": _UNFILTERED,
            "port_forwardings": _UNFILTERED,
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
            "id": _FIXED,
            "external_port": Attribute(values.optional(values.port), sorts=False),
            "external_port_range": Attribute(values.optional(values.port_range), sorts=False),
            "internal_port": _unlisted(values.optional(values.port)),
            "internal_port_range": _unlisted(values.optional(values.port_range)),
            "internal_ip_address": _unlisted(values.address, REQUIRED),
            "internal_port_id": Attribute(values.uuid, REQUIRED),
            "protocol": Attribute(rule_values.forwarded, REQUIRED),
            "description": replace(_NAME, sorts=False),
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
        hidden=_KEPT,
        absent=("Address scope {} could not be found.", "AddressScopeNotFound"),
        shares_as="address_scope",
    ),
    Kind(
        "address_groups",
        {
            **_standard_without("tags"),
            "description": Attribute(values.text(1024), ""),
            "addresses": _unlisted(values.items_of(values.subnet), (), update=False),
            "shared": _UNFILTERED,
        },
        parent="address_groups",
        hidden=("shared", "tags"),
        absent=("Address group {} could not be found.", "AddressGroupNotFound"),
        shares_as="address_group",
    ),
    Kind(
        "subnetpools",
        {
            **_STANDARD,
            "name": Attribute(values.filled_text, REQUIRED),
            "prefixes": _unlisted(values.items_of(values.subnet, null=False), REQUIRED),
            "default_quota": Attribute(values.natural),
            "ip_version": _FIXED,
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
        "rbac_policies",
        {
            **dict.fromkeys(("id",), _UNSORTED),
            "object_type": Attribute(update=False, sorts=False),
            "object_id": Attribute(values.uuid, REQUIRED, update=False, sorts=False),
            "target_tenant": Attribute(values.target_project, REQUIRED, sorts=False),
            "tenant_id": Attribute(values.text(), update=False, sorts=False),
            "action": Attribute(values.text(), REQUIRED, update=False, sorts=False),
        },
        hidden=_KEPT,
        absent=("RBAC policy of type unknown with ID {} not found", "RbacPolicyNotFound"),
        columns=("object_id",),
    ),
    Kind(
        "policies",
        {
            **_STANDARD,
            "shared": _OFF,
            "is_default": _OFF,
            "rules": _UNFILTERED,
        },
        parent="policies",
        absent=("QoS policy {} could not be found.", "QosPolicyNotFound"),
        shares_as="qos_policy",
    ),
    *(_qos_rule(name, attributes) for name, attributes in _QOS_RULES.items()),
    *(_qos_rule(f"{ALIAS}{name}", _QOS_RULES[name]) for name in _QOS_ALIASES),
    Kind(
        "network_ip_availabilities",
        {
            "network_id": _FIXED,
            "network_name": _UNSORTED,
            "tenant_id": _UNSORTED,
            "ip_version": _UNSORTED,
            **dict.fromkeys(
                ("total_ips", "used_ips", "subnet_ip_availability", "ip_availability_details"),
                _UNFILTERED,
            ),
        },
        hidden=("ip_version",),
        inside=True,
        named_alone=True,
    ),
    # By the ids of projects.
    Kind("quotas"),
)
#: By what the API calls several of them.
KINDS: Mapping[str, Kind] = {kind.collection: kind for kind in _ROWS}
