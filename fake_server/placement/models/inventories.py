"""Inventories: how much of a resource class a provider has, and how much of it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.common.errors import BadRequest, Conflict
from fake_server.placement.errors import INVENTORY_IN_USE
from fake_server.placement.models import classes
from fake_server.placement.tables import allocations, inventories

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fake_server.db.store import Record, Transaction

FIELDS = ("total", "reserved", "min_unit", "max_unit", "step_size", "allocation_ratio")
LARGEST = 2**31 - 1
DEFAULTS: Mapping[str, Any] = {
    "reserved": 0,
    "min_unit": 1,
    "max_unit": LARGEST,
    "step_size": 1,
    "allocation_ratio": 1.0,
}


def fetch(tx: Transaction, uuid: str) -> dict[str, Record]:
    """Return the inventories of a provider, by resource class."""
    rows = tx.rows(inventories, "resource_class", provider_uuid=uuid)
    return {row["resource_class"]: row for row in rows}


def usages(tx: Transaction, uuid: str) -> dict[str, int]:
    """Return how much of each inventory of a provider is used, by resource class."""
    return {row["resource_class"]: int(row["used"]) for row in with_usages(tx, [uuid])}


def with_usages(tx: Transaction, uuids: Iterable[str]) -> list[Record]:
    """Return the inventories of providers, with what is ``used`` of them."""
    table = inventories.c
    used = (
        sa.select(sa.func.coalesce(sa.func.sum(allocations.c.used), 0))
        .where(
            allocations.c.provider_uuid == table.provider_uuid,
            allocations.c.resource_class == table.resource_class,
        )
        .scalar_subquery()
    )
    query = sa.select(inventories, used.label("used"))
    order = (table.provider_uuid, table.resource_class)
    return tx.among(query.order_by(*order), table.provider_uuid, uuids)


def having(tx: Transaction, resource_class: str, amount: int) -> list[str]:
    """Return the UUIDs of the providers that have an amount of a class free."""
    taken = allocations.c
    used = (
        sa.select(taken.provider_uuid, sa.func.sum(taken.used).label("used"))
        .where(taken.resource_class == resource_class)
        .group_by(taken.provider_uuid)
        .subquery()
    )
    table = inventories.c
    room = (table.total - table.reserved) * table.allocation_ratio
    rows = tx.all(
        sa.select(table.provider_uuid)
        .outerjoin(used, used.c.provider_uuid == table.provider_uuid)
        .where(
            table.resource_class == resource_class,
            room >= sa.func.coalesce(used.c.used, 0) + amount,
            table.min_unit <= amount,
            table.max_unit >= amount,
            sa.literal(amount) % table.step_size == 0,
        )
        .order_by(table.provider_uuid)
    )
    return [row["provider_uuid"] for row in rows]


def capacity(inventory: Mapping[str, Any]) -> int:
    """Return how much of an inventory can be allocated in all."""
    return int((inventory["total"] - inventory["reserved"]) * inventory["allocation_ratio"])


def add(tx: Transaction, uuid: str, resource_class: str, values: Mapping[str, Any]) -> None:
    """Add an inventory to a provider; raise DuplicateError if it had one."""
    tx.insert(inventories, _row(uuid, resource_class, values))


def replace(tx: Transaction, uuid: str, wanted: Mapping[str, Mapping[str, Any]]) -> None:
    """Set the inventories of a provider by resource class; raise Conflict if a lost one is used."""
    present = fetch(tx, uuid)
    lost = [name for name in present if name not in wanted]
    remove(tx, uuid, lost)
    for name, values in wanted.items():
        if name in present:
            where = [inventories.c.provider_uuid == uuid, inventories.c.resource_class == name]
            tx.update(inventories, where, _row(uuid, name, values))
        else:
            add(tx, uuid, name, values)


def check_known(tx: Transaction, names: Iterable[str], problem: str) -> None:
    """Raise BadRequest, with the problem, for unknown resource classes."""
    for name in names:
        if not classes.NAMES.exists(tx, name):
            raise BadRequest(f"{problem}: No such resource class {name}.")


def remove(tx: Transaction, uuid: str, names: Iterable[str]) -> None:
    """Take inventories away from a provider; raise Conflict if one is in use."""
    lost = list(names)
    used = [name for name in lost if is_used(tx, uuid, name)]
    if used:
        raise Conflict(
            f"Inventory for '{', '.join(used)}' on resource provider '{uuid}' in use.",
            INVENTORY_IN_USE,
        )
    for name in lost:
        tx.remove(inventories, provider_uuid=uuid, resource_class=name)


def is_used(tx: Transaction, uuid: str, resource_class: str) -> bool:
    """Return whether an inventory has allocations."""
    return tx.get(allocations, provider_uuid=uuid, resource_class=resource_class) is not None


def check(tx: Transaction, uuid: str, name: str, values: Mapping[str, Any], *, all_of: bool) -> str:
    """Return what is wrong with an inventory, which may be reserved as a whole if ``all_of``."""
    if not classes.NAMES.exists(tx, name):
        return f"No such resource class {name}."
    free = capacity(values)
    if free < 0 or (free == 0 and not all_of):
        compared = "greater than" if all_of else "greater than or equal to"
        return (
            f"Invalid inventory for '{name}' on resource provider '{uuid}'. The reserved value is "
            f"{compared} total."
        )
    return ""


def completed(values: Any) -> dict[str, Any]:
    """Return an inventory with its defaults; raise BadRequest if it is none, or too large."""
    if not isinstance(values, dict):
        # Placement's schema says nothing about names that no resource class has.
        raise BadRequest("An inventory has to be an object.")
    found = {**DEFAULTS, **{name: values[name] for name in FIELDS if name in values}}
    if any(abs(found[name]) > LARGEST for name in FIELDS):
        raise BadRequest("A number of the inventory is too large.")
    return found


def _row(uuid: str, resource_class: str, values: Mapping[str, Any]) -> dict[str, Any]:
    shown = {name: values[name] for name in FIELDS}
    return {"provider_uuid": uuid, "resource_class": resource_class, **shown}
