"""Load and export projects and users of seeds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.identity import accounts, models
from fake_server.identity.roles import identify
from fake_server.identity.tables import assignments, projects, users
from fake_server.seeds.parsing import SeedError
from fake_server.seeds.services import PROJECTS, USERS

if TYPE_CHECKING:
    from fake_server.db.store import Record, Transaction
    from fake_server.seeds.parsing import Entries


def load(tx: Transaction, seed: Entries) -> None:
    """Store projects and users; those that are there already become what the seed says.

    :raises SeedError: for a user that can't be.
    """
    for entry in seed[PROJECTS.key]:
        _ensure_project(tx, entry.values["name"], entry.values.get("id"))
    for entry in seed[USERS.key]:
        values = {**entry.values}
        digest = values.pop("password_digest", None)
        try:
            account = accounts.account(entry.place, values)
        except ValueError as exc:
            reason = str(exc).removeprefix(f"{entry.place}, {values['name']!r}, ").rstrip(".")
            raise SeedError(entry.place, reason) from exc
        idents = {name: _ensure_project(tx, name) for name in account.projects}
        ident = identify("user", account.name)
        tx.delete(users, users.c.name == account.name)
        row = {
            "id": ident,
            "name": account.name,
            "password": digest or models.hashed(account.password),
            "default_project_id": next(iter(idents.values()), None),
        }
        tx.insert(users, row)
        for name, roles in account.projects.items():
            models.assign(tx, ident, idents[name], roles)
        models.assign(tx, ident, None, account.system)


def export(tx: Transaction) -> dict[str, list[Record]]:
    """Return the entries of projects and users, without those that servers have by default."""
    usual = {name for account in accounts.DEFAULT for name in account.projects}
    rows = tx.all(sa.select(projects).order_by(projects.c.name))
    names = {row["id"]: row["name"] for row in rows}
    found = [
        {"id": ident, "name": name}
        for ident, name in names.items()
        if name not in usual or ident != _ident(name)
    ]
    entries = []
    for user in tx.all(sa.select(users).order_by(users.c.name)):
        entry: dict[str, Any] = {"name": user["name"], "password_digest": user["password"]}
        query = sa.select(assignments).where(assignments.c.user_id == user["id"])
        for row in tx.all(query.order_by(assignments.c.id)):
            if row["project_id"] is None:
                entry.setdefault("system", []).append(row["role"])
            else:
                roles = entry.setdefault("projects", {}).setdefault(names[row["project_id"]], [])
                roles.append(row["role"])
        if not _is_default(entry):
            entries.append(entry)
    return {PROJECTS.key: found, USERS.key: entries}


def _ensure_project(tx: Transaction, name: str, ident: str | None = None) -> str:
    found = tx.get(projects, name=name)
    if found is not None:
        return str(found["id"])
    row = {"id": ident or _ident(name), "name": name}
    tx.insert(projects, row)
    return row["id"]


def _ident(name: str) -> str:
    return identify("project", name)


def _is_default(entry: Record) -> bool:
    """Return whether a user is an unchanged default one."""
    return any(
        entry["name"] == account.name
        and entry.get("projects", {}) == account.projects
        and entry.get("system", []) == list(account.system)
        and models.proves(account.password, entry["password_digest"])
        for account in accounts.DEFAULT
    )
