"""Who may do what: Nova's default policies."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.common.caller import Caller

#: The roles of which a policy wants one, by a word for it. What projects have is found first.
_ROLES: Mapping[str, frozenset[str]] = {
    "admin": frozenset({"admin"}),
    "manager": frozenset({"admin", "manager"}),
    "member": frozenset({"admin", "member"}),
    "service": frozenset({"admin", "service"}),
}
_NAMES: Mapping[str, str] = {
    "admin": """
        compute:aggregates compute:servers compute:server:topology:host
        limits:other_project network:attach_external_network
        os-admin-actions os-aggregates os-availability-zone:detail os-console-auth-tokens
        os-evacuate os-extended-server-attributes os-flavor-access os-flavor-extra-specs
        os-flavor-manage os-hosts os-hypervisors os-instance-actions:events
        os-instance-usage-audit-log os-keypairs os-lock-server:unlock:unlock_override
        os-migrate-server:migrate:host os-migrate-server:migrate_live:host
        os-migrations:index:all_projects os-quota-class-sets os-quota-sets os-server-diagnostics
        os-server-groups:index:all_projects os-services os-shelve:shelve_offload
        os-shelve:unshelve_to_host os-simple-tenant-usage
        servers:allow_all_filters servers:create:forced_host servers:create:zero_disk_flavor
        servers:detail:get_all_tenants servers:index:get_all_tenants servers:migrations:show
        servers:show:host_status
    """,
    "manager": "os-migrate-server os-migrations servers:migrations",
    "member": """
        os-admin-password os-attach-interfaces os-console-output os-create-backup
        os-deferred-delete os-floating-ips os-lock-server os-multinic os-pause-server
        os-remote-consoles os-rescue os-security-groups os-server-groups os-server-password
        os-server-tags os-shelve os-suspend-server os-unrescue os-volumes os-volumes-attachments
        server-metadata servers
    """,
    "service": "os-assisted-volume-snapshots os-server-external-events os-volumes-attachments:swap",
}
#: What a policy asks for, by its name or by what the names of several begin with.
_POLICIES: Mapping[str, str] = {name: word for word in _NAMES for name in _NAMES[word].split()}


def allows(policy: str, caller: Caller | None) -> bool:
    """Return whether a policy allows its action; without authentication everybody may do all.

    :param policy: its name, without ``os_compute_api:``.
    """
    name = policy
    while name not in _POLICIES:
        name, colon, _ = name.rpartition(":")
        if not colon:
            raise KeyError(policy)
    return caller is None or not caller.roles.isdisjoint(_ROLES[_POLICIES[name]])
