"""Load and export networks, subnets and ports of seeds."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fake_server.baremetal.models.ports import physical_networks
from fake_server.common.context import NOBODY
from fake_server.common.errors import ServiceError
from fake_server.networking.kinds import KINDS
from fake_server.networking.models import (
    items,
    networks,
    quotas,
    routers,
    security_groups,
    segments,
)
from fake_server.networking.models.operations import OPERATIONS
from fake_server.seeds.parsing import SeedError
from fake_server.seeds.rows import resolved
from fake_server.seeds.services import (
    ADDRESS_GROUPS,
    ADDRESS_SCOPES,
    FLOATING_IPS,
    NETWORK_AGENTS,
    NETWORK_QUOTAS,
    NETWORKS,
    ROUTERS,
    SECURITY_GROUPS,
    SUBNET_POOLS,
    TRUNKS,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from fake_server.clock import Clock
    from fake_server.db.store import Record, Transaction
    from fake_server.networking.models.items import NetworkingSession
    from fake_server.seeds.parsing import Entries, Entry
    from fake_server.seeds.resource_kind import ResourceKind

SEGMENTS, SUBNETS, PORTS = NETWORKS.children
(RULES,) = SECURITY_GROUPS.children
_VXLAN = "vxlan"


def load(tx: Transaction, clock: Clock, seed: Entries) -> None:
    """Store networks and what is around them; raise SeedError for what can't be."""
    session = items.NetworkingSession(tx, clock, physical_networks, shares_flat=True)
    for kind in (ADDRESS_GROUPS, ADDRESS_SCOPES, SUBNET_POOLS):
        for entry in seed[kind.key]:
            _create(session, kind, entry, {})
    _load_groups(session, seed[SECURITY_GROUPS.key])
    for entry in seed[NETWORKS.key]:
        network = _network(session, entry)
        common = {"network_id": network["id"], "project_id": network["project_id"]}
        for kind in (SUBNETS, PORTS):
            for below in entry.children[kind.key]:
                _create(session, kind, below, common)
    for entry in seed[TRUNKS.key]:
        _create(session, TRUNKS, entry, {})
    for entry in seed[ROUTERS.key]:
        _load_router(session, entry)
    for entry in seed[FLOATING_IPS.key]:
        _create(session, FLOATING_IPS, entry, {})
    for entry in seed[NETWORK_AGENTS.key]:
        items.remove(session, "agents", entry.values["id"])
        items.add(session, "agents", entry.values)
    for entry in seed[NETWORK_QUOTAS.key]:
        limits = resolved(session.tx, entry.values)
        quotas.update(session, limits.pop("project_id"), limits, checked=False)


def export(tx: Transaction, clock: Clock) -> dict[str, list[Record]]:
    """Return the entries of networks and of what is around them."""
    session = items.NetworkingSession(tx, clock, physical_networks)
    found = []
    for network in items.fetch(session, "networks"):
        entry = _entry(NETWORKS, network)
        for kind in NETWORKS.children:
            below = items.fetch(session, kind.key, network_id=[network["id"]])
            if below:
                entry[kind.key] = [_entry(kind, item) for item in below]
        if not _is_as_made(network, entry):
            found.append(entry)
    agents = items.fetch(session, "agents")
    alone = (ADDRESS_GROUPS, ADDRESS_SCOPES, SUBNET_POOLS, ROUTERS, FLOATING_IPS)
    return {
        **{
            kind.key: [_entry(kind, item) for item in items.fetch(session, kind.key)]
            for kind in alone
        },
        SECURITY_GROUPS.key: [
            {
                **_entry(SECURITY_GROUPS, group),
                RULES.key: [_entry(RULES, rule) for rule in group[RULES.key]],
            }
            for group in security_groups.complete(
                session, items.fetch(session, SECURITY_GROUPS.key)
            )
            if group["name"] != security_groups.DEFAULT
        ],
        NETWORKS.key: found,
        TRUNKS.key: [_entry(TRUNKS, trunk) for trunk in items.fetch(session, "trunks")],
        NETWORK_AGENTS.key: [
            {name: agent[name] for name in NETWORK_AGENTS.fields if name in agent}
            for agent in agents
        ],
        NETWORK_QUOTAS.key: [
            {"project_id": row["id"]} | {name: row[name] for name in quotas.DEFAULTS if name in row}
            for row in items.fetch(session, "quotas")
        ],
    }


def _load_groups(session: NetworkingSession, entries: Sequence[Entry]) -> None:
    """Store security groups, all of them before their rules, which may name others."""
    groups = [_create(session, SECURITY_GROUPS, entry, {}) for entry in entries]
    for group, entry in zip(groups, entries, strict=True):
        rules = entry.children[RULES.key]
        for rule in items.fetch(session, RULES.key) if rules else []:
            if rule["security_group_id"] == group["id"]:
                items.remove(session, RULES.key, rule["id"])
        common = {"security_group_id": group["id"], "project_id": group["project_id"]}
        for below in rules:
            _create(session, RULES, below, common)


def _load_router(session: NetworkingSession, entry: Entry) -> None:
    """Store a router with its interfaces and routes."""
    values = dict(entry.values)
    interfaces, routes = (values.pop(name, None) or [] for name in ("interfaces", "routes"))
    gateway = values.get("external_gateway_info") or {}
    values["external_gateway_info"] = resolved(session.tx, gateway)
    router = _create(session, ROUTERS, replace(entry, values=values), {})
    for name in interfaces:
        ident = resolved(session.tx, {"subnet_id": name})["subnet_id"]
        with _refusals(entry):
            routers.add_subnet(session, router, items.need(session, SUBNETS.key, ident))
    if routes:
        with _refusals(entry):
            routers.update(session, router, {"routes": routes})


def _network(session: NetworkingSession, entry: Entry) -> Record:
    """Return a network that a seed names: a new one, or one that the server made for itself."""
    wanted = [_segment(session, one) for one in entry.children[SEGMENTS.key]]
    own = items.find(session, "networks", networks.ident_of(str(entry.values.get("name"))))
    if own is None or entry.values.get("id", own["id"]) != own["id"]:
        return _create(session, NETWORKS, entry, {}, wanted)
    for old in items.fetch(session, "segments", network_id=[own["id"]] if wanted else []):
        items.remove(session, "segments", old["id"])
    for one, part in zip(wanted, entry.children[SEGMENTS.key], strict=True):
        with _refusals(part):
            segments.create(session, {**one, "network_id": own["id"]})
    given = KINDS["networks"].completed(entry.values)
    changes = {name: given[name] for name in entry.values if name in given}
    return items.save(session, "networks", own, {**changes, "project_id": own["project_id"]})


def _segment(session: NetworkingSession, entry: Entry) -> Record:
    """Return the attributes of a segment that belongs to no network yet."""
    values = KINDS[SEGMENTS.key].completed(entry.values)
    del values["network_id"]
    # Which tunnel it is matters to nobody, but a network that the server made may have the same.
    tunnel = (values["network_type"], values["segmentation_id"])
    others = items.fetch(session, SEGMENTS.key)
    if any(tunnel == (_VXLAN, other["segmentation_id"]) for other in others):
        values["segmentation_id"] = None
    return {**values, "description": entry.values.get("description")}


def _create(
    session: NetworkingSession,
    kind: ResourceKind,
    entry: Entry,
    common: Mapping[str, Any],
    *parts: Any,
) -> Record:
    """Create an item and return it; ``parts`` are what its model takes besides its attributes."""
    values = resolved(session.tx, {"project_id": NOBODY, **common, **entry.values})
    if "sub_ports" in values:
        values["sub_ports"] = [resolved(session.tx, one) for one in values["sub_ports"]]
    if kind is SUBNETS:
        values.setdefault("ip_version", 6 if ":" in str(values["cidr"]) else 4)
    if "id" in values and items.find(session, kind.key, values["id"]):
        raise SeedError(entry.place, f"id {values['id']!r} is already in the server")
    values["tenant_id"] = values.pop("project_id")
    if kind is PORTS and values.get("security_groups"):
        security_groups.default(session, values["tenant_id"])
    with _refusals(entry):
        made = OPERATIONS[kind.key].create(session, KINDS[kind.key].completed(values), *parts)
    tags = values.get("tags")
    return items.save(session, kind.key, made, {"tags": tags}, bump=False) if tags else made


@contextmanager
def _refusals(entry: Entry) -> Iterator[None]:
    """Raise SeedError for what the service refuses."""
    try:
        yield
    except ServiceError as exc:
        raise SeedError(entry.place, str(exc).rstrip(".")) from exc


def _entry(kind: ResourceKind, item: Record) -> Record:
    """Return what differs from a new item that nobody said anything about."""
    given = {"id": item["id"], **KINDS[kind.key].given(item)}
    entry = {
        name: value
        for name, value in given.items()
        if name in kind.fields and (name, value) != ("description", None)
    }
    if item.get("project_id", NOBODY) != NOBODY:
        entry["project_id"] = item["project_id"]
    if kind is SEGMENTS and item["description"] is not None:
        # That of a segment which came with its network is null, unlike the default.
        entry["description"] = item["description"]
    if item["tags"] and "tags" in kind.fields:
        entry["tags"] = item["tags"]
    if kind is PORTS:
        usual = security_groups.ident_of_default(item["project_id"])
        if entry.get("security_groups") == [usual]:
            # It gets that again.
            del entry["security_groups"]
    if kind is ROUTERS and item["routes"]:
        # Its gateway and its interfaces are ports of their networks.
        entry["routes"] = item["routes"]
    if item.get("ip_allocation") == "deferred" and not item["fixed_ips"]:
        del entry["fixed_ips"]
    return entry


def _is_as_made(network: Record, entry: Record) -> bool:
    """Return whether a network is an unchanged one that the server created for itself."""
    return network["id"] == networks.ident_of(network["name"]) and not (
        set(entry) - {"id", "name", "project_id", "mtu", SEGMENTS.key}
    )
