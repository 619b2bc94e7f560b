"""The attributes of everything that the Networking service keeps."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from fake_server.networking import rule_values, values

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
    :param filters: whether lists can be filtered and sorted by it.
    """

    convert: Convert = values.anything
    default: Any = CHOSEN
    create: bool = True
    update: bool = True
    filters: bool = True


_FIXED = Attribute(create=False, update=False)
_NAME = Attribute(values.text(), "")
_SWITCH = Attribute(values.boolean, True)
_UNFILTERED = replace(_FIXED, filters=False)

_STANDARD: Mapping[str, Attribute] = {
    "id": _FIXED,
    "tenant_id": Attribute(values.text(), update=False),
    "name": _NAME,
    "description": _NAME,
    "tags": _FIXED,
    "created_at": _FIXED,
    "updated_at": _FIXED,
    "revision_number": _FIXED,
}
_NETWORK: Mapping[str, Attribute] = {
    **_STANDARD,
    "admin_state_up": _SWITCH,
    "status": _FIXED,
    "subnets": _UNFILTERED,
    "shared": Attribute(values.boolean, False),
    "router:external": Attribute(values.boolean, False),
    "provider:network_type": Attribute(values.text(optional=True)),
    "provider:physical_network": Attribute(values.text(optional=True)),
    "provider:segmentation_id": Attribute(values.optional_integer),
    "segments": Attribute(filters=False),
    "mtu": Attribute(values.integer, 0),
    "port_security_enabled": replace(_SWITCH, filters=False),
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
    "prefixlen": Attribute(values.integer, update=False, filters=False),
    "gateway_ip": Attribute(values.address, UNSET),
    "allocation_pools": Attribute(values.pools, filters=False),
    "dns_nameservers": Attribute(values.nameservers, (), filters=False),
    "host_routes": Attribute(values.routes, (), filters=False),
    "enable_dhcp": _SWITCH,
    "ipv6_ra_mode": Attribute(values.anything, update=False),
    "ipv6_address_mode": Attribute(values.anything, update=False),
    "segment_id": Attribute(values.optional_uuid),
    "router:external": _FIXED,
    "shared": _FIXED,
}
_PORT: Mapping[str, Attribute] = {
    **_STANDARD,
    "tags": Attribute(values.tags, (), update=False),
    "network_id": Attribute(values.uuid, REQUIRED, update=False),
    "admin_state_up": _SWITCH,
    "status": _FIXED,
    "mac_address": Attribute(values.mac),
    "fixed_ips": Attribute(values.fixed_ips),
    "device_id": Attribute(values.text(), ""),
    "device_owner": Attribute(values.text(), ""),
    "binding:host_id": Attribute(values.text(optional=True), ""),
    "binding:profile": Attribute(values.dictionary, MappingProxyType({}), filters=False),
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
    ),
    "binding:vif_type": _FIXED,
    "binding:vif_details": _UNFILTERED,
    "allowed_address_pairs": Attribute(values.address_pairs, (), filters=False),
    "extra_dhcp_opts": Attribute(values.dhcp_options, (), filters=False),
    # By default as its network.
    "port_security_enabled": Attribute(values.boolean, filters=False),
    "security_groups": Attribute(values.groups),
    "ip_allocation": _FIXED,
    "trunk_details": _UNFILTERED,
}
_SEGMENT: Mapping[str, Attribute] = {
    **{name: one for name, one in _STANDARD.items() if name not in ("tenant_id", "tags")},
    "name": Attribute(values.text(optional=True)),
    "network_id": Attribute(values.uuid, REQUIRED, update=False),
    "network_type": Attribute(values.text(), REQUIRED, update=False),
    "physical_network": Attribute(values.text(optional=True), update=False),
    "segmentation_id": Attribute(values.optional_integer, update=False),
}
_TRUNK: Mapping[str, Attribute] = {
    **_STANDARD,
    "port_id": Attribute(values.uuid, REQUIRED, update=False),
    "admin_state_up": _SWITCH,
    "status": _FIXED,
    "sub_ports": Attribute(values.sub_ports, (), update=False, filters=False),
}
_GROUP: Mapping[str, Attribute] = {
    **_STANDARD,
    "name": Attribute(values.group_name, ""),
    "stateful": _SWITCH,
    "shared": _FIXED,
    "security_group_rules": _UNFILTERED,
}
_RULE: Mapping[str, Attribute] = {
    **{name: one for name, one in _STANDARD.items() if name not in ("name", "tags")},
    "description": Attribute(values.text(), ""),
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
    "belongs_to_default_sg": _FIXED,
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
    "availability_zone": _FIXED,
    "configurations": _UNFILTERED,
    "created_at": _FIXED,
    "started_at": _FIXED,
    "heartbeat_timestamp": _FIXED,
    "resources_synced": _FIXED,
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
