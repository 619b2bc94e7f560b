"""Convert the entries of a seed to rows."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal.tables import nodes
from fake_server.block_storage.models import types
from fake_server.block_storage.tables import volume_types, volumes
from fake_server.clock import parse_moment
from fake_server.common import randomness
from fake_server.common.errors import NotFound, ServiceError
from fake_server.compute import crypto
from fake_server.compute.tables import flavors
from fake_server.db import bulk
from fake_server.db.queries import Query
from fake_server.identity.tables import projects, users
from fake_server.image.tables import images
from fake_server.networking.kinds import KINDS
from fake_server.seeds import services
from fake_server.seeds.parsing import Entry, SeedError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fake_server.clock import Clock
    from fake_server.db.store import Record, Transaction
    from fake_server.seeds.resource_kind import ResourceKind

#: The tables of what columns name: in a seed, names do as well as identifiers.
_NAMED = {
    "owner": projects,
    "lessee": projects,
    "project_id": projects,
    "user_id": users,
    "image_ref": images,
    "volume_type_id": volume_types,
    "volume_id": volumes,
    "network_id": KINDS["networks"].table,
    "floating_network_id": KINDS["networks"].table,
    "subnet_id": KINDS["subnets"].table,
    "subnetpool_id": KINDS["subnetpools"].table,
    "address_scope_id": KINDS["address_scopes"].table,
    "port_id": KINDS["ports"].table,
    "node_uuid": nodes,
}


def resolved(tx: Transaction, row: Record, columns: Iterable[str] = tuple(_NAMED)) -> Record:
    """Return a row with identifiers instead of the names of what is stored."""
    found = {name: _ident(tx, _NAMED[name], row[name]) for name in columns if name in row}
    return {**row, **found}


def _ident(tx: Transaction, table: sa.Table, name: Any) -> Any:
    found = tx.get(table, name=name) if isinstance(name, str) else None
    return name if found is None else found["uuid" if table is nodes else "id"]


def load(tx: Transaction, clock: Clock, kind: ResourceKind, entries: list[Entry]) -> None:
    """Store the entries of a kind, with what belongs to them; raise SeedError if one can't be."""
    _load(tx, clock, kind, [(entry, None) for entry in entries])


def _load(
    tx: Transaction, clock: Clock, kind: ResourceKind, entries: list[tuple[Entry, str | None]]
) -> None:
    rows = []
    for entry, parent in entries:
        row = _row(tx, clock, kind, entry)
        if kind.parent is not None:
            row[kind.parent] = parent
        row = resolved(tx, row)
        _check_columns(tx, kind, row, entry)
        if not (kind is services.VOLUME_TYPES and _is_replaced(tx, row)):
            rows.append((row, entry))
    check_unique(tx, kind, rows)
    bulk.insert(tx, kind.table, (row for row, _ in rows))
    for child in kind.children:
        below = [(one, row["id"]) for row, entry in rows for one in entry.children[child.key]]
        _load(tx, clock, child, below)


def _row(tx: Transaction, clock: Clock, kind: ResourceKind, entry: Entry) -> Record:
    row = {**kind.defaults(), **entry.values}
    row.pop("number", None)
    if isinstance(row.get("projects"), list):
        row["projects"] = [_ident(tx, projects, name) for name in row["projects"]]
    for column in kind.table.columns:
        if column.name in ("created_at", "updated_at") and not column.nullable:
            row[column.name] = clock.now()
        elif isinstance(column.type, sa.DateTime) and row[column.name] is not None:
            row[column.name] = parse_moment(row[column.name])
    if "id" in row and row["id"] is None:
        row["id"] = randomness.uuid()
    complete = _COMPLETED.get(kind)
    if complete is not None:
        try:
            row |= complete(tx, row)
        except ServiceError as exc:
            raise SeedError(entry.place, str(exc).rstrip(".")) from None
    return row


def _check_columns(tx: Transaction, kind: ResourceKind, row: Record, entry: Entry) -> None:
    """Raise SeedError for a missing value, or for a reference to a missing row."""
    for column in kind.table.columns:
        name, value = str(column.name), row.get(column.name)
        if value is None:
            if not column.nullable and not column.primary_key:
                raise SeedError(entry.place, f"{name} is missing")
            continue
        for key in column.foreign_keys:
            if name != kind.parent and tx.get(key.column.table, **{key.column.name: value}) is None:
                raise SeedError(f"{entry.place}.{name}", f"there is no {value}")


def _is_replaced(tx: Transaction, row: Record) -> bool:
    """Update a built-in volume type; return whether it is one."""
    if row["id"] not in [usual["id"] for usual in types.built_in()]:
        return False
    return bool(tx.update_row(volume_types, row["id"], row))


def check_unique(tx: Transaction, kind: ResourceKind, rows: Iterable[tuple[Record, Entry]]) -> None:
    """Raise SeedError for duplicates, within the seed or with what the server has."""
    rows = list(rows)
    for constraint in kind.table.constraints:
        columns = list(getattr(constraint, "columns", ()))
        composite = isinstance(constraint, sa.PrimaryKeyConstraint) and len(columns) > 1
        if not (isinstance(constraint, sa.UniqueConstraint) or composite) or not rows:
            continue
        stored = tx.ask(_values(*columns))
        present: dict[tuple[Any, ...], str | None] = {tuple(row.values()): None for row in stored}
        for row, entry in rows:
            key = tuple(row[column.name] for column in columns)
            if None in key:
                continue
            if key in present:
                named = [column.name for column in columns if column.name != "node_id"]
                shown = ", ".join(f"{name} {row[name]!r}" for name in named)
                where = present[key] or "the server"
                raise SeedError(entry.place, f"{shown} is already in {where}")
            present[key] = entry.place


@cache
def _values(*columns: sa.Column[Any]) -> Query:
    return Query(sa.select(*columns))


def _server(tx: Transaction, row: Record) -> Record:
    """Return the columns of a server that the seed may leave out."""
    flavor = row["flavor"]
    if isinstance(flavor, str):
        found = tx.get(flavors, name=flavor) or tx.get(flavors, id=flavor)
        if found is None:
            raise NotFound(f"There is no flavor {flavor}")
        flavor = {name: found[name] for name in found if name not in ("number", "projects")}
    return {
        "flavor": flavor,
        "hostname": row["hostname"] or row["name"],
        "reservation_id": row["reservation_id"] or f"r-{randomness.hexadecimal(4)}",
    }


def _keypair(_tx: Transaction, row: Record) -> Record:
    return {"fingerprint": crypto.fingerprint(row["public_key"], row["type"])}


#: Functions that return the columns of a row that follow from others.
_COMPLETED = {services.SERVERS: _server, services.KEYPAIRS: _keypair}
