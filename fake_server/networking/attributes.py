"""The attributes of the Networking service's resources."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from fake_server.networking import port_values, rule_values, values

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.networking.values import Convert

#: The default of what can't be left out.
REQUIRED: Any = object()
#: The default of what is left to the service.
CHOSEN: Any = None
#: The default of what is chosen by the service, where null stands for none.
UNSET = ""


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute of a kind.

    :param convert: checks a value and returns it as it is kept.
    :param default: its value where a client gives none.
    :param create: whether clients can set it when they create something.
    :param update: whether clients can change it.
    :param filters: whether lists can be filtered by it.
    :param sorts: whether lists can be sorted by it.
    """

    convert: Convert = values.anything
    default: Any = CHOSEN
    create: bool = True
    update: bool = True
    filters: bool = True
    sorts: bool = True


_FIXED = Attribute(create=False, update=False)
_NAME = Attribute(values.text(), "")
_SWITCH = Attribute(values.boolean, True)
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
_NETWORK: Mapping[str, Attribute] = {
    **_STANDARD,
    "admin_state_up": _SWITCH,
    "status": _FIXED,
    "subnets": _UNFILTERED,
    "shared": Attribute(values.boolean, False, sorts=False),
    "router:external": Attribute(values.boolean, False, sorts=False),
    "provider:network_type": Attribute(values.text(optional=True), sorts=False),
    "provider:physical_network": Attribute(values.text(optional=True), sorts=False),
    "provider:segmentation_id": Attribute(values.optional_integer, sorts=False),
    "segments": Attribute(filters=False, sorts=False),
    "mtu": Attribute(values.natural, 0),
    "port_security_enabled": replace(_SWITCH, filters=False, sorts=False),
    "availability_zone_hints": Attribute(values.hints, (), update=False, filters=False),
    "availability_zones": _UNFILTERED,
    "l2_adjacency": _UNFILTERED,
}
_SUBNET: Mapping[str, Attribute] = {
    **_STANDARD,
    "ip_version": Attribute(values.one_of((4, 6), values.integer), REQUIRED, update=False),
    "network_id": Attribute(values.uuid, REQUIRED, update=False),
    "cidr": Attribute(values.cidr, update=False),
    "subnetpool_id": Attribute(values.optional_uuid, update=False),
    "prefixlen": Attribute(values.integer, update=False, filters=False, sorts=False),
    "gateway_ip": Attribute(values.address, UNSET),
    "allocation_pools": Attribute(values.pools, filters=False, sorts=False),
    "dns_nameservers": Attribute(values.nameservers, (), filters=False, sorts=False),
    "host_routes": Attribute(values.routes, (), filters=False, sorts=False),
    "enable_dhcp": _SWITCH,
    "ipv6_ra_mode": Attribute(values.one_of(_IPV6_MODES), update=False),
    "ipv6_address_mode": Attribute(values.one_of(_IPV6_MODES), update=False),
    "segment_id": Attribute(values.optional_uuid),
    "router:external": _UNSORTED,
    "shared": _UNSORTED,
}
_PORT: Mapping[str, Attribute] = {
    **_STANDARD,
    "tags": Attribute(values.tags, (), update=False),
    "network_id": Attribute(values.uuid, REQUIRED, update=False),
    "admin_state_up": _SWITCH,
    "status": _FIXED,
    "mac_address": Attribute(values.mac),
    "fixed_ips": Attribute(port_values.fixed_ips, sorts=False),
    "device_id": Attribute(values.text(), ""),
    "device_owner": Attribute(values.text(), ""),
    "binding:host_id": Attribute(values.text(optional=True), "", sorts=False),
    "binding:profile": Attribute(
        values.dictionary, MappingProxyType({}), filters=False, sorts=False
    ),
    "binding:vnic_type": Attribute(
        values.one_of(
            (
                "normal",
                "direct",
                "macvtap",
                "baremetal",
                "direct-physical",
                "virtio-forwarder",
                "smart-nic",
                "vdpa",
                "accelerator-direct",
                "accelerator-direct-physical",
                "remote-managed",
            )
        ),
        "normal",
        filters=False,
        sorts=False,
    ),
    "binding:vif_type": _UNFILTERED,
    "binding:vif_details": _UNFILTERED,
    "allowed_address_pairs": Attribute(port_values.address_pairs, (), filters=False, sorts=False),
    "extra_dhcp_opts": Attribute(port_values.dhcp_options, (), filters=False, sorts=False),
    # By default as its network.
    "port_security_enabled": Attribute(values.boolean, filters=False, sorts=False),
    "security_groups": Attribute(port_values.groups, sorts=False),
    "ip_allocation": _FIXED,
    "trunk_details": _UNFILTERED,
}
_SEGMENT: Mapping[str, Attribute] = {
    **{name: one for name, one in _STANDARD.items() if name not in ("tenant_id", "tags")},
    "name": Attribute(values.text(optional=True)),
    "network_id": Attribute(values.uuid, REQUIRED, update=False),
    "network_type": Attribute(values.text(), REQUIRED, update=False),
    "physical_network": Attribute(values.text(optional=True), update=False),
    "segmentation_id": Attribute(values.optional_integer, update=False, filters=False),
}
_TRUNK: Mapping[str, Attribute] = {
    **_STANDARD,
    "port_id": Attribute(values.uuid, REQUIRED, update=False),
    "admin_state_up": _SWITCH,
    "status": _FIXED,
    "sub_ports": Attribute(port_values.sub_ports, (), update=False, filters=False, sorts=False),
}
_GROUP: Mapping[str, Attribute] = {
    **_STANDARD,
    "name": Attribute(values.group_name, ""),
    "stateful": replace(_SWITCH, sorts=False),
    "shared": _UNSORTED,
    "security_group_rules": _UNFILTERED,
}
_RULE: Mapping[str, Attribute] = {
    **{name: one for name, one in _STANDARD.items() if name not in ("name", "tags")},
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
}
_AGENT: Mapping[str, Attribute] = {
    "id": _FIXED,
    "agent_type": _FIXED,
    "binary": _FIXED,
    "topic": _FIXED,
    "host": _FIXED,
    "admin_state_up": Attribute(values.boolean, True, create=False),
    "description": Attribute(values.text(optional=True), create=False),
    "alive": _FIXED,
    "availability_zone": _UNSORTED,
    "configurations": _UNFILTERED,
    "created_at": _SORTED_ONLY,
    "started_at": _SORTED_ONLY,
    "heartbeat_timestamp": _SORTED_ONLY,
    "resources_synced": _UNFILTERED,
}

#: Attributes by the plural of what has them.
ATTRIBUTES: Mapping[str, Mapping[str, Attribute]] = {
    "networks": _NETWORK,
    "subnets": _SUBNET,
    "ports": _PORT,
    "segments": _SEGMENT,
    "trunks": _TRUNK,
    "agents": _AGENT,
    "security_groups": _GROUP,
    "security_group_rules": _RULE,
}
