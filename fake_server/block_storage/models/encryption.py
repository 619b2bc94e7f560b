"""How volumes of a type are encrypted, and their keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.block_storage.errors import EncryptionNotFound
from fake_server.block_storage.tables import volume_types, volumes
from fake_server.common import randomness
from fake_server.common.errors import BadRequest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.clock import Clock
    from fake_server.db.store import Record, Transaction

#: What an administrator says of an encryption, and what of it a volume shows.
NAMES = ("control_location", "cipher", "key_size", "provider")


def of(found: Record) -> Record:
    """Return the encryption of a type; raise EncryptionNotFound if it has none."""
    if found["encryption"] is None:
        raise EncryptionNotFound(found["id"])
    return dict(found["encryption"])


def create(tx: Transaction, clock: Clock, found: Record, values: Mapping[str, Any]) -> Record:
    """Encrypt the volumes of a type; raise BadRequest if it has volumes, or does so already."""
    _check_unused(tx, found, "create")
    if found["encryption"] is not None:
        raise BadRequest(f"Volume type encryption for type {found['id']} already exists.")
    row = {
        **dict.fromkeys(NAMES),
        **values,
        "volume_type_id": found["id"],
        "encryption_id": randomness.uuid(),
        "created_at": clock.now().isoformat(),
        "updated_at": None,
    }
    tx.update_row(volume_types, found["id"], {"encryption": row})
    return row


def update(tx: Transaction, clock: Clock, found: Record, changes: Mapping[str, Any]) -> None:
    """Encrypt volumes of a type in another way; raise BadRequest if it has some."""
    _check_unused(tx, found, "update")
    row = {**of(found), **changes, "updated_at": clock.now().isoformat()}
    tx.update_row(volume_types, found["id"], {"encryption": row})


def delete(tx: Transaction, found: Record) -> None:
    """Stop encrypting the volumes of a type; raise BadRequest if it has some."""
    _check_unused(tx, found, "delete")
    of(found)
    tx.update_row(volume_types, found["id"], {"encryption": None})


def new_key(found: Record, *, shared: bool) -> str | None:
    """Return the id of the key of a new volume of a type, if it needs one.

    :param shared: whether many servers use the volume.
    :raises BadRequest: if it needs one that it can't have.
    """
    if found["encryption"] is None:
        return None
    if not found["encryption"]["cipher"]:
        raise BadRequest("Invalid volume type: Invalid encryption spec")
    if shared:
        raise BadRequest("Invalid volume type: Multiattach cannot be used with encrypted volumes.")
    return randomness.uuid()


def _check_unused(tx: Transaction, found: Record, action: str) -> None:
    if tx.get(volumes, volume_type_id=found["id"]):
        raise BadRequest(f"Cannot {action} encryption specs. Volume type in use.")
