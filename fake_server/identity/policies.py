"""Who may do what: the policies of Keystone 30."""

from __future__ import annotations

from fake_server.common.policies import Policies, table

POLICIES = Policies(
    table("""\
role:admin or is_admin:1
    admin_required
role:service
    service_role
rule:admin_required or rule:service_role
    service_or_admin
user_id:%(user_id)s
    owner
rule:admin_required or rule:owner
    admin_or_owner
user_id:%(target.token.user_id)s
    token_subject
rule:admin_required or rule:token_subject
    admin_or_token_subject
rule:service_or_admin or rule:token_subject
    service_admin_or_token_subject
'manager':%(target.role.name)s or 'member':%(target.role.name)s or 'reader':%(target.role.name)s
    domain_managed_target_role
[system project] (role:reader and system_scope:all) or user_id:%(target.user.id)s
    identity:get_access_rule identity:list_access_rules
[system project] (role:admin and system_scope:all) or user_id:%(target.user.id)s
    identity:delete_access_rule
[project] rule:admin_required
    identity:authorize_request_token identity:get_access_token identity:get_access_token_role
    identity:list_access_tokens identity:list_access_token_roles identity:delete_access_token
[system project] (rule:admin_required) or (role:reader and system_scope:all) or rule:owner
    identity:get_application_credential identity:list_application_credentials
    identity:ec2_list_credentials
[project] user_id:%(user_id)s
    identity:create_application_credential
[system project] rule:admin_or_owner
    identity:delete_application_credential
-
    identity:get_auth_catalog identity:get_auth_projects identity:get_auth_domains
    identity:get_auth_system identity:list_projects_for_user identity:list_domains_for_user
[system project] rule:admin_required or (role:reader and system_scope:all)
    identity:get_consumer identity:list_consumers identity:get_domain_config
    identity:get_domain_config_default identity:get_endpoint identity:list_endpoints
    identity:list_endpoint_groups identity:get_endpoint_group
    identity:list_projects_associated_with_endpoint_group
    identity:list_endpoints_associated_with_endpoint_group identity:get_endpoint_group_in_project
    identity:list_endpoint_groups_for_project identity:list_system_grants_for_user
    identity:check_system_grant_for_user identity:list_system_grants_for_group
    identity:check_system_grant_for_group identity:list_identity_providers
    identity:get_identity_provider identity:get_implied_role identity:list_implied_roles
    identity:list_role_inference_rules identity:check_implied_role identity:get_mapping
    identity:list_mappings identity:get_policy identity:list_policies
    identity:check_policy_association_for_endpoint identity:check_policy_association_for_service
    identity:check_policy_association_for_region_and_service identity:get_policy_for_endpoint
    identity:list_endpoints_for_policy identity:list_projects_for_endpoint
    identity:check_endpoint_in_project identity:list_endpoints_for_project identity:get_protocol
    identity:list_protocols identity:get_domain_role identity:list_domain_roles
    identity:get_service identity:list_services identity:list_service_providers
    identity:get_service_provider identity:list_trusts
[system project] rule:admin_required
    identity:create_consumer identity:update_consumer identity:delete_consumer
    identity:create_domain identity:update_domain identity:delete_domain
    identity:create_domain_config identity:update_domain_config identity:delete_domain_config
    identity:create_endpoint identity:update_endpoint identity:delete_endpoint
    identity:create_endpoint_group identity:update_endpoint_group identity:delete_endpoint_group
    identity:add_endpoint_group_to_project identity:remove_endpoint_group_from_project
    identity:create_system_grant_for_user identity:revoke_system_grant_for_user
    identity:create_system_grant_for_group identity:revoke_system_grant_for_group
    identity:create_identity_provider identity:update_identity_provider
    identity:delete_identity_provider identity:create_implied_role identity:delete_implied_role
    identity:create_limits identity:update_limit identity:delete_limit identity:create_mapping
    identity:delete_mapping identity:update_mapping identity:create_policy identity:update_policy
    identity:delete_policy identity:create_policy_association_for_endpoint
    identity:delete_policy_association_for_endpoint identity:create_policy_association_for_service
    identity:delete_policy_association_for_service
    identity:create_policy_association_for_region_and_service
    identity:delete_policy_association_for_region_and_service identity:add_endpoint_to_project
    identity:remove_endpoint_from_project identity:create_protocol identity:update_protocol
    identity:delete_protocol identity:create_region identity:update_region identity:delete_region
    identity:create_registered_limits identity:update_registered_limit
    identity:delete_registered_limit identity:create_role identity:update_role
    identity:delete_role identity:create_domain_role identity:update_domain_role
    identity:delete_domain_role identity:create_service identity:update_service
    identity:delete_service identity:create_service_provider identity:update_service_provider
    identity:delete_service_provider
[system domain project] (rule:admin_required) or (role:reader and system_scope:all) or \
user_id:%(target.credential.user_id)s
    identity:get_credential identity:list_credentials
[system domain project] (rule:admin_required) or user_id:%(target.credential.user_id)s
    identity:create_credential identity:update_credential identity:delete_credential
[system domain project] rule:admin_required or (role:reader and system_scope:all) or \
token.domain.id:%(target.domain.id)s or token.project.domain.id:%(target.domain.id)s
    identity:get_domain
[system domain project] rule:admin_required or (role:reader and system_scope:all) or (role:reader \
and domain_id:%(target.domain.id)s)
    identity:list_domains
[system domain project] -
    identity:get_security_compliance_domain_config identity:get_limit_model identity:list_limits
    identity:get_region identity:list_regions identity:get_registered_limit
    identity:list_registered_limits
[system project] (rule:admin_required) or (role:reader and system_scope:all) or \
user_id:%(target.credential.user_id)s
    identity:ec2_get_credential
[system project] (rule:admin_required) or (role:member and user_id:%(target.credential.user_id)s)
    identity:ec2_create_credential identity:ec2_delete_credential
[system domain project] (rule:admin_required) or ((role:reader and system_scope:all) or \
((role:reader and domain_id:%(target.user.domain_id)s and domain_id:%(target.project.domain_id)s) \
or (role:reader and domain_id:%(target.user.domain_id)s and domain_id:%(target.domain.id)s) or \
(role:reader and domain_id:%(target.group.domain_id)s and domain_id:%(target.project.domain_id)s) \
or (role:reader and domain_id:%(target.group.domain_id)s and domain_id:%(target.domain.id)s)) and \
(domain_id:%(target.role.domain_id)s or None:%(target.role.domain_id)s))
    identity:check_grant
[system domain project] (rule:admin_required) or ((role:reader and system_scope:all) or \
(role:reader and domain_id:%(target.user.domain_id)s and domain_id:%(target.project.domain_id)s) \
or (role:reader and domain_id:%(target.user.domain_id)s and domain_id:%(target.domain.id)s) or \
(role:reader and domain_id:%(target.group.domain_id)s and domain_id:%(target.project.domain_id)s) \
or (role:reader and domain_id:%(target.group.domain_id)s and domain_id:%(target.domain.id)s))
    identity:list_grants
[system domain project] (rule:admin_required) or ((role:admin and \
domain_id:%(target.user.domain_id)s and domain_id:%(target.project.domain_id)s) or (role:admin \
and domain_id:%(target.user.domain_id)s and domain_id:%(target.domain.id)s) or (role:admin and \
domain_id:%(target.group.domain_id)s and domain_id:%(target.project.domain_id)s) or (role:admin \
and domain_id:%(target.group.domain_id)s and domain_id:%(target.domain.id)s)) and \
(domain_id:%(target.role.domain_id)s or None:%(target.role.domain_id)s) or ((role:manager and \
domain_id:%(target.user.domain_id)s and domain_id:%(target.project.domain_id)s) or (role:manager \
and domain_id:%(target.user.domain_id)s and domain_id:%(target.domain.id)s) or (role:manager and \
domain_id:%(target.group.domain_id)s and domain_id:%(target.project.domain_id)s) or (role:manager \
and domain_id:%(target.group.domain_id)s and domain_id:%(target.domain.id)s)) and \
rule:domain_managed_target_role
    identity:create_grant identity:revoke_grant
[system domain project] (rule:admin_required) or (role:reader and system_scope:all) or \
(role:reader and domain_id:%(target.group.domain_id)s)
    identity:get_group identity:list_groups identity:list_users_in_group
[system domain project] (rule:admin_required) or (role:reader and system_scope:all) or \
(role:reader and domain_id:%(target.user.domain_id)s) or user_id:%(user_id)s
    identity:list_groups_for_user
[system domain project] (rule:admin_required) or (role:manager and \
domain_id:%(target.group.domain_id)s)
    identity:create_group identity:update_group identity:delete_group
[system domain project] (rule:admin_required) or (role:manager and \
domain_id:%(target.group.domain_id)s and domain_id:%(target.user.domain_id)s)
    identity:remove_user_from_group identity:add_user_to_group
[system domain project] (rule:admin_required) or (role:reader and system_scope:all) or \
(role:reader and domain_id:%(target.group.domain_id)s and domain_id:%(target.user.domain_id)s)
    identity:check_user_in_group
[system domain project] rule:admin_required or (role:reader and system_scope:all) or \
(domain_id:%(target.limit.domain.id)s or domain_id:%(target.limit.project.domain_id)s) or \
(project_id:%(target.limit.project_id)s and not None:%(target.limit.project_id)s)
    identity:get_limit
[system domain project] (rule:admin_required) or (role:reader and system_scope:all) or \
(role:reader and domain_id:%(target.project.domain_id)s and not \
None:%(target.project.domain_id)s) or project_id:%(target.project.id)s
    identity:get_project identity:list_project_tags identity:get_project_tag
[system domain project] (rule:admin_required) or (role:reader and system_scope:all) or \
(role:reader and domain_id:%(target.domain_id)s)
    identity:list_projects identity:list_users
[system domain project] (rule:admin_required) or (role:reader and system_scope:all) or \
(role:reader and domain_id:%(target.user.domain_id)s) or user_id:%(target.user.id)s
    identity:list_user_projects
[system domain project] (rule:admin_required) or (role:manager and \
domain_id:%(target.project.domain_id)s and not None:%(target.project.domain_id)s)
    identity:create_project identity:update_project identity:delete_project
    identity:update_project_tags identity:create_project_tag identity:delete_project_tags
    identity:delete_project_tag
[system project] rule:service_or_admin
    identity:list_revoke_events identity:revocation_list
[system domain project] (rule:admin_required or (role:reader and system_scope:all)) or \
(role:manager and rule:domain_managed_target_role)
    identity:get_role
[system domain project] (rule:admin_required or (role:reader and system_scope:all)) or \
(role:manager and not domain_id:None)
    identity:list_roles
[system domain project] (rule:admin_required) or (role:reader and system_scope:all) or \
(role:reader and domain_id:%(target.domain_id)s and not None:%(target.domain_id)s)
    identity:list_role_assignments identity:list_role_assignments_for_tree
[system domain project] rule:service_or_admin
    identity:s3tokens_validate identity:ec2tokens_validate
[system domain project] rule:admin_required or (role:reader and system_scope:all) or \
rule:token_subject
    identity:check_token
[system domain project] rule:admin_required or (role:reader and system_scope:all) or \
rule:service_role or rule:token_subject
    identity:validate_token
[system domain project] rule:admin_required or rule:token_subject
    identity:revoke_token
[project] user_id:%(target.trust.trustor_user_id)s
    identity:create_trust
[system project] (rule:admin_required) or (role:reader and system_scope:all or \
user_id:%(target.trust.trustor_user_id)s)
    identity:list_trusts_for_trustor
[system project] (rule:admin_required) or (role:reader and system_scope:all or \
user_id:%(target.trust.trustee_user_id)s)
    identity:list_trusts_for_trustee
[system project] (rule:admin_required) or (role:reader and system_scope:all or \
user_id:%(target.trust.trustor_user_id)s or user_id:%(target.trust.trustee_user_id)s)
    identity:list_roles_for_trust identity:get_role_for_trust identity:get_trust
[system project] rule:admin_required or user_id:%(target.trust.trustor_user_id)s
    identity:delete_trust
[system domain project] (rule:admin_required) or (role:reader and system_scope:all) or \
(role:reader and token.domain.id:%(target.user.domain_id)s) or user_id:%(target.user.id)s
    identity:get_user
[system domain project] (rule:admin_required) or (role:manager and \
token.domain.id:%(target.user.domain_id)s)
    identity:create_user identity:update_user identity:delete_user
[system domain project] rule:admin_or_owner
    identity:revoke_tokens_for_user
"""),
    prefix="identity:",
)
