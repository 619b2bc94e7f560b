"""Key pairs: public keys that users log in with."""

from __future__ import annotations

import base64
import binascii
import hashlib
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.common.errors import BadRequest, Conflict, NotFound
from fake_server.compute.tables import keypairs
from fake_server.db.store import DuplicateError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.db.store import Record, Transaction


def find(tx: Transaction, user_id: str, name: str) -> Record:
    """Return a key pair of a user; raise NotFound if there is none."""
    row = tx.get(keypairs, user_id=user_id, name=name)
    if row is None:
        raise NotFound(f"Keypair {name} not found for user {user_id}")
    return row


def fetch(tx: Transaction, user_id: str) -> list[Record]:
    """Return the key pairs of a user by name."""
    query = sa.select(keypairs).where(keypairs.c.user_id == user_id)
    return tx.all(query.order_by(keypairs.c.name))


def create(tx: Transaction, values: Mapping[str, Any]) -> Record:
    """Create a key pair; raise Conflict if the user has one of this name."""
    try:
        tx.insert(keypairs, values)
    except DuplicateError:
        raise Conflict(f"Key pair '{values['name']}' already exists.") from None
    return find(tx, values["user_id"], values["name"])


def delete(tx: Transaction, row: Record) -> None:
    """Remove a key pair."""
    tx.delete(keypairs, keypairs.c.number == row["number"])


def fingerprint(public_key: str) -> str:
    """Return the fingerprint of a public key; raise BadRequest for what is none."""
    words = public_key.split()
    try:
        content = base64.b64decode(words[1], validate=True)
    except (IndexError, binascii.Error, ValueError):
        raise BadRequest("Keypair data is invalid: failed to generate fingerprint") from None
    digest = hashlib.md5(content, usedforsecurity=False).hexdigest()
    return ":".join(digest[start : start + 2] for start in range(0, 32, 2))
