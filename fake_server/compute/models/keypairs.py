"""Key pairs: public keys that users log in with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import Conflict, NotFound
from fake_server.compute.session import reader, writer
from fake_server.compute.tables import keypairs
from fake_server.db.store import DuplicateError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.db.store import Record, Transaction


@reader
def get(tx: Transaction, user_id: str, name: str) -> Record:
    """Return a key pair of a user; raise NotFound if there is none."""
    row = tx.get(keypairs, user_id=user_id, name=name)
    if row is None:
        raise NotFound(f"Keypair {name} not found for user {user_id}")
    return row


@reader
def get_all(tx: Transaction, user_id: str) -> list[Record]:
    """Return the key pairs of a user by name."""
    return tx.rows(keypairs, "name", user_id=user_id)


@writer
def create(tx: Transaction, values: Mapping[str, Any]) -> Record:
    """Create a key pair; raise Conflict if the user has one of this name."""
    try:
        tx.insert(keypairs, values)
    except DuplicateError:
        raise Conflict(f"Key pair '{values['name']}' already exists.") from None
    return get(tx, values["user_id"], values["name"])


@writer
def destroy(tx: Transaction, user_id: str, name: str) -> None:
    """Remove a key pair of a user; raise NotFound if there is none."""
    tx.delete(keypairs, keypairs.c.number == get(tx, user_id, name)["number"])
