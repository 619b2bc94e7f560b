"""Address scopes: subnet pools whose addresses are routed to each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, Conflict
from fake_server.networking.models import items, rbac

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.db.store import Record
    from fake_server.networking.models.items import NetworkingSession

_KIND = "address_scopes"


def create(session: NetworkingSession, values: Mapping[str, Any]) -> Record:
    """Create an address scope and return it."""
    scope = items.add(session, _KIND, values)
    rbac.follow(session, _KIND, scope)
    return scope


def update(session: NetworkingSession, scope: Record, changes: Mapping[str, Any]) -> Record:
    """Change an address scope and return it; raise BadRequest to share it no longer."""
    if changes.get("shared") is False and scope["shared"]:
        raise BadRequest(
            f"Unable to update address scope {scope['id']} : Shared address scope can't be "
            "unshared.",
            "AddressScopeUpdateError",
        )
    changed = items.save(session, _KIND, scope, changes)
    rbac.follow(session, _KIND, changed)
    return changed


def delete(session: NetworkingSession, scope: Record) -> None:
    """Remove an address scope; raise Conflict if subnet pools are in it."""
    if any(pool["address_scope_id"] == scope["id"] for pool in items.fetch(session, "subnetpools")):
        raise Conflict(
            f"Unable to complete operation on address scope {scope['id']}. There are one or more "
            "subnet pools in use on the address scope.",
            "AddressScopeInUse",
        )
    rbac.forget(session, scope["id"])
    items.remove(session, _KIND, scope["id"])
