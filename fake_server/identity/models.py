"""Projects, users, roles and application credentials."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.common import randomness
from fake_server.db.store import DuplicateError, Record
from fake_server.identity import roles, tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fake_server.db.store import Store, Transaction
    from fake_server.identity.accounts import Account

DOMAIN = {"id": "default", "name": "Default"}


def install(store: Store, accounts: Iterable[Account]) -> None:
    """Store the accounts that aren't there yet."""
    for account in accounts:
        # Another process on the same database may be doing the same.
        for project in account.projects:
            _ensure(store, tables.projects, {"id": project_id(project), "name": project})
        ident = roles.identify("user", account.name)
        user = {
            "id": ident,
            "name": account.name,
            "password": hashed(account.password),
            "default_project_id": next(map(project_id, account.projects), None),
        }
        if _ensure(store, tables.users, user):
            with store.transaction() as tx:
                for project, names in account.projects.items():
                    assign(tx, ident, project_id(project), names)
                assign(tx, ident, None, account.system)


def project_id(name: str) -> str:
    """Return the id of a project that the server made."""
    return roles.identify("project", name)


def find(tx: Transaction, table: sa.Table, ident: str) -> Record | None:
    """Return a row by its id."""
    return tx.get(table, id=ident)


def find_by_name(tx: Transaction, table: sa.Table, name: str) -> Record | None:
    """Return a row by its name."""
    return tx.get(table, name=name)


def fetch(tx: Transaction, table: sa.Table, **match: Any) -> list[Record]:
    """Return rows whose columns have these values, sorted by name."""
    where = [table.c[name] == value for name, value in match.items()]
    return tx.all(sa.select(table).where(*where).order_by(table.c.name))


def roles_of(tx: Transaction, user_id: str, project: str | None) -> list[str]:
    """Return the roles of a user on a project, or on the system, with those that they include."""
    table = tables.assignments
    where = [table.c.user_id == user_id, table.c.project_id == project]
    rows = tx.all(sa.select(table.c.role).where(*where))
    return roles.with_implied(row["role"] for row in rows)


def assignments(tx: Transaction) -> list[Record]:
    """Return all role assignments as they were made."""
    return tx.all(sa.select(tables.assignments).order_by(tables.assignments.c.id))


def assign(tx: Transaction, user_id: str, project: str | None, names: Iterable[str]) -> None:
    """Give a user roles on a project, or on the system."""
    for role in names:
        tx.insert(tables.assignments, {"user_id": user_id, "project_id": project, "role": role})


def projects_of(tx: Transaction, user_id: str) -> list[Record]:
    """Return the projects that a user has a role on."""
    having = sa.select(tables.assignments.c.project_id).where(
        tables.assignments.c.user_id == user_id
    )
    query = sa.select(tables.projects).where(tables.projects.c.id.in_(having))
    return tx.all(query.order_by(tables.projects.c.name))


def create_credential(
    tx: Transaction, user_id: str, project: str, name: str, granted: Sequence[str], **values: Any
) -> tuple[Record, str]:
    """Store an application credential; return it and its secret, or raise DuplicateError."""
    secret = values.get("secret") or randomness.token(64)
    row = {
        "id": randomness.hexadecimal(16),
        "user_id": user_id,
        "project_id": project,
        "name": name,
        "description": values.get("description"),
        "secret": hashed(secret),
        "roles": list(granted),
        "unrestricted": bool(values.get("unrestricted")),
        "expires_at": values.get("expires_at"),
    }
    tx.insert(tables.application_credentials, row)
    return row, secret


def delete_credential(tx: Transaction, ident: str) -> None:
    """Remove an application credential, and its tokens."""
    table = tables.application_credentials
    tx.delete(table, table.c.id == ident)


def hashed(secret: str) -> str:
    """Return a salted digest of a password; a quick one, as these guard nothing but tests."""
    salt = secrets.token_hex(8)
    return f"{salt}${_digest(salt, secret)}"


def proves(secret: str, stored: str) -> bool:
    """Return whether a password is the one that was stored."""
    salt, _, digest = stored.partition("$")
    return hmac.compare_digest(_digest(salt, secret), digest)


def _digest(salt: str, secret: str) -> str:
    return hashlib.sha256(f"{salt}{secret}".encode("utf-8", "surrogatepass")).hexdigest()


def _ensure(store: Store, table: sa.Table, row: Record) -> bool:
    """Store a row unless there is one of this name; return whether it was stored."""
    try:
        with store.transaction() as tx:
            if find_by_name(tx, table, row["name"]):
                return False
            tx.insert(table, row)
    except DuplicateError:
        return False
    return True
