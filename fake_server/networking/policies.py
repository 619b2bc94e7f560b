"""Who may do what: the policies of Neutron 29."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fake_server.common.policies import Policies, table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fake_server.common.policy_checks import Check, Credentials, Target


#: What Neutron asks by the policy ``default``, as it publishes none of these names.
_DEFAULTED = frozenset(
    (
        "update_port_binding",
        *(f"create_rbac_policy:{name}" for name in ("object_type", "object_id", "action")),
    )
)


def asked_by(policy: str) -> str:
    """Return the name of what is asked for a policy."""
    return "default" if policy in _DEFAULTED else policy


def parts_of(action: str, name: str, value: Any) -> Iterator[str]:
    """Yield the policies of an attribute that a client sets, and of what is in it.

    :param action: such as ``create_port``.
    """
    policy = f"{action}:{name}"
    if asked_by(policy) not in POLICIES.rules:
        return
    yield policy
    found = value if isinstance(value, list) else [value]
    inner = {f"{policy}:{part}" for one in found if isinstance(one, dict) for part in one}
    yield from (one for one in POLICIES.rules if one in inner)


def _attribute(condition: str) -> Check:
    """Return the check of ``field:KIND:NAME=VALUE``; a pattern begins with ``~``."""
    _, _, condition = condition.partition(":")
    name, _, wanted = condition.partition("=")
    pattern = re.compile(wanted[1:]) if wanted.startswith("~") else None

    def check(credentials: Credentials, target: Target) -> bool:
        value = target.get(name)
        if value is None:
            return False
        return bool(pattern.match(value)) if pattern else str(value) == wanted

    return check


POLICIES = Policies(
    table("""\
role:admin
    context_is_admin
!
    context_with_global_access
role:service
    service_api
project_id:%(project_id)s
    owner
rule:context_is_admin or rule:owner
    admin_or_owner
role:advsvc
    context_is_advsvc
rule:context_is_admin or project_id:%(network:project_id)s
    admin_or_network_owner
rule:owner or rule:admin_or_network_owner
    admin_owner_or_network_owner
project_id:%(network:project_id)s
    network_owner
rule:context_is_admin
    admin_only
-
    regular_user
field:networks:shared=True
    shared
rule:admin_or_owner
    default
rule:context_is_admin or project_id:%(ext_parent:project_id)s
    admin_or_ext_parent_owner
project_id:%(ext_parent:project_id)s
    ext_parent_owner
project_id:%(security_group:project_id)s
    sg_owner
field:address_groups:shared=True
    shared_address_groups
[project] (rule:admin_only) or (role:member and project_id:%(project_id)s)
    create_address_group update_address_group delete_address_group add_addresses remove_addresses
    create_address_scope update_address_scope delete_address_scope delete_auto_allocated_topology
    create_floatingip create_floatingip:router_id create_floatingip:tags update_floatingip
    update_floatingip:router_id update_floatingip:tags delete_floatingip delete_floatingip:tags
    create_local_ip update_local_ip delete_local_ip create_ndp_proxy update_ndp_proxy
    delete_ndp_proxy create_network create_network:port_security_enabled create_network:tags
    update_network update_network:port_security_enabled update_network:tags delete_network
    delete_network:tags create_port:pvlan_type create_port:pvlan_community update_port:pvlan_type
    update_port:pvlan_community create_network:pvlan update_network:pvlan create_rbac_policy
    update_rbac_policy delete_rbac_policy create_router create_router:external_gateway_info
    create_router:external_gateway_info:network_id create_router:tags update_router
    update_router:external_gateway_info update_router:external_gateway_info:network_id
    update_router:tags delete_router delete_router:tags add_router_interface
    remove_router_interface add_extraroutes remove_extraroutes add_external_gateways
    add_external_gateways:external_gateways add_external_gateways:external_gateways:network_id
    update_external_gateways update_external_gateways:external_gateways
    update_external_gateways:external_gateways:network_id remove_external_gateways
    remove_external_gateways:external_gateways create_security_group create_security_group:tags
    update_security_group update_security_group:tags delete_security_group
    delete_security_group:tags create_subnetpool create_subnetpool:tags update_subnetpool
    update_subnetpool:tags delete_subnetpool delete_subnetpool:tags onboard_network_subnets
    add_prefixes remove_prefixes create_trunk create_trunk:tags update_trunk update_trunk:tags
    delete_trunk delete_trunk:tags add_subports remove_subports
[project] (rule:admin_only) or (role:reader and project_id:%(project_id)s) \
or rule:shared_address_groups
    get_address_group
field:address_scopes:shared=True
    shared_address_scopes
[project] rule:admin_only
    create_address_scope:shared update_address_scope:shared create_agent get_agent update_agent
    delete_agent create_dhcp-network get_dhcp-networks delete_dhcp-network create_l3-router
    get_l3-routers update_l3-router delete_l3-router get_dhcp-agents get_l3-agents
    create_default_security_group_rule delete_default_security_group_rule create_router:evpn_vni
    create_flavor update_flavor delete_flavor create_service_profile get_service_profile
    update_service_profile delete_service_profile create_flavor_service_profile
    delete_flavor_service_profile create_network:shared create_network:router:external
    create_network:is_default create_network:segments create_network:provider:network_type
    create_network:provider:physical_network create_network:provider:segmentation_id
    get_network:segments get_network:provider:network_type get_network:provider:physical_network
    get_network:provider:segmentation_id update_network:segments update_network:shared
    update_network:provider:network_type update_network:provider:physical_network
    update_network:provider:segmentation_id update_network:router:external
    update_network:is_default create_network_segment_range create_network_segment_range:tags
    get_network_segment_range get_network_segment_range:tags update_network_segment_range
    update_network_segment_range:tags delete_network_segment_range
    delete_network_segment_range:tags create_port:hints create_port:trusted
    get_port:resource_request get_port:hints get_port:trusted update_port:hints update_port:trusted
    update_quota delete_quota create_router:distributed create_router:ha
    create_router:external_gateway_info:enable_snat
    create_router:external_gateway_info:external_fixed_ips create_router:enable_default_route_bfd
    create_router:enable_default_route_ecmp get_router:distributed get_router:ha
    update_router:distributed update_router:ha update_router:external_gateway_info:enable_snat
    update_router:external_gateway_info:external_fixed_ips update_router:enable_default_route_bfd
    update_router:enable_default_route_ecmp add_external_gateways:external_gateways:enable_snat
    add_external_gateways:external_gateways:external_fixed_ips
    update_external_gateways:external_gateways:enable_snat
    update_external_gateways:external_gateways:external_fixed_ips create_segment
    create_segments_tags get_segment get_segments_tags update_segment update_segments_tags
    delete_segment delete_segments_tags create_subnet:segment_id create_subnet:service_types
    get_subnet:segment_id update_subnet:segment_id update_subnet:service_types
    update_subnet:leak_routes create_subnetpool:shared create_subnetpool:is_default
    update_subnetpool:is_default
[project] rule:admin_only or role:reader and project_id:%(project_id)s \
or rule:shared_address_scopes
    get_address_scope
[project] (rule:admin_only) or (role:reader and project_id:%(project_id)s)
    get_auto_allocated_topology get_router:evpn_vni get_flavor_service_profile get_floatingip
    get_floatingip:tags get_floatingip_pool get_local_ip get_metering_label get_metering_label_rule
    get_ndp_proxy get_port:pvlan_type get_port:pvlan_community get_network:pvlan get_rbac_policy
    get_router get_router:tags get_security_groups_default_statefulness get_trunk get_trunk:tags
    get_subports
[project] role:reader
    get_availability_zone get_default_security_group_rule get_flavor get_rule_type
    get_service_provider
[project] (rule:admin_only) or (role:manager and project_id:%(project_id)s)
    create_floatingip:floating_ip_address get_loggable_resource create_log get_log update_log
    delete_log create_metering_label delete_metering_label create_metering_label_rule
    delete_metering_label_rule create_policy create_policy:tags update_policy update_policy:tags
    delete_policy delete_policy:tags get_quota create_security_groups_default_statefulness
    update_security_groups_default_statefulness delete_security_groups_default_statefulness
[project] (rule:admin_only) or (role:member and rule:ext_parent_owner)
    create_floatingip_port_forwarding update_floatingip_port_forwarding
    delete_floatingip_port_forwarding create_router_conntrack_helper update_router_conntrack_helper
    delete_router_conntrack_helper create_local_ip_port_association
    delete_local_ip_port_association
[project] (rule:admin_only) or (role:reader and rule:ext_parent_owner)
    get_floatingip_port_forwarding get_router_conntrack_helper get_local_ip_port_association
    get_policy_bandwidth_limit_rule get_policy_packet_rate_limit_rule get_policy_dscp_marking_rule
    get_policy_minimum_bandwidth_rule get_policy_minimum_packet_rate_rule
    get_alias_bandwidth_limit_rule get_alias_dscp_marking_rule get_alias_minimum_bandwidth_rule
field:networks:router:external=True
    external
[project] (rule:admin_only) or (role:reader and project_id:%(project_id)s) or rule:service_api \
or rule:shared or rule:external or rule:context_is_advsvc
    get_network
[project] (rule:admin_only) or (role:reader and project_id:%(project_id)s) or rule:shared \
or rule:external or rule:context_is_advsvc
    get_network:tags
[project] (rule:admin_only) or (rule:service_api)
    get_network_ip_availability get_port_binding create_port:binding:host_id
    get_port:binding:vif_type get_port:binding:vif_details get_port:binding:host_id
    get_port:binding:profile update_port:binding:host_id
[project] rule:service_api
    create_port_binding delete_port_binding activate create_port:binding:profile
    update_port:binding:profile
field:port:device_owner=~^network:
    network_device
field:port:device_owner=~^compute:
    compute_device
field:port:device_owner=~^baremetal:
    baremetal_device
field:port:device_owner=~^manila:
    manila_device
rule:context_is_admin or role:data_plane_integrator
    admin_or_data_plane_int
[project] (rule:admin_only) or (rule:service_api) or role:member and rule:network_owner \
or rule:shared
    create_port create_port:fixed_ips create_port:fixed_ips:subnet_id
    update_port:fixed_ips:subnet_id
[project] (rule:admin_only) or (role:member and project_id:%(project_id)s) or rule:service_api
    create_port:device_id create_port:binding:vnic_type update_port:device_id
[project] not rule:network_device or (rule:admin_only) or (rule:service_api) \
or role:member and rule:network_owner
    create_port:device_owner update_port:device_owner
[project] (rule:admin_only) or (rule:service_api) or role:member and rule:network_owner
    create_port:mac_address create_port:fixed_ips:ip_address create_port:port_security_enabled
    update_port:fixed_ips update_port:fixed_ips:ip_address update_port:port_security_enabled
[project] (rule:admin_only) or (role:member and rule:network_owner) or rule:service_api
    create_port:allowed_address_pairs create_port:allowed_address_pairs:mac_address
    create_port:allowed_address_pairs:ip_address update_port:allowed_address_pairs
    update_port:allowed_address_pairs:mac_address update_port:allowed_address_pairs:ip_address
[project] (rule:admin_only) or (role:member and project_id:%(project_id)s) \
or rule:context_is_advsvc
    create_port:tags update_port:tags
[project] (rule:admin_only) or (rule:service_api) or role:reader and rule:network_owner \
or role:reader and project_id:%(project_id)s
    get_port
[project] rule:context_is_advsvc or (rule:admin_only) or (role:reader and rule:network_owner) \
or role:reader and project_id:%(project_id)s
    get_port:tags
[project] (rule:admin_only) or (rule:service_api) or role:member and project_id:%(project_id)s
    update_port update_port:binding:vnic_type
[project] (rule:admin_only) or (rule:service_api) or role:manager and rule:network_owner
    update_port:mac_address
[project] rule:admin_only or role:data_plane_integrator
    update_port:data_plane_status
[project] (rule:admin_only) or (rule:service_api) \
or (service_roles:service and (role:member and rule:network_owner \
or role:member and project_id:%(project_id)s)) \
or (not rule:compute_device and not rule:baremetal_device and not rule:manila_device \
and (role:member and rule:network_owner \
or role:member and project_id:%(project_id)s))
    delete_port
[project] rule:context_is_advsvc or role:member and project_id:%(project_id)s \
or (rule:admin_only) or (role:member and rule:network_owner)
    delete_port:tags
field:policies:shared=True
    shared_qos_policy
[project] (rule:admin_only) or (role:reader and project_id:%(project_id)s) \
or rule:shared_qos_policy
    get_policy get_policy:tags
[project] (rule:admin_only) or (role:manager and rule:ext_parent_owner)
    create_policy_bandwidth_limit_rule update_policy_bandwidth_limit_rule
    delete_policy_bandwidth_limit_rule create_policy_packet_rate_limit_rule
    update_policy_packet_rate_limit_rule delete_policy_packet_rate_limit_rule
    create_policy_dscp_marking_rule update_policy_dscp_marking_rule delete_policy_dscp_marking_rule
    create_policy_minimum_bandwidth_rule update_policy_minimum_bandwidth_rule
    delete_policy_minimum_bandwidth_rule create_policy_minimum_packet_rate_rule
    update_policy_minimum_packet_rate_rule delete_policy_minimum_packet_rate_rule
    update_alias_bandwidth_limit_rule delete_alias_bandwidth_limit_rule
    update_alias_dscp_marking_rule delete_alias_dscp_marking_rule
    update_alias_minimum_bandwidth_rule delete_alias_minimum_bandwidth_rule
[project] rule:get_policy_minimum_packet_rate_rule
    get_alias_minimum_packet_rate_rule
[project] rule:update_policy_minimum_packet_rate_rule
    update_alias_minimum_packet_rate_rule
[project] rule:delete_policy_minimum_packet_rate_rule
    delete_alias_minimum_packet_rate_rule
(not field:rbac_policy:target_tenant=* and not field:rbac_policy:target_project=*) \
or rule:admin_only
    restrict_wildcard
[project] rule:admin_only \
or (not field:rbac_policy:target_tenant=* and not field:rbac_policy:target_project=*)
    create_rbac_policy:target_tenant update_rbac_policy:target_tenant
[project] rule:admin_only or not field:rbac_policy:target_project=*
    create_rbac_policy:target_project update_rbac_policy:target_project
rule:context_is_admin or project_id:%(security_group:project_id)s
    admin_or_sg_owner
rule:owner or rule:admin_or_sg_owner
    admin_owner_or_sg_owner
field:security_groups:shared=True
    shared_security_group
field:security_group_rules:belongs_to_default_sg=True
    rule_default_sg
[project] (rule:admin_only) or (rule:service_api) or role:reader and project_id:%(project_id)s
    create_default_security_group
[project] (rule:admin_only) or (role:reader and project_id:%(project_id)s) \
or rule:shared_security_group
    get_security_group get_security_group:tags
[project] (rule:admin_only) or (role:member and rule:sg_owner)
    create_security_group_rule delete_security_group_rule
[project] (rule:admin_only) or (role:reader and rule:sg_owner)
    get_security_group_rule
field:subnets:router:external=True
    external_network
[project] (rule:admin_only) or (role:member and rule:network_owner)
    create_subnet
[project] role:member and project_id:%(project_id)s or (rule:admin_only) \
or (role:member and rule:network_owner)
    create_subnet:tags update_subnet update_subnet:tags delete_subnet delete_subnet:tags
[project] role:reader and project_id:%(project_id)s or rule:shared or rule:external_network \
or (rule:admin_only) or (role:reader and rule:network_owner) or rule:service_api
    get_subnet
[project] role:reader and project_id:%(project_id)s or rule:shared or rule:external_network \
or (rule:admin_only) or (role:reader and rule:network_owner)
    get_subnet:tags
field:subnetpools:shared=True
    shared_subnetpools
[project] (rule:admin_only) or (role:reader and project_id:%(project_id)s) \
or rule:shared_subnetpools
    get_subnetpool get_subnetpool:tags
"""),
    kinds={"field": _attribute},
)
