"""Key pairs: public keys that users log in with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import Conflict, NotFound
from fake_server.common.resources.rows import Rows
from fake_server.compute.session import reader
from fake_server.compute.tables import keypairs
from fake_server.db.store import DuplicateError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.db.store import Record, Transaction

ROWS = Rows(keypairs, "Keypair {} could not be found.")


def find(tx: Transaction, user_id: str, name: str) -> Record:
    """Return a key pair of a user; raise NotFound if there is none."""
    row = tx.get(keypairs, user_id=user_id, name=name)
    if row is None:
        raise NotFound(f"Keypair {name} not found for user {user_id}")
    return row


def add(tx: Transaction, values: Mapping[str, Any]) -> Record:
    """Add a key pair; raise Conflict if the user has one of this name."""
    try:
        tx.insert(keypairs, values)
    except DuplicateError:
        raise Conflict(f"Key pair '{values['name']}' already exists.") from None
    return find(tx, values["user_id"], values["name"])


def remove(tx: Transaction, row: Record) -> None:
    """Remove a key pair."""
    tx.remove(keypairs, number=row["number"])


#: Returns a key pair of a user by its name.
get = reader(find)
