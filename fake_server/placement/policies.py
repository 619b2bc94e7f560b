"""Who may do what: the policies of Placement 16."""

from __future__ import annotations

from fake_server.common.policies import Policies, table

POLICIES = Policies(
    table("""\
[project] role:admin
    admin_api
[project] role:service
    service_api
[project] role:admin or role:service
    admin_or_service_api
role:reader and project_id:%(project_id)s
    project_reader_api
[project] role:admin or rule:project_reader_api or role:service
    admin_or_project_reader_or_service_api
[project] rule:admin_or_service_api
    placement:resource_providers:list placement:resource_providers:create
    placement:resource_providers:show placement:resource_providers:update
    placement:resource_providers:delete placement:resource_classes:list
    placement:resource_classes:create placement:resource_classes:show
    placement:resource_classes:update placement:resource_classes:delete
    placement:resource_providers:inventories:list placement:resource_providers:inventories:create
    placement:resource_providers:inventories:show placement:resource_providers:inventories:update
    placement:resource_providers:inventories:delete placement:resource_providers:aggregates:list
    placement:resource_providers:aggregates:update placement:resource_providers:usages
    placement:traits:list placement:traits:show placement:traits:update placement:traits:delete
    placement:resource_providers:traits:list placement:resource_providers:traits:update
    placement:resource_providers:traits:delete placement:allocations:manage
    placement:allocations:list placement:allocations:update placement:allocations:delete
    placement:resource_providers:allocations:list placement:allocation_candidates:list
[project] rule:admin_or_project_reader_or_service_api
    placement:usages
[project] rule:service_api
    placement:reshaper:reshape
"""),
    prefix="placement:",
)
