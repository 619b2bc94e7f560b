"""Who may do what: Keystone's default policies.

Source: the sample policy file of Keystone's documentation, "Keystone policies".
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fake_server.identity.tokens import Token


@dataclass(frozen=True)
class Target:
    """What an action is about.

    :param domain_id: the domain that it is in.
    :param user_id: the user whose it is.
    :param project_id: the project that it is, or is in.
    """

    domain_id: str | None = None
    user_id: str | None = None
    project_id: str | None = None


def _in_domain(role: str) -> Callable[[Token, Target], bool]:
    def holds(token: Token, target: Target) -> bool:
        domain = token.row["domain_id"]
        return domain is not None and domain == target.domain_id and role in token.roles

    return holds


#: What a policy asks for, one of which has to hold.
_CHECKS: Mapping[str, Callable[[Token, Target], bool]] = {
    "anyone": lambda token, target: True,
    "admin": lambda token, target: "admin" in token.roles,
    "overseer": lambda token, target: (
        "admin" in token.roles or (token.row["system"] and "reader" in token.roles)
    ),
    "service": lambda token, target: "service" in token.roles,
    "domain reader": _in_domain("reader"),
    "domain manager": _in_domain("manager"),
    "user": lambda token, target: token.user["id"] == target.user_id,
    "project": lambda token, target: (
        target.project_id is not None and token.row["project_id"] == target.project_id
    ),
    "domain": lambda token, target: (
        target.domain_id is not None and token.row["domain_id"] == target.domain_id
    ),
    "domain of project": lambda token, target: (
        token.project is not None and token.project["domain_id"] == target.domain_id
    ),
}


def _crud(
    plural: str, read: str, *, write: str = "admin", show: str | None = None
) -> dict[str, str]:
    """Return the policies of a kind: who lists and who changes; who shows, if others do."""
    one = plural.removesuffix("s")
    return {
        f"list_{plural}": read,
        f"get_{one}": show or read,
        **{f"{verb}_{one}": write for verb in ("create", "update", "delete")},
    }


_OF_DOMAIN = "overseer, domain reader"
_MANAGED = "admin, domain manager"
_CREDENTIAL = "overseer, user"
#: By the action, what the policy asks for.
POLICIES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        action: tuple(rule.split(", "))
        for action, rule in {
            **_crud("domains", _OF_DOMAIN, show="overseer, domain, domain of project"),
            **_crud("projects", _OF_DOMAIN, write=_MANAGED, show=f"{_OF_DOMAIN}, project"),
            **_crud("users", _OF_DOMAIN, write=_MANAGED, show=f"{_OF_DOMAIN}, user"),
            **_crud("groups", _OF_DOMAIN, write=_MANAGED),
            **_crud("roles", "overseer"),
            **_crud("services", "overseer"),
            **_crud("endpoints", "overseer"),
            **_crud("regions", "anyone"),
            **_crud("credentials", "anyone", write="admin, user", show=_CREDENTIAL),
            **_crud("registered_limits", "anyone"),
            **_crud("limits", "anyone", show="overseer, domain, project"),
            "create_registered_limits": "admin",
            "create_limits": "admin",
            "list_project_tags": f"{_OF_DOMAIN}, project",
            "get_project_tag": f"{_OF_DOMAIN}, project",
            "update_project_tags": _MANAGED,
            "create_project_tag": _MANAGED,
            "delete_project_tags": _MANAGED,
            "delete_project_tag": _MANAGED,
            "list_user_projects": f"{_OF_DOMAIN}, user",
            "list_groups_for_user": f"{_OF_DOMAIN}, user",
            "list_users_in_group": _OF_DOMAIN,
            "check_user_in_group": _OF_DOMAIN,
            "add_user_to_group": _MANAGED,
            "remove_user_from_group": _MANAGED,
            "list_grants": _OF_DOMAIN,
            "check_grant": _OF_DOMAIN,
            "create_grant": _MANAGED,
            "revoke_grant": _MANAGED,
            **{
                f"{verb}_system_grant_for_{one}": rule
                for one in ("user", "group")
                for verb, rule in (("check", "overseer"), ("create", "admin"), ("revoke", "admin"))
            },
            "list_system_grants_for_user": "overseer",
            "list_system_grants_for_group": "overseer",
            "list_role_assignments": _OF_DOMAIN,
            "list_implied_roles": "overseer",
            "get_implied_role": "overseer",
            "check_implied_role": "overseer",
            "create_implied_role": "admin",
            "delete_implied_role": "admin",
            "list_role_inference_rules": "overseer",
            "list_application_credentials": _CREDENTIAL,
            "get_application_credential": _CREDENTIAL,
            "create_application_credential": "user",
            "delete_application_credential": "admin, user",
            "list_access_rules": _CREDENTIAL,
            "get_access_rule": _CREDENTIAL,
            "delete_access_rule": "admin, user",
            "validate_token": "overseer, service, user",
            "check_token": "overseer, user",
            "revoke_token": "admin, user",
        }.items()
    }
)


def allows(token: Token, action: str, target: Target) -> bool:
    """Return whether the holder of a token may do something.

    :param action: one of :data:`POLICIES`.
    """
    return any(_CHECKS[check](token, target) for check in POLICIES[action])
