"""Load and export projects and users of seeds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.identity import accounts, models, tables
from fake_server.identity.tables import projects, users
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
        models.ensure_project(tx, entry.values["name"], entry.values.get("id"))
    for entry in seed[USERS.key]:
        values = {**entry.values}
        digest = values.pop("password_digest", None)
        try:
            account = accounts.account(entry.place, values)
        except ValueError as exc:
            reason = str(exc).removeprefix(f"{entry.place}, {values['name']!r}, ").rstrip(".")
            raise SeedError(entry.place, reason) from exc
        models.ensure_user(tx, account, digest or models.hashed(account.password))


def export(tx: Transaction) -> dict[str, list[Record]]:
    """Return the entries of projects and users, without those that servers have by default."""
    usual = {name for account in accounts.DEFAULT for name in account.projects}
    names = {
        row["id"]: row["name"]
        for row in models.fetch(tx, projects, domain_id=models.DEFAULT_DOMAIN)
    }
    roles = {row["id"]: row["name"] for row in models.fetch(tx, tables.roles)}
    found = [
        {"id": ident, "name": name}
        for ident, name in names.items()
        if name not in usual or ident != models.project_id(name)
    ]
    entries = []
    for user in models.fetch(tx, users, domain_id=models.DEFAULT_DOMAIN):
        entry: dict[str, Any] = {"name": user["name"], "password_digest": user["password"]}
        for row in models.assignments(tx, user_id=user["id"], inherited=False):
            role, target = roles[row["role_id"]], row["target_id"]
            if target is None:
                entry.setdefault("system", []).append(role)
            elif target in names:
                entry.setdefault("projects", {}).setdefault(names[target], []).append(role)
        if not _is_default(entry):
            entries.append(entry)
    return {PROJECTS.key: found, USERS.key: entries}


def _is_default(entry: Record) -> bool:
    """Return whether a user is an unchanged default one."""
    return any(
        entry["name"] == account.name
        and entry.get("projects", {}) == account.projects
        and entry.get("system", []) == list(account.system)
        and models.proves(account.password, entry["password_digest"])
        for account in accounts.DEFAULT
    )
