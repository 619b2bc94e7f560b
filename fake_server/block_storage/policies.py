"""Who may do what: Cinder's default policies."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Policies by the role that they ask for in the project that something belongs to. The names of
#: those that begin with ``extension:`` begin with ``volume_extension:`` in Cinder.
_NAMES = {
    "reader": (
        "volume:get volume:get_all volume:get_volume_metadata volume:get_snapshot "
        "volume:get_all_snapshots volume:get_snapshot_metadata volume:get_transfer "
        "volume:get_all_transfers backup:get backup:get_all extension:quotas:show "
        "extension:type_get extension:type_get_all extension:types_extra_specs:index "
        "extension:types_extra_specs:show extension:volume_image_metadata:show"
    ),
    "member": (
        "volume:create volume:update volume:delete volume:extend volume:extend_attached_volume "
        "volume:retype volume:revert_to_snapshot volume:update_readonly_flag "
        "volume:create_volume_metadata volume:update_volume_metadata "
        "volume:delete_volume_metadata volume:create_snapshot volume:update_snapshot "
        "volume:delete_snapshot volume:update_snapshot_metadata volume:delete_snapshot_metadata "
        "volume:create_transfer volume:accept_transfer volume:delete_transfer "
        "volume:attachment_create volume:attachment_update volume:attachment_delete "
        "volume:attachment_complete backup:create backup:update backup:delete backup:restore "
        "snapshot_extension:snapshot_actions:update_snapshot_status "
        "extension:volume_image_metadata:set extension:volume_image_metadata:remove "
        "extension:volume_actions:initialize_connection "
        "extension:volume_actions:terminate_connection extension:volume_actions:reserve "
        "extension:volume_actions:unreserve extension:volume_actions:begin_detaching "
        "extension:volume_actions:roll_detaching extension:volume_actions:attach "
        "extension:volume_actions:detach"
    ),
    "admin": (
        "volume:force_delete clusters:get_all scheduler_extension:scheduler_stats:get_pools "
        "backup:backup_project_attribute extension:access_types_qos_specs_id "
        "extension:types_extra_specs:read_sensitive extension:backup_admin_actions:reset_status "
        "extension:backup_admin_actions:force_delete "
        "extension:snapshot_admin_actions:reset_status "
        "extension:snapshot_admin_actions:force_delete "
        "extension:volume_admin_actions:reset_status extension:volume_admin_actions:force_delete "
        "extension:volume_admin_actions:force_detach extension:type_create extension:type_update "
        "extension:type_delete extension:types_extra_specs:create "
        "extension:types_extra_specs:update extension:types_extra_specs:delete "
        "extension:volume_type_access:addProjectAccess "
        "extension:volume_type_access:removeProjectAccess "
        "extension:volume_type_access:get_all_for_type extension:volume_type_encryption:get "
        "extension:volume_type_encryption:create extension:volume_type_encryption:update "
        "extension:volume_type_encryption:delete extension:qos_specs_manage:get "
        "extension:qos_specs_manage:get_all extension:qos_specs_manage:create "
        "extension:qos_specs_manage:update extension:qos_specs_manage:delete "
        "extension:quotas:update extension:quotas:delete extension:quota_classes:get "
        "extension:quota_classes:update extension:default_get extension:default_get_all "
        "extension:default_set_or_update extension:default_unset extension:services:index "
        "extension:hosts extension:capabilities extension:volume_host_attribute"
    ),
}
#: The role that each policy asks for.
POLICIES: Mapping[str, str] = {
    f"volume_{name}" if name.startswith("extension:") else name: role
    for role, names in _NAMES.items()
    for name in names.split()
}
