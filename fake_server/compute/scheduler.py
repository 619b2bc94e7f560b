"""Choose a node for an instance among the candidates of Placement."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from fake_server.common.errors import NotFound
from fake_server.compute.cloud import Refused
from fake_server.compute.models import instances, server_groups

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.compute.session import Session
    from fake_server.db.store import Record

#: A candidate: what a consumer's allocations would be.
Candidate = dict[str, Any]

_SPEC = re.compile(r"(resources|trait)([a-zA-Z0-9_-]{0,64}):([A-Z0-9_]+)")
_LIMIT = 1000


def get_allocation_candidates(
    session: Session, flavor: Mapping[str, Any], node: str | None
) -> list[Candidate]:
    """Return the candidates for a flavor, on one node if given; raise Refused if it is invalid."""
    query = {**_query(flavor), "limit": _LIMIT}
    path = f"/allocation_candidates?{urlencode(query)}"
    found = session.cloud.placement("GET", path)["allocation_requests"]
    return [candidate for candidate in found if node is None or node in candidate["allocations"]]


def select_destination(
    session: Session, instance: Record, candidates: list[Candidate]
) -> str | None:
    """Allocate the first free candidate to an instance; drop it and those before it.

    :returns: the node's UUID, or ``None`` if all are taken.
    """
    while candidates:
        candidate = candidates.pop(0)
        body = {
            **candidate,
            "project_id": instance["project_id"],
            "user_id": instance["user_id"],
            "consumer_generation": None,
            "consumer_type": "INSTANCE",
        }
        try:
            session.cloud.placement("PUT", f"/allocations/{instance['id']}", body)
        except Refused:
            continue
        return str(next(iter(candidate["allocations"])))
    return None


def group_allows(session: Session, instance: Record) -> bool:
    """Return whether the group of an instance lets it be where the earlier members are.

    Groups are about hosts: all nodes have the one compute service as theirs.
    """
    ident = instance["scheduler_hints"].get("group")
    if ident is None:
        return True
    try:
        group = server_groups.get(session, ident)
    except NotFound:
        return True
    if group["policy"] != server_groups.ANTI_AFFINITY:
        return True
    members = server_groups.members(session)[ident]
    earlier = [row for row in members if row["number"] < instance["number"]]
    alive = [row for row in earlier if row["vm_state"] != instances.ERROR]
    return len(alive) < int(group["rules"].get("max_server_per_host", 1))


def delete_allocation_for_instance(session: Session, server_id: str) -> None:
    """Delete the allocations of an instance."""
    session.cloud.placement("DELETE", f"/allocations/{server_id}", ignored=(404,))


def _query(flavor: Mapping[str, Any]) -> dict[str, str]:
    """Return what a flavor asks Placement for."""
    resources: dict[str, dict[str, str]] = {}
    traits: dict[str, list[str]] = {}
    for key, value in flavor["extra_specs"].items():
        match = _SPEC.fullmatch(key)
        if match is None:
            continue
        kind, suffix, name = match.groups()
        if kind == "resources":
            resources.setdefault(suffix, {})[name] = value
        elif value in ("required", "forbidden"):
            traits.setdefault(suffix, []).append(name if value == "required" else f"!{name}")
    asked = {
        suffix: {name: amount for name, amount in named.items() if amount != "0"}
        for suffix, named in resources.items()
    }
    if not any(asked.values()):
        # Nodes have none of these, so such a flavor is for virtual machines.
        asked[""] = {
            "VCPU": str(flavor["vcpus"]),
            "MEMORY_MB": str(flavor["ram"]),
            "DISK_GB": str(flavor["disk"] or 1),
        }
    query = {
        f"resources{suffix}": ",".join(f"{name}:{amount}" for name, amount in named.items())
        for suffix, named in asked.items()
        if named
    }
    query |= {f"required{suffix}": ",".join(names) for suffix, names in traits.items()}
    if sum(1 for suffix, named in asked.items() if suffix and named) > 1:
        query["group_policy"] = flavor["extra_specs"].get("group_policy", "none")
    return query
