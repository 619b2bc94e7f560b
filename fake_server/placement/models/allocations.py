"""Allocations: the resources that consumers have."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.common.errors import BadRequest, Conflict
from fake_server.db.store import ConflictError, DuplicateError
from fake_server.placement.errors import CONCURRENT_UPDATE
from fake_server.placement.models import classes, inventories
from fake_server.placement.models import providers as provider_models
from fake_server.placement.tables import allocations, consumers, providers

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fake_server.clock import Clock
    from fake_server.db.store import Record, Transaction

#: Project and user of the allocations that were made before version 1.8.
NOBODY = "00000000-0000-0000-0000-000000000000"
#: The type of consumers that were made before version 1.38.
UNKNOWN = "unknown"


@dataclass(frozen=True)
class Claim:
    """All resources that a consumer is to have.

    :param consumer: its UUID.
    :param resources: amounts by resource class, by the UUID of the provider.
    :param generation: generation of the consumer in the request; ``None`` for a new one.
    :param checks_generation: whether that has to be right.
    :param kind: the consumer's type; the one that it has if not given.
    """

    consumer: str
    resources: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    project_id: str = NOBODY
    user_id: str = NOBODY
    generation: int | None = None
    checks_generation: bool = False
    kind: str | None = None


def of_consumer(tx: Transaction, uuid: str) -> list[Record]:
    """Return the allocations of a consumer, with the ``generation`` of each provider."""
    return _with_generation(tx, providers, allocations.c.consumer_uuid == uuid)


def of_provider(tx: Transaction, uuid: str) -> list[Record]:
    """Return the allocations of a provider, with the ``generation`` of each consumer."""
    return _with_generation(tx, consumers, allocations.c.provider_uuid == uuid)


def consumer(tx: Transaction, uuid: str) -> Record | None:
    """Return a consumer, if it is known."""
    return tx.get(consumers, uuid=uuid)


def replace(tx: Transaction, clock: Clock, claims: Sequence[Claim]) -> None:
    """Allocate all claims or none; raise BadRequest for unknown names, Conflict if it is full."""
    for claim in claims:
        for uuid in claim.resources:
            if tx.get(providers, uuid=uuid) is None:
                raise BadRequest(f"Allocation for resource provider '{uuid}' that does not exist.")
    # First free what the consumers have, so that they can swap it.
    touched: dict[str, None] = {}
    before = _used(tx, {uuid for claim in claims for uuid in claim.resources})
    for claim in claims:
        _check_consumer(tx, claim)
        if not claim.resources:
            had = of_consumer(tx, claim.consumer)
            touched |= dict.fromkeys(row["provider_uuid"] for row in had)
        tx.remove(allocations, consumer_uuid=claim.consumer)
    for claim in claims:
        if claim.resources:
            _note_consumer(tx, claim)
        else:
            tx.remove(consumers, uuid=claim.consumer)
        for uuid, resources in claim.resources.items():
            touched[uuid] = None
            for name, amount in resources.items():
                _take(tx, claim.consumer, uuid, name, amount, before.get((uuid, name), 0))
    for uuid in touched:
        provider_models.touch(tx, clock, provider_models.find(tx, uuid), by_hand=False)


def delete(tx: Transaction, uuid: str) -> bool:
    """Remove the allocations of a consumer; return whether it had any."""
    if not of_consumer(tx, uuid):
        return False
    tx.remove(consumers, uuid=uuid)
    return True


def of_project(
    tx: Transaction, project_id: str, user_id: str | None, kind: str | None
) -> list[Record]:
    """Return what a project has: ``kind``, ``resource_class``, ``used``, ``consumer_uuid``.

    :param user_id: user whose consumers count; by default all users.
    :param kind: the type of the consumers that count; all if not given.
    """
    kinds = sa.func.coalesce(consumers.c.kind, UNKNOWN)
    where = [consumers.c.project_id == project_id]
    if user_id is not None:
        where.append(consumers.c.user_id == user_id)
    if kind not in (None, "all"):
        where.append(kinds == kind)
    return tx.all(
        sa.select(
            kinds.label("kind"),
            allocations.c.resource_class,
            allocations.c.used,
            allocations.c.consumer_uuid,
        )
        .join(consumers, consumers.c.uuid == allocations.c.consumer_uuid)
        .where(*where)
        .order_by(allocations.c.resource_class)
    )


def _with_generation(tx: Transaction, table: sa.Table, *where: Any) -> list[Record]:
    query = sa.select(allocations, table.c.generation).join(table)
    return tx.all(query.where(*where).order_by(allocations.c.id))


def _used(tx: Transaction, uuids: Iterable[str]) -> dict[tuple[str, str], int]:
    """Return how much of providers is used, by UUID and resource class."""
    rows = inventories.with_usages(tx, sorted(uuids))
    return {(row["provider_uuid"], row["resource_class"]): int(row["used"]) for row in rows}


def _take(
    tx: Transaction, consumer_uuid: str, uuid: str, name: str, amount: int, before: int
) -> None:
    """Allocate an amount, beyond the capacity only where no more is used than ``before``."""
    if not classes.NAMES.exists(tx, name):
        raise BadRequest(
            f"Unable to allocate inventory for consumer {consumer_uuid}: No such resource class "
            f"{name}."
        )
    found = [row for row in inventories.with_usages(tx, [uuid]) if row["resource_class"] == name]
    if not found:
        raise Conflict(
            f"Unable to allocate inventory: Inventory for '{name}' on resource provider '{uuid}' "
            "invalid."
        )
    inventory = found[0]
    problem = f"Unable to allocate inventory: Unable to create allocation for '{name}' on "
    problem += f"resource provider '{uuid}'. The requested amount would "
    fits = inventory["min_unit"] <= amount <= inventory["max_unit"]
    if not fits or amount % inventory["step_size"]:
        raise Conflict(f"{problem}violate inventory constraints.")
    free = (inventory["total"] - inventory["reserved"]) * inventory["allocation_ratio"]
    if max(free, before) < inventory["used"] + amount:
        raise Conflict(f"{problem}exceed the capacity.")
    row = {
        "consumer_uuid": consumer_uuid,
        "provider_uuid": uuid,
        "resource_class": name,
        "used": amount,
    }
    tx.insert(allocations, row)


def _check_consumer(tx: Transaction, claim: Claim) -> None:
    if not claim.checks_generation:
        return
    known = consumer(tx, claim.consumer)
    expected = known["generation"] if known else None
    if claim.generation != expected:
        shown = "null" if expected is None else expected
        raise Conflict(
            f"consumer generation conflict - expected {shown} but got {claim.generation}",
            CONCURRENT_UPDATE,
        )


def _note_consumer(tx: Transaction, claim: Claim) -> None:
    values: dict[str, Any] = {"project_id": claim.project_id, "user_id": claim.user_id}
    if claim.kind is not None:
        values["kind"] = claim.kind
    known = consumer(tx, claim.consumer)
    if known is None:
        try:
            tx.insert(consumers, {"uuid": claim.consumer, "generation": 1, **values})
        except DuplicateError as exc:
            raise ConflictError(str(exc)) from exc
    else:
        values["generation"] = known["generation"] + 1
        tx.update(consumers, [consumers.c.uuid == claim.consumer], values)
