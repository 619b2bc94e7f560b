"""The wall of the page: all nodes, in racks of those that have the same value of a field."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal.node_fields import NODES
from fake_server.baremetal.tables import nodes
from fake_server.common import masking

if TYPE_CHECKING:
    from fake_server.db.store import Transaction

DEFAULT = "conductor_group"
_WITHOUT = "without"
#: Columns of nodes that fields of the API have.
_COLUMNS = frozenset(NODES.stored)


def of_nodes(tx: Transaction, by: str) -> dict[str, Any]:
    """Return the racks in alphabetical order, each with its nodes.

    :param by: a field of nodes, or a key in one, such as ``properties.rack``.
    :raises ValueError: for an unknown field.
    """
    name, *path = by.split(".")
    if name not in _COLUMNS:
        raise ValueError(f"Nodes have no field {name!r} that they can be grouped by.")
    column = nodes.c[name]
    shown = (nodes.c.uuid, nodes.c.name, nodes.c.provision_state, nodes.c.last_error)
    query = sa.select(*shown, column.label("grouped_by")).order_by(nodes.c.id)
    racks: dict[str, list[list[Any]]] = {}
    for row in tx.all(query):
        value = masking.mask({name: row["grouped_by"]})[name]
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        node = [row["uuid"], row["name"], row["provision_state"], row["last_error"]]
        racks.setdefault(_written(value), []).append(node)
    order = sorted(racks, key=lambda rack: (rack == _WITHOUT, rack))
    return {"by": by, "racks": [{"name": rack, "nodes": racks[rack]} for rack in order]}


def _written(value: Any) -> str:
    if value is None or value == "":
        return _WITHOUT
    return value if isinstance(value, str) else json.dumps(value)
