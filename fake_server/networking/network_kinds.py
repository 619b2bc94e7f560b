"""Networks, and what is in them."""

from __future__ import annotations

from types import MappingProxyType

from fake_server.networking import nested_values, values
from fake_server.networking.attributes import REQUIRED, UNSET, Attribute, Kind
from fake_server.networking.standard import (
    FIXED,
    OFF,
    OPTIONAL_TEXT,
    ROUTES,
    STANDARD,
    SWITCH,
    UNFILTERED,
    UNSORTED,
    standard_without,
    unlisted,
)

_VNIC_TYPES = (
    *("normal", "direct", "macvtap", "baremetal", "direct-physical", "virtio-forwarder"),
    *("smart-nic", "vdpa", "accelerator-direct", "accelerator-direct-physical", "remote-managed"),
)
_NAMESERVERS = values.items_of(
    values.nameserver, "Invalid data format for nameserver: '{}'", "Duplicate nameserver '{}'"
)
_IPV6_MODES = (None, "dhcpv6-stateful", "dhcpv6-stateless", "slaac")

KINDS = (
    Kind(
        "networks",
        {
            **STANDARD,
            "admin_state_up": SWITCH,
            "status": FIXED,
            "subnets": UNFILTERED,
            "shared": OFF,
            "router:external": OFF,
            "provider:network_type": Attribute(OPTIONAL_TEXT, sorts=False),
            "provider:physical_network": Attribute(OPTIONAL_TEXT, sorts=False),
            "provider:segmentation_id": Attribute(values.optional_integer, sorts=False),
            "segments": unlisted(),
            "mtu": Attribute(values.natural, 0),
            "port_security_enabled": unlisted(values.boolean, True),
            "availability_zone_hints": Attribute(
                values.items_of(values.zone, null=False), (), update=False, filters=False
            ),
            "availability_zones": UNFILTERED,
            "l2_adjacency": UNFILTERED,
            "ipv4_address_scope": UNFILTERED,
            "ipv6_address_scope": UNFILTERED,
            "is_default": OFF,
            "qos_policy_id": unlisted(values.optional(values.uuid)),
        },
        needs={"qos_policy_id": "policies"},
        shares_as="network",
    ),
    Kind(
        "subnets",
        {
            **STANDARD,
            "ip_version": Attribute(values.one_of((4, 6), values.integer), REQUIRED, update=False),
            "network_id": Attribute(values.uuid, REQUIRED, update=False),
            "cidr": Attribute(values.cidr, update=False),
            "subnetpool_id": Attribute(values.optional(values.uuid), update=False),
            "prefixlen": unlisted(values.integer, update=False),
            "gateway_ip": Attribute(values.optional(values.address), UNSET),
            "allocation_pools": unlisted(nested_values.pools),
            "dns_nameservers": unlisted(_NAMESERVERS, ()),
            "host_routes": unlisted(ROUTES, ()),
            "enable_dhcp": SWITCH,
            "ipv6_ra_mode": Attribute(values.one_of(_IPV6_MODES), update=False),
            "ipv6_address_mode": Attribute(values.one_of(_IPV6_MODES), update=False),
            "use_default_subnetpool": unlisted(values.boolean, False, update=False),
            "service_types": unlisted(values.items_of(values.text()), ()),
            "segment_id": Attribute(values.optional(values.uuid)),
            "router:external": UNSORTED,
            "shared": UNSORTED,
        },
        needs={"subnetpool_id": "subnetpools"},
        hidden=("shared",),
    ),
    Kind(
        "ports",
        {
            **STANDARD,
            "tags": Attribute(values.tags, (), update=False),
            "network_id": Attribute(values.uuid, REQUIRED, update=False),
            "admin_state_up": SWITCH,
            "status": FIXED,
            "mac_address": Attribute(values.mac),
            "fixed_ips": Attribute(nested_values.fixed_ips, sorts=False),
            "device_id": Attribute(values.text(), ""),
            "device_owner": Attribute(values.text(), ""),
            "binding:host_id": Attribute(OPTIONAL_TEXT, "", sorts=False),
            "binding:profile": unlisted(values.dictionary, MappingProxyType({})),
            "binding:vnic_type": unlisted(values.one_of(_VNIC_TYPES), "normal"),
            "binding:vif_type": UNFILTERED,
            "binding:vif_details": UNFILTERED,
            "allowed_address_pairs": unlisted(nested_values.address_pairs, ()),
            "extra_dhcp_opts": unlisted(nested_values.dhcp_options, ()),
            # By default as its network.
            "port_security_enabled": unlisted(values.boolean),
            "security_groups": Attribute(values.items_of(values.uuid), sorts=False),
            "ip_allocation": FIXED,
            "trunk_details": UNFILTERED,
            "qos_policy_id": unlisted(values.optional(values.uuid)),
            "qos_network_policy_id": UNFILTERED,
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
            "profile": unlisted(values.dictionary, MappingProxyType({})),
            **dict.fromkeys(("vif_type", "status"), UNSORTED),
            "vif_details": UNFILTERED,
        },
        parent="ports",
        inside=True,
    ),
    Kind(
        "segments",
        {
            **standard_without("tenant_id", "tags"),
            "name": Attribute(OPTIONAL_TEXT),
            "network_id": Attribute(values.uuid, REQUIRED, update=False),
            "network_type": Attribute(values.text(), REQUIRED, update=False),
            "physical_network": Attribute(OPTIONAL_TEXT, update=False),
            "segmentation_id": Attribute(values.optional_integer, update=False, filters=False),
        },
        hidden=("tags",),
        columns=("network_type",),
    ),
    Kind(
        "trunks",
        {
            **STANDARD,
            "port_id": Attribute(values.uuid, REQUIRED, update=False),
            "admin_state_up": SWITCH,
            "status": FIXED,
            "sub_ports": unlisted(nested_values.sub_ports, (), update=False),
        },
        needs={"port_id": "ports", "sub_ports.port_id": "ports"},
    ),
    Kind(
        "network_ip_availabilities",
        {
            "network_id": FIXED,
            "network_name": UNSORTED,
            "tenant_id": UNSORTED,
            "ip_version": UNSORTED,
            **dict.fromkeys(
                ("total_ips", "used_ips", "subnet_ip_availability", "ip_availability_details"),
                UNFILTERED,
            ),
        },
        hidden=("ip_version",),
        inside=True,
        named_alone=True,
    ),
)
