"""Accounts, their containers, and the objects in these."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.common.errors import Conflict, NotFound
from fake_server.db.store import DuplicateError
from fake_server.object_storage.tables import accounts, containers, objects

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.db.store import Record, Transaction

#: What lists need to know of an object, which is all but its data.
_LISTED = [column for column in objects.c if column.name != "data"]


def account_headers(tx: Transaction, name: str) -> dict[str, str]:
    """Return what was said of an account."""
    row = tx.get(accounts, name=name)
    return dict(row["headers"]) if row else {}


def set_account_headers(tx: Transaction, name: str, headers: Mapping[str, str]) -> None:
    """Store what is said of an account."""
    try:
        with tx.savepoint():
            tx.insert(accounts, {"name": name, "headers": dict(headers)})
    except DuplicateError:
        tx.update(accounts, [accounts.c.name == name], {"headers": dict(headers)})


def containers_of(tx: Transaction, account: str) -> list[Record]:
    """Return the containers of an account, in the order of their names."""
    query = sa.select(containers).where(containers.c.account == account)
    return sorted(tx.all(query), key=lambda row: str(row["name"]))


def container(tx: Transaction, account: str, name: str) -> Record:
    """Return a container; raise NotFound if there is none."""
    row = tx.get(containers, account=account, name=name)
    if row is None:
        raise NotFound
    return row


def create_container(
    tx: Transaction, now: float, account: str, name: str, headers: Mapping[str, str]
) -> bool:
    """Create a container, or change what is said of it; return whether it is new."""
    values = {"account": account, "name": name, "headers": dict(headers), "changed_at": now}
    try:
        with tx.savepoint():
            tx.insert(containers, values)
    except DuplicateError:
        row = container(tx, account, name)
        set_container_headers(tx, row, {**row["headers"], **headers})
        return False
    return True


def set_container_headers(tx: Transaction, row: Record, headers: Mapping[str, str]) -> None:
    """Store what is said of a container."""
    where = [containers.c.number == row["number"]]
    tx.update(containers, where, {"headers": dict(headers)})


def delete_container(tx: Transaction, now: float, row: Record) -> None:
    """Remove a container; raise Conflict if something is in it."""
    if objects_in(tx, now, row):
        raise Conflict
    tx.remove(containers, number=row["number"])


def objects_in(tx: Transaction, now: float, row: Record) -> list[Record]:
    """Return the objects in a container, without their data, in the order of their names."""
    query = sa.select(*_LISTED).where(objects.c.container == row["number"], _is_there(now))
    return sorted(tx.all(query), key=lambda one: str(one["name"]))


def find(tx: Transaction, now: float, row: Record, name: str) -> Record:
    """Return an object in a container; raise NotFound if there is none, or its time is over."""
    key = _key(name)
    where = (objects.c.container == row["number"], objects.c.key == key, _is_there(now))
    found = tx.first(sa.select(objects).where(*where))
    if found is None:
        raise NotFound
    return found


def put(tx: Transaction, row: Record, values: Mapping[str, Any]) -> None:
    """Store an object, instead of one of the same name.

    :param values: its columns, but for its container and what follows from its name.
    """
    key = _key(values["name"])
    tx.remove(objects, container=row["number"], key=key)
    tx.insert(objects, {**values, "container": row["number"], "key": key})


def change(tx: Transaction, row: Record, values: Mapping[str, Any]) -> None:
    """Change what is said of an object."""
    tx.update(objects, [objects.c.number == row["number"]], values)


def delete(tx: Transaction, row: Record) -> None:
    """Remove an object."""
    tx.remove(objects, number=row["number"])


def _is_there(now: float) -> sa.ColumnElement[bool]:
    return objects.c.delete_at.is_(None) | (objects.c.delete_at > now)


def _key(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
