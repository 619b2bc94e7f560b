"""Who may do what: the policies that Ironic publishes, as of release 39.

What Ironic keeps for roles of its service project (``rbac_service_role_elevated_access``) is off,
as it is there unless it is asked for: nobody has ``service_role`` then.
"""

from __future__ import annotations

from fake_server.common.policies import Policies, table

#: What begins the names of the policies of single steps, ``<interface>.<step>``, which only files
#: have. A step that none names may be run by whoever may run steps.
STEPS = "baremetal:step:execute:"

_DEMO_DOMAIN = "project_domain_id:default or project_domain_id:None"
_SYSTEM_ADMIN = "role:admin and system_scope:all"
_SYSTEM_SERVICE = "(role:service and system_scope:all)"
_SYSTEM_MEMBER = "(role:member and system_scope:all) or rule:service_role"
_SYSTEM_READER = (
    "(role:reader and system_scope:all) or (role:service and system_scope:all) or rule:service_role"
)
_SYSTEM = f"({_SYSTEM_MEMBER}) or {_SYSTEM_SERVICE}"
_OWNING_READER = "(role:reader and project_id:%(node.owner)s)"
_OWNING_MEMBER = "(role:member and project_id:%(node.owner)s)"
_OWNING_SERVICE = "(role:service and project_id:%(node.owner)s)"
_OWNING_MANAGERS = (
    "(role:admin and project_id:%(node.owner)s) or (role:manager and project_id:%(node.owner)s)"
)
_LEASING_MANAGERS = (
    "(role:admin and project_id:%(node.lessee)s) or (role:manager and project_id:%(node.lessee)s)"
)
_ANY_READER = "(role:reader and (project_id:%(node.owner)s or project_id:%(node.lessee)s))"
_ANY_MEMBER = "(role:member and (project_id:%(node.owner)s or project_id:%(node.lessee)s))"
_OWNER_READS_RUNBOOK = "(role:reader and project_id:%(runbook.owner)s)"
_OWNER_MANAGES_RUNBOOK = "(role:manager and project_id:%(runbook.owner)s)"
_RULES = table(
    f"""
role:admin or role:administrator
    admin_api
is_public_api:True
    public_api
!
    show_password show_instance_secrets
role:service and project_name:%(config.service_project_name)s
    service_role
({_DEMO_DOMAIN}) and (project_name:demo or project_name:baremetal)
    is_member
rule:is_member and (role:observer or role:baremetal_observer)
    is_observer
rule:admin_api or (rule:is_member and role:baremetal_admin)
    is_admin
project_id:%(node.owner)s
    is_node_owner
project_id:%(node.lessee)s
    is_node_lessee
project_id:%(allocation.owner)s
    is_allocation_owner
[system project] ({_SYSTEM_ADMIN}) or {_SYSTEM_SERVICE}
    baremetal:node:create
[system project] (role:admin) or (role:service)
    baremetal:node:create:self_owned_node
[system project] (role:reader) or (role:service)
    baremetal:node:list baremetal:port:list baremetal:portgroup:list baremetal:volume:list
    baremetal:allocation:list baremetal:runbook:list
[system project] {_SYSTEM_READER}
    baremetal:node:list_all baremetal:node:get:filter_threshold baremetal:shards:get
    baremetal:port:list_all baremetal:portgroup:list_all baremetal:volume:list_all
    baremetal:conductor:get baremetal:allocation:list_all baremetal:deploy_template:get
    baremetal:runbook:list_all baremetal:inspection_rule:get
    baremetal:inspection_rule:list_all
[system project] ({_SYSTEM_READER}) or {_ANY_READER} or {_OWNING_SERVICE}
    baremetal:node:get baremetal:node:get_indicator_state baremetal:node:get_states
    baremetal:node:vif:list baremetal:node:traits:list baremetal:node:bios:get
    baremetal:node:firmware:get baremetal:node:vmedia:get baremetal:port:get
    baremetal:portgroup:get baremetal:volume:get
[system project] ({_SYSTEM_READER}) or {_SYSTEM_SERVICE} or {_OWNING_READER} or {_OWNING_SERVICE}
    baremetal:node:get:last_error baremetal:node:get:reservation
    baremetal:node:get:driver_internal_info baremetal:node:get:driver_info
    baremetal:node:history:get baremetal:node:inventory:get
[system project] {_SYSTEM} or {_OWNING_MEMBER} or {_OWNING_SERVICE}
    baremetal:node:update:driver_info baremetal:node:update:properties
    baremetal:node:update:instance_uuid baremetal:node:update:lessee
    baremetal:node:update:network_data baremetal:node:update:name
    baremetal:node:update:retired baremetal:node:set_indicator_state
    baremetal:node:set_raid_state baremetal:node:get_console baremetal:node:set_console_state
[system project] {_SYSTEM_ADMIN}
    baremetal:node:update:chassis_uuid baremetal:node:delete baremetal:node:disable_cleaning
    baremetal:node:update:shard baremetal:node:update:disable_power_off
    baremetal:node:vendor_passthru baremetal:deploy_template:create
    baremetal:deploy_template:delete baremetal:deploy_template:update
    baremetal:inspection_rule:create baremetal:inspection_rule:update
    baremetal:inspection_rule:delete
[system project] {_SYSTEM_MEMBER}
    baremetal:node:update:owner baremetal:node:update:conductor_group
    baremetal:node:update:parent_node baremetal:allocation:create_restricted
    baremetal:runbook:update:public baremetal:runbook:update:owner
[system project] {_SYSTEM} or {_OWNING_MANAGERS} or {_OWNING_SERVICE}
    baremetal:node:update:driver_interfaces baremetal:node:get_boot_device
    baremetal:node:set_boot_device baremetal:node:inject_nmi baremetal:node:traits:set
    baremetal:node:traits:delete baremetal:port:update baremetal:portgroup:update
[system project] ({_SYSTEM_MEMBER}) or {_ANY_MEMBER} or {_SYSTEM_SERVICE}
    baremetal:node:update baremetal:node:update_extra baremetal:node:set_power_state
    baremetal:node:set_boot_mode baremetal:node:set_secure_boot baremetal:node:vmedia:attach
    baremetal:node:vmedia:detach
[system project] {_SYSTEM} or {_OWNING_MEMBER} or {_LEASING_MANAGERS} or {_OWNING_SERVICE}
    baremetal:node:update_instance_info baremetal:node:validate baremetal:node:set_maintenance
    baremetal:node:clear_maintenance baremetal:node:set_provision_state
    baremetal:node:set_provision_state:clean_steps
    baremetal:node:set_provision_state:service_steps baremetal:node:vif:attach
    baremetal:node:vif:detach baremetal:volume:update
[system] {_SYSTEM_ADMIN}
    baremetal:node:update_owner_provisioned baremetal:chassis:create baremetal:chassis:delete
    baremetal:driver:vendor_passthru baremetal:events:post
[system project] role:admin and project_id:%(node.owner)s
    baremetal:node:delete:self_owned_node
[system project] ({_SYSTEM_ADMIN}) or {_SYSTEM_SERVICE} or {_OWNING_MANAGERS} or {_OWNING_SERVICE}
    baremetal:port:create baremetal:port:delete baremetal:portgroup:create
    baremetal:portgroup:delete
[system] {_SYSTEM_READER}
    baremetal:chassis:get baremetal:driver:get baremetal:driver:get_properties
    baremetal:driver:get_raid_logical_disk_properties
[system] {_SYSTEM_MEMBER}
    baremetal:chassis:update
-
    baremetal:node:ipa_heartbeat baremetal:driver:ipa_lookup
    baremetal:driver:ipa_continue_inspection
[system project] {_SYSTEM} or {_OWNING_MANAGERS} or {_LEASING_MANAGERS} or {_OWNING_SERVICE}
    baremetal:volume:create baremetal:volume:delete
[system project] ({_SYSTEM_READER}) or (role:admin)
    baremetal:volume:view_target_properties
[system project] ({_SYSTEM_READER}) or (role:reader and project_id:%(allocation.owner)s)
    baremetal:allocation:get
[system project] ({_SYSTEM_MEMBER}) or (role:member)
    baremetal:allocation:create
[system project] ({_SYSTEM_MEMBER}) or (role:member and project_id:%(allocation.owner)s)
    baremetal:allocation:delete baremetal:allocation:update
[project] (rule:is_member and role:baremetal_admin) or (is_admin_project:True and role:admin)
    baremetal:allocation:create_pre_rbac
[system project] ({_SYSTEM_READER}) or {_OWNER_READS_RUNBOOK} or role:service
    baremetal:runbook:get
[system project] ({_SYSTEM_MEMBER}) or role:manager or role:service
    baremetal:runbook:create
[system project] ({_SYSTEM_MEMBER}) or {_OWNER_MANAGES_RUNBOOK} or role:service
    baremetal:runbook:delete baremetal:runbook:update baremetal:runbook:use
"""
)
#: Policies that were part of others: a file that has those, and not them, means them, too.
_PARTS = {
    "node:get": (
        *("node:get:filter_threshold", "node:get:last_error", "node:get:reservation"),
        *("node:get:driver_internal_info", "node:get:driver_info", "node:history:get"),
        "node:inventory:get",
    ),
    "node:update": (
        *("node:update:driver_info", "node:update:properties", "node:update:chassis_uuid"),
        *("node:update:instance_uuid", "node:update:lessee", "node:update:owner"),
        *("node:update:driver_interfaces", "node:update:network_data", "node:update:name"),
        *("node:update:conductor_group", "node:update:retired"),
    ),
    "node:set_maintenance": ("node:set_boot_device",),
    "node:set_power_state": ("node:set_boot_mode", "node:set_secure_boot"),
    "portgroup:get": ("portgroup:list", "portgroup:list_all"),
    "volume:get": ("volume:list", "volume:list_all"),
    "volume:update": ("volume:view_target_properties",),
}
POLICIES = Policies(
    _RULES,
    renamed={
        f"baremetal:{part}": f"baremetal:{whole}"
        for whole, parts in _PARTS.items()
        for part in parts
    },
    added=STEPS,
)
