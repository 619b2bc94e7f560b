"""Who may do what: the rule of each policy that Ironic checks, as of release 39.

What Ironic keeps for roles of its service project (``rbac_service_role_elevated_access``) is off,
as it is there unless it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.common.caller import Caller

#: Whether a caller may: given who owns what it is done to, and who leases it.
Rule = Callable[["Caller", str | None, str | None], bool]


def everywhere(role: str) -> Rule:
    """Return the rule for callers with a role in any scope."""
    return lambda caller, owner, lessee: caller.has(role)


def of_system(caller: Caller, owner: str | None, lessee: str | None) -> bool:
    """Return whether the caller is one of the system."""
    return caller.system


def of_owner(caller: Caller, owner: str | None, lessee: str | None) -> bool:
    """Return whether the caller is of the project that owns it."""
    return caller.project_id is not None and caller.project_id == owner


def of_lessee(caller: Caller, owner: str | None, lessee: str | None) -> bool:
    """Return whether the caller is of the project that leases it."""
    return caller.project_id is not None and caller.project_id == lessee


def always(caller: Caller, owner: str | None, lessee: str | None) -> bool:
    """Return that everyone may."""
    return True


def any_of(*rules: Rule) -> Rule:
    """Return the rule that one of several is enough for."""
    return lambda caller, owner, lessee: any(rule(caller, owner, lessee) for rule in rules)


def all_of(*rules: Rule) -> Rule:
    """Return the rule that needs all of several."""
    return lambda caller, owner, lessee: all(rule(caller, owner, lessee) for rule in rules)


def negated(rule: Rule) -> Rule:
    """Return the opposite of a rule."""
    return lambda caller, owner, lessee: not rule(caller, owner, lessee)


def _of_system(role: str) -> Rule:
    return lambda caller, owner, lessee: caller.system and caller.has(role)


def _of_owner(role: str) -> Rule:
    return lambda caller, owner, lessee: of_owner(caller, owner, lessee) and caller.has(role)


def _of_lessee(role: str) -> Rule:
    return lambda caller, owner, lessee: of_lessee(caller, owner, lessee) and caller.has(role)


_ANY_READER = any_of(everywhere("reader"), everywhere("service"))
_SYSTEM_ADMIN = _of_system("admin")
_SYSTEM_MEMBER = _of_system("member")
_SYSTEM_READER = any_of(_of_system("reader"), _of_system("service"))
_SYSTEM_OR_SERVICE = any_of(_SYSTEM_MEMBER, _of_system("service"), _of_owner("service"))
_OWNING_MANAGER = any_of(_of_owner("admin"), _of_owner("manager"))
_LEASING_MANAGER = any_of(_of_lessee("admin"), _of_lessee("manager"))
_READER = any_of(_SYSTEM_READER, _of_owner("reader"), _of_lessee("reader"), _of_owner("service"))
_OWNING_READER = any_of(_SYSTEM_READER, _of_owner("reader"), _of_owner("service"))
_MEMBER = any_of(_SYSTEM_MEMBER, _of_owner("member"), _of_lessee("member"), _of_system("service"))
_OWNING_MEMBER = any_of(_SYSTEM_OR_SERVICE, _of_owner("member"))
_OWNING_MEMBER_OR_LEASING_MANAGER = any_of(_OWNING_MEMBER, _LEASING_MANAGER)
_MEMBER_OR_OWNING_MANAGER = any_of(_SYSTEM_OR_SERVICE, _OWNING_MANAGER)
_ADMIN_OR_OWNING_MANAGER = any_of(
    _SYSTEM_ADMIN, _of_system("service"), _OWNING_MANAGER, _of_owner("service")
)
_MEMBER_OR_ANY_MANAGER = any_of(_SYSTEM_OR_SERVICE, _OWNING_MANAGER, _LEASING_MANAGER)
_RUNBOOK_MANAGER = any_of(_SYSTEM_MEMBER, _of_owner("manager"), everywhere("service"))


def of_admins(kind: str) -> dict[str, Rule]:
    """Return the policies of a resource that is changed by the system's administrators alone."""
    changes = [f"baremetal:{kind}:{action}" for action in ("create", "update", "delete")]
    return {f"baremetal:{kind}:get": _SYSTEM_READER, **dict.fromkeys(changes, _SYSTEM_ADMIN)}


POLICIES: Mapping[str, Rule] = {
    "baremetal:node:create": any_of(_SYSTEM_ADMIN, _of_system("service")),
    "baremetal:node:create:self_owned_node": any_of(everywhere("admin"), everywhere("service")),
    "baremetal:node:list": _ANY_READER,
    "baremetal:node:list_all": _SYSTEM_READER,
    "baremetal:node:get": _READER,
    "baremetal:node:get:filter_threshold": _SYSTEM_READER,
    "baremetal:node:get:last_error": _OWNING_READER,
    "baremetal:node:get:reservation": _OWNING_READER,
    "baremetal:node:get:driver_internal_info": _OWNING_READER,
    "baremetal:node:get:driver_info": _OWNING_READER,
    "baremetal:node:update": _MEMBER,
    "baremetal:node:update_extra": _MEMBER,
    "baremetal:node:update_instance_info": _OWNING_MEMBER_OR_LEASING_MANAGER,
    "baremetal:node:update_owner_provisioned": _SYSTEM_ADMIN,
    "baremetal:node:update:driver_info": _OWNING_MEMBER,
    "baremetal:node:update:properties": _OWNING_MEMBER,
    "baremetal:node:update:chassis_uuid": _SYSTEM_ADMIN,
    "baremetal:node:update:instance_uuid": _OWNING_MEMBER,
    "baremetal:node:update:lessee": _OWNING_MEMBER,
    "baremetal:node:update:owner": _SYSTEM_MEMBER,
    "baremetal:node:update:driver_interfaces": _MEMBER_OR_OWNING_MANAGER,
    "baremetal:node:update:network_data": _OWNING_MEMBER,
    "baremetal:node:update:conductor_group": _SYSTEM_MEMBER,
    "baremetal:node:update:name": _OWNING_MEMBER,
    "baremetal:node:update:retired": _OWNING_MEMBER,
    "baremetal:node:update:shard": _SYSTEM_ADMIN,
    "baremetal:node:update:parent_node": _SYSTEM_MEMBER,
    "baremetal:node:update:disable_power_off": _SYSTEM_ADMIN,
    "baremetal:node:disable_cleaning": _SYSTEM_ADMIN,
    "baremetal:node:delete": _SYSTEM_ADMIN,
    "baremetal:node:delete:self_owned_node": _of_owner("admin"),
    "baremetal:node:validate": _OWNING_MEMBER_OR_LEASING_MANAGER,
    "baremetal:node:set_maintenance": _OWNING_MEMBER_OR_LEASING_MANAGER,
    "baremetal:node:clear_maintenance": _OWNING_MEMBER_OR_LEASING_MANAGER,
    "baremetal:node:get_boot_device": _MEMBER_OR_OWNING_MANAGER,
    "baremetal:node:set_boot_device": _MEMBER_OR_OWNING_MANAGER,
    "baremetal:node:get_indicator_state": _READER,
    "baremetal:node:set_indicator_state": _OWNING_MEMBER,
    "baremetal:node:inject_nmi": _MEMBER_OR_OWNING_MANAGER,
    "baremetal:node:get_states": _READER,
    "baremetal:node:set_power_state": _MEMBER,
    "baremetal:node:set_boot_mode": _MEMBER,
    "baremetal:node:set_secure_boot": _MEMBER,
    "baremetal:node:set_provision_state": _OWNING_MEMBER_OR_LEASING_MANAGER,
    "baremetal:node:set_provision_state:clean_steps": _OWNING_MEMBER_OR_LEASING_MANAGER,
    "baremetal:node:set_provision_state:service_steps": _OWNING_MEMBER_OR_LEASING_MANAGER,
    "baremetal:node:set_raid_state": _OWNING_MEMBER,
    "baremetal:node:get_console": _OWNING_MEMBER,
    "baremetal:node:set_console_state": _OWNING_MEMBER,
    "baremetal:node:vif:list": _READER,
    "baremetal:node:vif:attach": _OWNING_MEMBER_OR_LEASING_MANAGER,
    "baremetal:node:vif:detach": _OWNING_MEMBER_OR_LEASING_MANAGER,
    "baremetal:node:traits:list": _READER,
    "baremetal:node:traits:set": _MEMBER_OR_OWNING_MANAGER,
    "baremetal:node:traits:delete": _MEMBER_OR_OWNING_MANAGER,
    "baremetal:node:bios:get": _READER,
    "baremetal:node:firmware:get": _READER,
    "baremetal:node:history:get": _OWNING_READER,
    "baremetal:node:inventory:get": _OWNING_READER,
    "baremetal:node:vmedia:attach": _MEMBER,
    "baremetal:node:vmedia:detach": _MEMBER,
    "baremetal:node:vmedia:get": _READER,
    "baremetal:node:vendor_passthru": _SYSTEM_ADMIN,
    "baremetal:shards:get": _SYSTEM_READER,
    "baremetal:events:post": _SYSTEM_ADMIN,
    "baremetal:port:get": _READER,
    "baremetal:port:list": _ANY_READER,
    "baremetal:port:list_all": _SYSTEM_READER,
    "baremetal:port:create": _ADMIN_OR_OWNING_MANAGER,
    "baremetal:port:delete": _ADMIN_OR_OWNING_MANAGER,
    "baremetal:port:update": _MEMBER_OR_OWNING_MANAGER,
    "baremetal:portgroup:get": _READER,
    "baremetal:portgroup:list": _ANY_READER,
    "baremetal:portgroup:list_all": _SYSTEM_READER,
    "baremetal:portgroup:create": _ADMIN_OR_OWNING_MANAGER,
    "baremetal:portgroup:delete": _ADMIN_OR_OWNING_MANAGER,
    "baremetal:portgroup:update": _MEMBER_OR_OWNING_MANAGER,
    "baremetal:chassis:get": _SYSTEM_READER,
    "baremetal:chassis:create": _SYSTEM_ADMIN,
    "baremetal:chassis:delete": _SYSTEM_ADMIN,
    "baremetal:chassis:update": _SYSTEM_MEMBER,
    "baremetal:driver:get": _SYSTEM_READER,
    "baremetal:driver:get_properties": _SYSTEM_READER,
    "baremetal:driver:get_raid_logical_disk_properties": _SYSTEM_READER,
    "baremetal:driver:vendor_passthru": _SYSTEM_ADMIN,
    "baremetal:conductor:get": _SYSTEM_READER,
    "baremetal:volume:get": _READER,
    "baremetal:volume:list": _ANY_READER,
    "baremetal:volume:list_all": _SYSTEM_READER,
    "baremetal:volume:create": _MEMBER_OR_ANY_MANAGER,
    "baremetal:volume:delete": _MEMBER_OR_ANY_MANAGER,
    "baremetal:volume:update": _OWNING_MEMBER_OR_LEASING_MANAGER,
    "baremetal:volume:view_target_properties": any_of(_SYSTEM_READER, everywhere("admin")),
    "baremetal:allocation:get": any_of(_SYSTEM_READER, _of_owner("reader")),
    "baremetal:allocation:list": _ANY_READER,
    "baremetal:allocation:list_all": _SYSTEM_READER,
    "baremetal:allocation:create": everywhere("member"),
    "baremetal:allocation:create_restricted": _SYSTEM_MEMBER,
    "baremetal:allocation:delete": any_of(_SYSTEM_MEMBER, _of_owner("member")),
    "baremetal:allocation:update": any_of(_SYSTEM_MEMBER, _of_owner("member")),
    **of_admins("inspection_rule"),
    "baremetal:runbook:get": any_of(_SYSTEM_READER, _of_owner("reader"), everywhere("service")),
    "baremetal:runbook:list": _ANY_READER,
    "baremetal:runbook:list_all": _SYSTEM_READER,
    "baremetal:runbook:create": any_of(
        _SYSTEM_MEMBER, everywhere("manager"), everywhere("service")
    ),
    "baremetal:runbook:delete": _RUNBOOK_MANAGER,
    "baremetal:runbook:update": _RUNBOOK_MANAGER,
    "baremetal:runbook:update:public": _SYSTEM_MEMBER,
    "baremetal:runbook:update:owner": _SYSTEM_MEMBER,
    "baremetal:runbook:use": _RUNBOOK_MANAGER,
    **of_admins("deploy_template"),
}
