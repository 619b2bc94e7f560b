"""Traits: the standard ones of os-traits, and those that users made."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import sqlalchemy as sa

from fake_server.common.errors import BadRequest, Conflict, NotFound
from fake_server.common.formats import standard_traits
from fake_server.placement.models.names import Names, by_provider
from fake_server.placement.tables import custom_traits, provider_traits

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fake_server.db.store import Transaction

CUSTOM = "CUSTOM_"
NAMES = Names(custom_traits, cache(lambda: sorted(standard_traits())))


def unknown(tx: Transaction, wanted: Iterable[str]) -> list[str]:
    """Return those of some traits that don't exist."""
    return sorted(name for name in set(wanted) if not NAMES.exists(tx, name))


def delete(tx: Transaction, name: str) -> None:
    """Remove a trait; raise NotFound, BadRequest for a standard one, Conflict for one in use."""
    if not NAMES.exists(tx, name):
        raise NotFound(f"No such trait(s): {name}.")
    if not name.startswith(CUSTOM):
        raise BadRequest(f"Cannot delete standard trait {name}.")
    if tx.get(provider_traits, trait=name, present=True):
        raise Conflict(f"The trait {name} is in use by a resource provider.")
    tx.remove(custom_traits, name=name)


def associated(tx: Transaction) -> set[str]:
    """Return the traits that some provider has."""
    column = provider_traits.c.trait
    rows = tx.all(sa.select(column).where(provider_traits.c.present).distinct())
    return {row["trait"] for row in rows}


def of_providers(tx: Transaction, uuids: Iterable[str] | None = None) -> dict[str, set[str]]:
    """Return the traits of providers, of all by default, by their UUID."""
    return by_provider(tx, provider_traits.c.trait, uuids, provider_traits.c.present)


def replace(tx: Transaction, uuid: str, wanted: Iterable[str]) -> None:
    """Give a provider these traits and no others."""
    table = provider_traits
    mine = table.c.provider_uuid == uuid
    # What a node has stays known, so that the next report can restore it.
    tx.delete(table, mine, sa.not_(table.c.on_node))
    tx.update(table, [mine], {"present": False})
    for name in sorted(set(wanted)):
        if not tx.update(table, [mine, table.c.trait == name], {"present": True}):
            row = {"provider_uuid": uuid, "trait": name, "present": True, "on_node": False}
            tx.insert(table, row)
