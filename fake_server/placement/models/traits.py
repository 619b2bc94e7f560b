"""Traits: the standard ones of os-traits, and those that users made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.common.errors import BadRequest, Conflict, NotFound
from fake_server.common.formats import standard_traits
from fake_server.db.queries import chunks
from fake_server.db.store import DuplicateError
from fake_server.placement.tables import custom_traits, provider_traits

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fake_server.db.store import Transaction

CUSTOM = "CUSTOM_"


def names(tx: Transaction) -> list[str]:
    """Return all traits there are."""
    rows = tx.all(sa.select(custom_traits.c.name).order_by(custom_traits.c.name))
    return [*sorted(standard_traits()), *(row["name"] for row in rows)]


def unknown(tx: Transaction, wanted: Iterable[str]) -> list[str]:
    """Return those of some traits that don't exist."""
    return sorted(name for name in set(wanted) if not exists(tx, name))


def exists(tx: Transaction, name: str) -> bool:
    """Return whether there is such a trait."""
    return tx.get(custom_traits, name=name) is not None or name in standard_traits()


def create(tx: Transaction, name: str) -> bool:
    """Make a trait; return whether it is new."""
    if exists(tx, name):
        return False
    try:
        tx.insert(custom_traits, {"name": name})
    except DuplicateError:
        return False
    return True


def delete(tx: Transaction, name: str) -> None:
    """Remove a trait; raise NotFound, BadRequest for a standard one, Conflict for one in use."""
    if not exists(tx, name):
        raise NotFound(f"No such trait(s): {name}.")
    if not name.startswith(CUSTOM):
        raise BadRequest(f"Cannot delete standard trait {name}.")
    if tx.get(provider_traits, trait=name, present=True):
        raise Conflict(f"The trait {name} is in use by a resource provider.")
    tx.delete(custom_traits, custom_traits.c.name == name)


def associated(tx: Transaction) -> set[str]:
    """Return the traits that some provider has."""
    column = provider_traits.c.trait
    rows = tx.all(sa.select(column).where(provider_traits.c.present).distinct())
    return {row["trait"] for row in rows}


def of_provider(tx: Transaction, uuid: str) -> list[str]:
    """Return the traits of a provider in alphabetical order."""
    return sorted(of_providers(tx, [uuid]).get(uuid, ()))


def of_providers(tx: Transaction, uuids: Iterable[str]) -> dict[str, set[str]]:
    """Return the traits of providers, by their UUID."""
    found: dict[str, set[str]] = {}
    for chunk in chunks(uuids):
        found |= _by_provider(tx, provider_traits.c.provider_uuid.in_(chunk))
    return found


def of_all(tx: Transaction) -> dict[str, set[str]]:
    """Return the traits of all providers, by their UUID."""
    return _by_provider(tx)


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


def _by_provider(tx: Transaction, *conditions: Any) -> dict[str, set[str]]:
    table = provider_traits.c
    found: dict[str, set[str]] = {}
    query = sa.select(table.provider_uuid, table.trait).where(table.present, *conditions)
    for row in tx.all(query):
        found.setdefault(row["provider_uuid"], set()).add(row["trait"])
    return found
