"""The roles of a cloud, and which one includes which."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import NAMESPACE_URL, uuid5

if TYPE_CHECKING:
    from collections.abc import Iterable

#: The next role that each one includes.
_IMPLIED = {"admin": "manager", "manager": "member", "member": "reader"}
ROLES = ("admin", "manager", "member", "reader", "service")


def with_implied(roles: Iterable[str]) -> list[str]:
    """Return roles with all that they include, the most powerful first."""
    found: dict[str, None] = {}
    for role in roles:
        current: str | None = role
        while current is not None:
            found[current] = None
            current = _IMPLIED.get(current)
    order = {role: position for position, role in enumerate(ROLES)}
    return sorted(found, key=lambda role: (order.get(role, len(ROLES)), role))


def identify(kind: str, name: str) -> str:
    """Return the id that a project, user or the like of this name has in every database."""
    return uuid5(NAMESPACE_URL, f"fake:{kind}:{name}").hex
