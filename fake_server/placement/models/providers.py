"""Resource providers, alone or in trees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.common.errors import BadRequest, Conflict, NotFound
from fake_server.db.store import DuplicateError
from fake_server.placement.errors import (
    CONCURRENT_UPDATE,
    DUPLICATE_NAME,
    PROVIDER_IN_USE,
    PROVIDER_IS_PARENT,
    ProviderNotFound,
)
from fake_server.placement.models.names import by_provider
from fake_server.placement.tables import aggregates, allocations, providers

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fake_server.clock import Clock
    from fake_server.db.store import Record, Transaction

_ORDERED = sa.select(providers).order_by(providers.c.created_at, providers.c.uuid)
_STALE = (
    "Resource provider's generation already changed. Please update the generation and try again."
)


def find(tx: Transaction, uuid: str) -> Record:
    """Return a provider; raise ProviderNotFound if there is none."""
    row = tx.get(providers, uuid=uuid)
    if row is None:
        raise ProviderNotFound(uuid)
    return row


def find_as(tx: Transaction, uuid: str, prefix: str) -> Record:
    """Return a provider; raise NotFound, with a prefix for the UUID, if there is none."""
    try:
        return find(tx, uuid)
    except ProviderNotFound as exc:
        raise NotFound(f"{prefix.format(uuid)}: {exc}") from exc


def fetch(tx: Transaction, **values: Any) -> list[Record]:
    """Return the providers whose columns have these values, the oldest first."""
    return tx.all(_ORDERED.filter_by(**values))


def among(tx: Transaction, column: str, values: Iterable[str]) -> list[Record]:
    """Return the providers whose column has one of these values, the oldest first."""
    return tx.among(_ORDERED, providers.c[column], values)


def create(tx: Transaction, clock: Clock, uuid: str, name: str, parent: str | None) -> Record:
    """Create a provider; raise Conflict if name or UUID is taken, BadRequest for a bad parent."""
    root = uuid
    problem = f'Unable to create resource provider "{name}", {uuid}: Object action create failed '
    if not name:
        raise BadRequest(f"{problem}because: name is required")
    if parent is not None:
        if parent == uuid:
            raise BadRequest(
                f"{problem}because: parent provider UUID cannot be same as UUID. Please set parent "
                "provider UUID to None if there is no parent."
            )
        above = tx.get(providers, uuid=parent)
        if above is None:
            raise BadRequest(f"{problem}because: parent provider UUID does not exist.")
        root = above["root_uuid"]
    now = clock.now()
    row = {
        "uuid": uuid,
        "name": name,
        "parent_uuid": parent,
        "root_uuid": root,
        "generation": 0,
        "created_at": now,
        "updated_at": now,
        "is_node": False,
    }
    try:
        tx.insert(providers, row)
    except DuplicateError as exc:
        column = "name" if "name" in exc.columns else "uuid"
        raise Conflict(
            f"Conflicting resource provider {column}: {row[column]} already exists.", DUPLICATE_NAME
        ) from exc
    return find(tx, uuid)


def rename(
    tx: Transaction, clock: Clock, provider: Record, name: str, parent: str | None
) -> Record:
    """Change name and parent; raise Conflict if the name is taken, BadRequest for a bad parent."""
    changes: dict[str, Any] = {"name": name}
    if parent != provider["parent_uuid"]:
        changes |= {"parent_uuid": parent, "root_uuid": _root(tx, provider, parent)}
    elif name == provider["name"]:
        return provider
    try:
        update(tx, clock, provider, changes)
    except DuplicateError as exc:
        raise Conflict(
            f"Conflicting resource provider {name} already exists.", DUPLICATE_NAME
        ) from exc
    if "root_uuid" in changes:
        for row in _below(tx, provider["uuid"]):
            update(tx, clock, row, {"root_uuid": changes["root_uuid"]})
    return find(tx, provider["uuid"])


def delete(tx: Transaction, provider: Record) -> None:
    """Remove a provider; raise Conflict if it is in use."""
    uuid = provider["uuid"]
    if tx.get(providers, parent_uuid=uuid):
        raise Conflict(
            f"Unable to delete parent resource provider {uuid}: It has child resource providers.",
            PROVIDER_IS_PARENT,
        )
    if tx.get(allocations, provider_uuid=uuid):
        raise Conflict(
            f"Unable to delete resource provider {uuid}: Resource provider has allocations.",
            PROVIDER_IN_USE,
        )
    tx.remove(providers, uuid=uuid)


def check_generation(provider: Record, seen: int, message: str = _STALE) -> None:
    """Raise Conflict unless the generation that a client saw is still that of a provider."""
    if seen != provider["generation"]:
        raise Conflict(message, CONCURRENT_UPDATE)


def touch(tx: Transaction, clock: Clock, provider: Record, *, by_hand: bool = True) -> Record:
    """Give a provider its next generation and return it; raise Conflict if it changed meanwhile."""
    same = [providers.c.uuid == provider["uuid"], providers.c.generation == provider["generation"]]
    changes: dict[str, Any] = {"generation": provider["generation"] + 1, "updated_at": clock.now()}
    if by_hand:
        changes["edited_at"] = clock.seconds()
    if not tx.update(providers, same, changes):
        raise Conflict(
            "Another thread concurrently updated the resource provider data. Please retry your "
            "update",
            CONCURRENT_UPDATE,
        )
    return {**provider, **changes}


def update(tx: Transaction, clock: Clock, provider: Record, changes: Mapping[str, Any]) -> None:
    """Change a provider by hand, keeping its generation; raise DuplicateError for a taken name."""
    values = {**changes, "updated_at": clock.now(), "edited_at": clock.seconds()}
    tx.update(providers, [providers.c.uuid == provider["uuid"]], values)


def aggregates_of(tx: Transaction, uuids: Iterable[str] | None = None) -> dict[str, set[str]]:
    """Return the aggregates that providers, all by default, are in, by their UUID."""
    return by_provider(tx, aggregates.c.aggregate, uuids)


def set_aggregates(tx: Transaction, provider: Record, wanted: Iterable[str]) -> None:
    """Put a provider into these aggregates and no others."""
    tx.remove(aggregates, provider_uuid=provider["uuid"])
    for aggregate in sorted(set(wanted)):
        tx.insert(aggregates, {"provider_uuid": provider["uuid"], "aggregate": aggregate})


def _root(tx: Transaction, provider: Record, parent: str | None) -> str:
    uuid = provider["uuid"]
    if parent is None:
        return str(uuid)
    above = tx.get(providers, uuid=parent)
    if above is None:
        raise _unsavable(uuid, "parent provider UUID does not exist.", "create")
    if parent == uuid or parent in {row["uuid"] for row in _below(tx, uuid)}:
        raise _unsavable(uuid, "creating loop in the provider tree is not allowed.")
    return str(above["root_uuid"])


def _unsavable(uuid: str, reason: str, action: str = "update") -> BadRequest:
    return BadRequest(
        f"Unable to save resource provider {uuid}: Object action {action} failed because: {reason}"
    )


def _below(tx: Transaction, uuid: str) -> list[Record]:
    """Return the providers below one, each once, even where they are stored in a circle."""
    found: dict[str, Record] = {}
    parents = [uuid]
    while parents:
        rows = [
            row
            for row in among(tx, "parent_uuid", parents)
            if row["uuid"] != uuid and row["uuid"] not in found
        ]
        found |= {row["uuid"]: row for row in rows}
        parents = [row["uuid"] for row in rows]
    return list(found.values())
