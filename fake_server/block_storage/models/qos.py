"""QoS specs, and the volume types that they are of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from fake_server.block_storage.tables import qos_specs, volume_types
from fake_server.common.errors import BadRequest, NotFound
from fake_server.common.resources.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Collection

    from fake_server.db.store import Record, Transaction

CONSUMERS = ("back-end", "front-end", "both")


ROWS = Rows(
    qos_specs, "No such QoS spec {}.", "QoS Specs {name} already exists.", newest_first=True
)


def check_consumer(consumer: str) -> None:
    """Raise BadRequest for who can't have QoS specs."""
    if consumer not in CONSUMERS:
        raise BadRequest(f"Invalid qos specs: Valid consumer of QoS specs are: {list(CONSUMERS)}")


def remove_keys(tx: Transaction, row: Record, keys: Collection[str]) -> None:
    """Remove keys of QoS specs; raise NotFound, and remove none, for an unknown one."""
    for key in keys:
        if key not in row["specs"]:
            raise NotFound(f"QoS spec {row['id']} has no spec with key {key}.")
    left = {name: text for name, text in row["specs"].items() if name not in keys}
    tx.update_row(qos_specs, row["id"], {"specs": left})


def delete(tx: Transaction, row: Record, *, force: bool) -> None:
    """Remove QoS specs; raise BadRequest if types have them, unless ``force`` is set."""
    if types_of(tx, row) and not force:
        raise BadRequest("Qos specs still in use.")
    disassociate(tx, row)
    ROWS.remove(tx, row)


def types_of(tx: Transaction, row: Record) -> list[Record]:
    """Return the types that have QoS specs."""
    query = sa.select(volume_types).where(volume_types.c.qos_specs_id == row["id"])
    return tx.all(query.order_by(volume_types.c.number))


def associate(tx: Transaction, row: Record, found: Record) -> None:
    """Give a type QoS specs; raise BadRequest if it has others."""
    if found["qos_specs_id"] not in (None, row["id"]):
        raise BadRequest(
            f"Invalid volume type: Type {found['id']} is already associated with another qos "
            f"specs: {found['qos_specs_id']}"
        )
    tx.update_row(volume_types, found["id"], {"qos_specs_id": row["id"]})


def disassociate(tx: Transaction, row: Record, found: Record | None = None) -> None:
    """Take QoS specs from a type, by default from all that have them."""
    where = [volume_types.c.qos_specs_id == row["id"]]
    if found is not None:
        where.append(volume_types.c.id == found["id"])
    tx.update(volume_types, where, {"qos_specs_id": None})
