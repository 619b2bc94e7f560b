"""Volume types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_URL, uuid5

import sqlalchemy as sa

from fake_server.block_storage.errors import TypeNotFound
from fake_server.block_storage.tables import volume_types, volumes
from fake_server.common import randomness
from fake_server.common.errors import BadRequest, Conflict
from fake_server.db.store import DuplicateError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.db.store import Record, Store, Transaction

#: What an extra spec has to be for a volume that many servers may share.
TRUE = "<is> True"
DEFAULT = "__DEFAULT__"
_PROTOCOLS = {"iscsi": "iscsi", "fc": "fibre_channel", "fibre_channel": "fibre_channel"}
#: Types that there are from the start, with their extra specs.
_BUILT_IN: dict[str, dict[str, str]] = {
    DEFAULT: {},
    "multiattach": {"multiattach": TRUE},
    "fibre-channel": {"storage_protocol": "FC"},
}


def built_in() -> list[Record]:
    """Return the rows of the types that there are from the start."""
    return [
        _row(str(uuid5(NAMESPACE_URL, f"fake:volume-type:{name}")), name, extra_specs=dict(specs))
        for name, specs in _BUILT_IN.items()
    ]


def install(store: Store) -> None:
    """Store the types that there are from the start."""
    for row in built_in():
        try:
            with store.transaction() as tx:
                if not tx.get(volume_types, name=row["name"]):
                    tx.insert(volume_types, row)
        except DuplicateError:
            continue  # another process was faster


def find(tx: Transaction, ident: str) -> Record:
    """Return a type by its id or name; raise TypeNotFound if there is none."""
    found = tx.get(volume_types, id=ident) or tx.get(volume_types, name=ident)
    if found is None:
        raise TypeNotFound(ident)
    return found


def fetch(tx: Transaction) -> list[Record]:
    """Return all types."""
    return tx.all(sa.select(volume_types).order_by(volume_types.c.number))


def create(tx: Transaction, name: str, **values: Any) -> Record:
    """Create a type from its columns; raise Conflict if there is one of this name."""
    row = _row(randomness.uuid(), name, **values)
    try:
        tx.insert(volume_types, row)
    except DuplicateError:
        raise Conflict(f"Volume Type {name} already exists.") from None
    return row


def change_specs(tx: Transaction, found: Record, specs: Mapping[str, Any]) -> None:
    """Give a type other extra specs."""
    tx.update_row(volume_types, found["id"], {"extra_specs": dict(specs)})


def delete(tx: Transaction, found: Record) -> None:
    """Remove a type; raise BadRequest if volumes are of it."""
    if tx.get(volumes, volume_type_id=found["id"]):
        raise BadRequest("Target volume type is still in use.")
    tx.delete(volume_types, volume_types.c.id == found["id"])


def shares(found: Record | None) -> bool:
    """Return whether volumes of a type can be attached to many servers."""
    return found is not None and found["extra_specs"].get("multiattach") == TRUE


def protocol(found: Record | None) -> str | None:
    """Return the protocol that a type asks for, if it does."""
    wanted = (found or {}).get("extra_specs", {}).get("storage_protocol", "")
    return _PROTOCOLS.get(str(wanted).lower())


def _row(ident: str, name: str, **values: Any) -> Record:
    return {"id": ident, "name": name, "description": None, "is_public": True, **values}
