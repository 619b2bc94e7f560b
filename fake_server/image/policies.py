"""Who may do what: the policies of Glance 33."""

from __future__ import annotations

from fake_server.common.policies import Policies, table

POLICIES = Policies(
    table("""\
-
    default metadef_default
role:admin
    context_is_admin
role:service or role:admin
    service_api
[project] rule:context_is_admin \
or (role:member and project_id:%(project_id)s and project_id:%(owner)s)
    add_image
[project] rule:context_is_admin or (role:member and project_id:%(project_id)s)
    delete_image modify_image communitize_image upload_image set_image_location add_member
    delete_member deactivate reactivate
[project] rule:context_is_admin or (role:reader and (project_id:%(project_id)s \
or project_id:%(member_id)s or 'community':%(visibility)s or 'public':%(visibility)s \
or 'shared':%(visibility)s))
    get_image
[project] rule:context_is_admin or (role:reader and project_id:%(project_id)s)
    get_images get_image_location get_metadef_namespaces
[project] rule:context_is_admin
    publicize_image delete_image_location manage_image_cache copy_image list_cached_nodes
    tasks_api_access cache_image cache_list cache_delete cache_clean cache_prune
[project] rule:context_is_admin or (role:member and (project_id:%(project_id)s \
or project_id:%(member_id)s or 'community':%(visibility)s or 'public':%(visibility)s \
or 'shared':%(visibility)s))
    download_image download_from_store
[project] rule:service_api or (role:member and project_id:%(project_id)s and project_id:%(owner)s)
    add_image_location
[project] rule:service_api
    fetch_image_location
[project] rule:context_is_admin or role:reader and (project_id:%(project_id)s \
or project_id:%(member_id)s)
    get_member get_members
[project] rule:context_is_admin or (role:member and project_id:%(member_id)s)
    modify_member
[project] rule:default
    get_task get_tasks add_task modify_task
rule:context_is_admin
    metadef_admin
[project] rule:context_is_admin or (role:reader and (project_id:%(project_id)s \
or 'public':%(visibility)s))
    get_metadef_namespace get_metadef_object get_metadef_objects list_metadef_resource_types
    get_metadef_resource_type get_metadef_property get_metadef_properties get_metadef_tag
    get_metadef_tags
[project] rule:metadef_admin
    modify_metadef_namespace add_metadef_namespace delete_metadef_namespace modify_metadef_object
    add_metadef_object delete_metadef_object add_metadef_resource_type_association
    remove_metadef_resource_type_association modify_metadef_property add_metadef_property
    remove_metadef_property modify_metadef_tag add_metadef_tag add_metadef_tags delete_metadef_tag
    delete_metadef_tags
[project] rule:context_is_admin or rule:service_api
    stores_info_detail
""")
)
