"""Address groups: subnets that rules of security groups name together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, Conflict, NotFound
from fake_server.networking.kinds import KINDS
from fake_server.networking.models import items, rbac

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.db.store import Record
    from fake_server.networking.models.items import NetworkingSession

_KIND = "address_groups"


def create(session: NetworkingSession, values: Mapping[str, Any]) -> Record:
    """Create an address group and return it."""
    addresses = list(dict.fromkeys(values["addresses"]))
    kept = {**values, "addresses": addresses, "shared": False}
    return items.add(session, _KIND, kept, revision=len(addresses))


def delete(session: NetworkingSession, group: Record) -> None:
    """Remove an address group; raise Conflict if rules are for it."""
    rules = items.fetch(session, "security_group_rules")
    if any(rule["remote_address_group_id"] == group["id"] for rule in rules):
        raise Conflict(
            f"Address group {group['id']} is in use on one or more security group rules.",
            "AddressGroupInUse",
        )
    rbac.forget(session, group["id"])
    items.remove(session, _KIND, group["id"])


def add(session: NetworkingSession, group: Record, wanted: Sequence[str]) -> Record:
    """Add subnets to an address group and return it; raise BadRequest for those in it."""
    present = [one for one in wanted if one in group["addresses"]]
    if present:
        raise BadRequest(
            f"Addresses {present} already exist in the address group {group['id']}.",
            "AddressesAlreadyExist",
        )
    return _with(session, group, [*group["addresses"], *wanted])


def remove(session: NetworkingSession, group: Record, wanted: Sequence[str]) -> Record:
    """Take subnets from an address group and return it; raise NotFound for those not in it."""
    absent = [one for one in wanted if one not in group["addresses"]]
    if absent:
        raise NotFound(
            f"Addresses {absent} not found in the address group {group['id']}.",
            "AddressesNotFound",
        )
    return _with(session, group, [one for one in group["addresses"] if one not in wanted])


def check_usable(session: NetworkingSession, ident: Any, project: str) -> None:
    """Raise NotFound unless rules of a project can be for an address group."""
    group = items.find(session, _KIND, str(ident))
    if group is None or not (
        session.is_admin or group["project_id"] == project or rbac.reaches(session, group, project)
    ):
        raise KINDS[_KIND].missing(ident)


def _with(session: NetworkingSession, group: Record, addresses: Sequence[str]) -> Record:
    # Each subnet makes a revision.
    changed = abs(len(addresses) - len(group["addresses"]))
    changes = {
        "addresses": list(addresses),
        "revision_number": group["revision_number"] + changed,
    }
    return items.save(session, _KIND, group, changes, bump=False)
