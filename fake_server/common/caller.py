"""The user of a request, as its token says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Caller:
    """A user with the roles of one scope.

    :param user_id: id of the user.
    :param user_name: name of the user.
    :param roles: the roles, with those that they include.
    :param project_id: id of the project that the token is for, if it is for one.
    :param project_name: name of that project.
    :param system: whether the token is for the whole system.
    :param service_roles: the roles of the service that passes the request on, if one does.
    :param domain_id: id of the domain that the token is for, if it is for one.
    """

    user_id: str
    user_name: str
    roles: frozenset[str]
    project_id: str | None = None
    project_name: str | None = None
    system: bool = False
    service_roles: frozenset[str] = frozenset()
    domain_id: str | None = None

    def has(self, role: str) -> bool:
        """Return whether the caller has a role in any scope."""
        return role in self.roles

    def credentials(self) -> dict[str, Any]:
        """Return what policies know of the caller, by the names that oslo.context has for it."""
        # Policies compare the names of roles whatever their case.
        roles = frozenset(role.lower() for role in self.roles)
        return {
            "user_id": self.user_id,
            "project_id": self.project_id,
            "domain_id": self.domain_id,
            "system_scope": "all" if self.system else None,
            "roles": roles,
            "service_roles": sorted(self.service_roles),
            "is_admin": "admin" in roles,
            "is_admin_project": True,
        }
