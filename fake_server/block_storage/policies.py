"""Who may do what: the policies of Cinder 29."""

from __future__ import annotations

from fake_server.common.policies import Policies, table

POLICIES = Policies(
    table("""\
is_admin:True or (role:admin and is_admin_project:True) or project_id:%(project_id)s
    admin_or_owner
(role:admin and system_scope:all) or (role:admin and domain_id:%(domain_id)s) or \
(role:admin and project_id:%(project_id)s)
    system_or_domain_or_project_admin
role:admin
    context_is_admin
is_admin:True or (role:admin and is_admin_project:True)
    admin_api
(role:admin) or (role:reader and project_id:%(project_id)s)
    xena_system_admin_or_project_reader
(role:admin) or (role:member and project_id:%(project_id)s)
    xena_system_admin_or_project_member
rule:xena_system_admin_or_project_member
    volume:attachment_create volume:attachment_update volume:attachment_delete
    volume:attachment_complete volume:multiattach_bootable_volume message:delete
    volume:update_snapshot_metadata volume:delete_snapshot_metadata volume:create_snapshot
    volume:update_snapshot volume:delete_snapshot
    snapshot_extension:snapshot_actions:update_snapshot_status backup:create backup:update
    backup:delete backup:restore group:create group:update group:create_group_snapshot
    group:delete_group_snapshot group:update_group_snapshot group:delete group:enable_replication
    group:disable_replication group:failover_replication group:list_replication_targets
    volume_extension:volume_type_access volume:extend volume:extend_attached_volume
    volume:revert_to_snapshot volume:retype volume:update_readonly_flag
    volume_extension:volume_actions:upload_image
    volume_extension:volume_actions:initialize_connection
    volume_extension:volume_actions:terminate_connection
    volume_extension:volume_actions:roll_detaching volume_extension:volume_actions:reserve
    volume_extension:volume_actions:unreserve volume_extension:volume_actions:begin_detaching
    volume_extension:volume_actions:attach volume_extension:volume_actions:detach volume:reimage
    volume:reimage_reserved volume:create_transfer volume:accept_transfer volume:delete_transfer
    volume:create_volume_metadata volume:update_volume_metadata volume:delete_volume_metadata
    volume_extension:volume_image_metadata:set volume_extension:volume_image_metadata:remove
    volume:create volume:create_from_image volume:update volume:delete volume:multiattach
rule:xena_system_admin_or_project_reader
    message:get_all message:get volume:get_snapshot_metadata volume:get_all_snapshots
    volume_extension:extended_snapshot_attributes volume:get_snapshot backup:get_all backup:get
    group:get_all group:get group:get_all_group_snapshots group:get_group_snapshot
    volume_extension:quotas:show limits_extension:used_limits volume_extension:type_get
    volume_extension:type_get_all volume_extension:access_types_extra_specs
    volume:get_all_transfers volume:get_transfer volume:get_volume_metadata
    volume_extension:volume_image_metadata:show volume_extension:types_extra_specs:index
    volume_extension:types_extra_specs:show volume:get volume:get_all
    volume_extension:volume_tenant_attribute volume_extension:volume_encryption_metadata
rule:admin_api
    clusters:get_all clusters:get clusters:update workers:cleanup
    volume_extension:snapshot_admin_actions:reset_status
    volume_extension:snapshot_admin_actions:force_delete snapshot_extension:list_manageable
    snapshot_extension:snapshot_manage snapshot_extension:snapshot_unmanage
    backup:backup_project_attribute backup:backup-import backup:export-import
    volume_extension:backup_admin_actions:reset_status
    volume_extension:backup_admin_actions:force_delete group:group_project_attribute
    group:group_types:create group:group_types:update group:group_types:delete
    group:access_group_types_specs group:group_types_specs:get group:group_types_specs:get_all
    group:group_types_specs:create group:group_types_specs:update group:group_types_specs:delete
    group:group_snapshot_project_attribute group:reset_group_snapshot_status group:reset_status
    volume_extension:qos_specs_manage:get_all volume_extension:qos_specs_manage:get
    volume_extension:qos_specs_manage:create volume_extension:qos_specs_manage:update
    volume_extension:qos_specs_manage:delete volume_extension:quota_classes:get
    volume_extension:quota_classes:update volume_extension:quotas:update
    volume_extension:quotas:delete volume_extension:capabilities volume_extension:services:index
    volume_extension:services:update volume:freeze_host volume:thaw_host volume:failover_host
    scheduler_extension:scheduler_stats:get_pools volume_extension:hosts
    volume_extension:list_manageable volume_extension:volume_manage
    volume_extension:volume_unmanage volume_extension:type_create volume_extension:type_update
    volume_extension:type_delete volume_extension:access_types_qos_specs_id
    volume_extension:volume_type_encryption volume_extension:volume_type_encryption:create
    volume_extension:volume_type_encryption:get volume_extension:volume_type_encryption:update
    volume_extension:volume_type_encryption:delete
    volume_extension:volume_type_access:addProjectAccess
    volume_extension:volume_type_access:removeProjectAccess
    volume_extension:volume_type_access:get_all_for_type
    volume_extension:volume_admin_actions:extend_volume_completion
    volume_extension:volume_admin_actions:reset_status
    volume_extension:volume_admin_actions:force_delete
    volume_extension:volume_actions:upload_public
    volume_extension:volume_admin_actions:force_detach
    volume_extension:volume_admin_actions:migrate_volume
    volume_extension:volume_admin_actions:migrate_volume_completion
    volume:update_volume_admin_metadata volume_extension:types_extra_specs:create
    volume_extension:types_extra_specs:read_sensitive volume_extension:types_extra_specs:update
    volume_extension:types_extra_specs:delete volume:force_delete
    volume_extension:volume_host_attribute volume_extension:volume_mig_status_attribute
    volume_extension:default_set_or_update volume_extension:default_get
    volume_extension:default_get_all volume_extension:default_unset
""")
)
