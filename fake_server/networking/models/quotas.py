"""Quotas: how many of each kind a project can have."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

import sqlalchemy as sa

from fake_server.common.errors import BadRequest, Conflict, NotFound
from fake_server.networking.kinds import KINDS
from fake_server.networking.models import items

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.db.store import Record
    from fake_server.networking.models.items import NetworkingSession

#: Neutron's limits by what they are of, -1 for none.
DEFAULTS: Mapping[str, int] = MappingProxyType(
    {
        "network": 100,
        "subnet": 100,
        "subnetpool": -1,
        "port": 500,
        "rbac_policy": 10,
        "router": 10,
        "floatingip": 50,
        "security_group": 10,
        "security_group_rule": 100,
        "trunk": -1,
    }
)
_KIND = "quotas"


def limits(session: NetworkingSession, project: str) -> dict[str, int]:
    """Return the limits of a project by what they are of."""
    return {**DEFAULTS, **_own(items.find(session, _KIND, project) or {})}


def fetch(session: NetworkingSession) -> list[Record]:
    """Return the limits of the projects that have some of their own, with their ids."""
    return [
        {**DEFAULTS, **_own(row), "project_id": row["id"], "tenant_id": row["id"]}
        for row in items.fetch(session, _KIND)
    ]


def details(session: NetworkingSession, project: str) -> dict[str, dict[str, int]]:
    """Return limits with what a project has of each."""
    return {
        name: {"limit": limit, "used": _used(session, name, project), "reserved": 0}
        for name, limit in limits(session, project).items()
    }


def update(
    session: NetworkingSession, project: str, changes: Mapping[str, int], *, checked: bool = True
) -> dict[str, int]:
    """Change limits of a project, and return all.

    :param checked: whether they can't be lower than what the project has.
    :raises BadRequest: if they are.
    """
    for name, limit in changes.items():
        used = _used(session, name, project)
        if checked and 0 <= limit < used:
            raise BadRequest(
                f"Quota limit {limit} for {name} must be greater than or equal to already used "
                f"{used}"
            )
    before = items.find(session, _KIND, project)
    if before is None:
        items.add(session, _KIND, {"id": project, **changes})
    else:
        items.save(session, _KIND, before, changes)
    return limits(session, project)


def delete(session: NetworkingSession, project: str) -> None:
    """Let a project have the usual limits; raise NotFound if it has them already."""
    if items.find(session, _KIND, project) is None:
        raise NotFound(f"Quota for project {project} could not be found.", "TenantQuotaNotFound")
    items.remove(session, _KIND, project)


def check(session: NetworkingSession, kind: str, project: str) -> None:
    """Raise Conflict if a project can't have one more of a kind, such as ``ports``."""
    name = KINDS[kind].singular
    limit = limits(session, project).get(name, -1)
    if limit < 0:
        return
    # Most often, all projects together have fewer.
    everyones = session.tx.scalar(sa.select(sa.func.count()).select_from(KINDS[kind].table))
    if everyones >= limit and _used(session, name, project) >= limit:
        raise Conflict(f"Quota exceeded for resources: ['{name}'].", "OverQuota")


def _used(session: NetworkingSession, name: str, project: str) -> int:
    (kind,) = (kind for kind, row in KINDS.items() if row.singular == name)
    return sum(item["project_id"] == project for item in items.fetch(session, kind))


def _own(row: Mapping[str, int]) -> dict[str, int]:
    return {name: row[name] for name in DEFAULTS if name in row}
