"""The roles that every cloud has, and the ids of what the server makes itself."""

from __future__ import annotations

from uuid import NAMESPACE_URL, uuid5

#: The next role that each one includes.
IMPLIED = {"admin": "manager", "manager": "member", "member": "reader"}
#: Their names, the most powerful first.
ROLES = ("admin", "manager", "member", "reader", "service")


def in_order(names: set[str]) -> list[str]:
    """Return names of roles, those of every cloud first."""
    order = {role: position for position, role in enumerate(ROLES)}
    return sorted(names, key=lambda role: (order.get(role, len(ROLES)), role))


def identify(kind: str, name: str) -> str:
    """Return the id that a project, user or the like of this name has in every database."""
    return uuid5(NAMESPACE_URL, f"fake:{kind}:{name}").hex
