"""Who has which role where, and what a server has at the start."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.common import randomness
from fake_server.db.queries import Query
from fake_server.db.store import DuplicateError, Record
from fake_server.identity import catalog, hierarchy, tables
from fake_server.identity import roles as role_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fake_server.db.store import Store, Transaction
    from fake_server.identity.accounts import Account

#: The id of the domain of all that the server makes itself.
DEFAULT_DOMAIN = "default"
_USER: sa.BindParameter[str] = sa.bindparam("user_id")
_GROUPS = sa.select(tables.memberships.c.group_id).where(tables.memberships.c.user_id == _USER)
_ASSIGNED = Query(
    sa.select(tables.assignments).where(
        (tables.assignments.c.user_id == _USER) | tables.assignments.c.group_id.in_(_GROUPS)
    )
)


@dataclass(frozen=True)
class Grant:
    """A role of a user on a target, as it follows from an assignment.

    :param assignment: the row of the assignment.
    :param user_id: the user, who may be in the group of the assignment.
    :param role_id: the role, which may be implied by that of the assignment.
    :param prior_id: the role that implies it, if one does.
    :param target_id: the project or domain, which may inherit the assignment; None for the system.
    """

    assignment: Record
    user_id: str
    role_id: str
    prior_id: str | None
    target_id: str | None


def install(store: Store, accounts: Iterable[Account]) -> None:
    """Store the default domain, roles and services, and the accounts that aren't there yet."""
    for account in accounts:
        # Another process on the same database may be doing the same.
        with suppress(DuplicateError), store.transaction() as tx:
            if find_user(tx, account.name) is None:
                ensure_user(tx, account, hashed(account.password))


def ensure_cloud(tx: Transaction) -> None:
    """Store the default domain, roles and services if they are missing."""
    if find(tx, tables.projects, DEFAULT_DOMAIN) is not None:
        return
    domain = {"id": DEFAULT_DOMAIN, "name": "Default", "is_domain": True}
    tx.insert(tables.projects, {**domain, "description": "The default domain", **_new_project()})
    for name in role_names.ROLES:
        row: Record = {"id": role_id(name), "domain_id": tables.NO_DOMAIN, "name": name}
        row |= {"description": None, "options": {"immutable": True}, "extra": {}}
        tx.insert(tables.roles, row)
    for prior, implied in role_names.IMPLIED.items():
        pair = {"prior_id": role_id(prior), "implied_id": role_id(implied)}
        tx.insert(tables.implications, pair)
    catalog.install(tx)


def _new_project() -> Record:
    return {"domain_id": tables.NO_DOMAIN, "enabled": True, "tags": [], "options": {}, "extra": {}}


def ensure_project(tx: Transaction, name: str, ident: str | None = None) -> str:
    """Return the id of a project of the default domain, which is made if it is missing.

    :param ident: its id if it is made.
    """
    ensure_cloud(tx)
    found = tx.get(tables.projects, domain_id=DEFAULT_DOMAIN, name=name)
    if found is not None:
        return str(found["id"])
    place = {"domain_id": DEFAULT_DOMAIN, "parent_id": DEFAULT_DOMAIN, "is_domain": False}
    row = {**_new_project(), **place, "id": ident or project_id(name), "name": name}
    tx.insert(tables.projects, {**row, "description": ""})
    return str(row["id"])


def ensure_user(tx: Transaction, account: Account, digest: str) -> None:
    """Store a user of the default domain with its roles, instead of one of the same name.

    :param digest: see :func:`hashed`.
    """
    ensure_cloud(tx)
    ident = role_names.identify("user", account.name)
    idents = {name: ensure_project(tx, name) for name in account.projects}
    tx.remove(tables.users, id=ident)
    row: Record = {
        "id": ident,
        "domain_id": DEFAULT_DOMAIN,
        "name": account.name,
        "password": digest,
        "default_project_id": next(iter(idents.values()), None),
        "enabled": True,
        "options": {},
        "extra": {},
    }
    tx.insert(tables.users, row)
    for name, granted in account.projects.items():
        for role in granted:
            assign(tx, role_id=role_id(role), target_id=idents[name], user_id=ident)
    for role in account.system:
        assign(tx, role_id=role_id(role), target_id=None, user_id=ident)


def project_id(name: str) -> str:
    """Return the id of a project that the server made."""
    return role_names.identify("project", name)


def role_id(name: str) -> str:
    """Return the id of a role that the server made."""
    return role_names.identify("role", name)


def find(tx: Transaction, table: sa.Table, ident: str) -> Record | None:
    """Return a row by its id."""
    return tx.get(table, id=ident)


def find_user(tx: Transaction, name: str) -> Record | None:
    """Return a user of the default domain by name."""
    return tx.get(tables.users, domain_id=DEFAULT_DOMAIN, name=name)


def first(tx: Transaction, table: sa.Table, **match: Any) -> Record | None:
    """Return a row whose columns have these values, of which some may be null."""
    return tx.first(sa.select(table).where(*(table.c[name] == match[name] for name in match)))


def fetch(tx: Transaction, table: sa.Table, **match: Any) -> list[Record]:
    """Return rows whose columns have these values, in the order of their names or numbers."""
    where = [table.c[name] == value for name, value in match.items()]
    order = next(table.c[name] for name in ("number", "name", "id") if name in table.c)
    return tx.all(sa.select(table).where(*where).order_by(order))


def assign(tx: Transaction, **values: Any) -> None:
    """Give a user or a group a role on a project or domain, or on the system, if it hasn't got it.

    :param values: ``role_id``, ``target_id`` (``None`` for the system), ``user_id`` or
        ``group_id``, and ``inherited``.
    """
    row = {"user_id": None, "group_id": None, "inherited": False, **values}
    key = json.dumps([row[name] for name in sorted(row)])
    insert_once(tx, tables.assignments, {**row, "key": hashlib.sha256(key.encode()).hexdigest()})


def insert_once(tx: Transaction, table: sa.Table, row: Record) -> None:
    """Store a row, unless it is there already."""
    with suppress(DuplicateError):
        tx.insert(table, row)


def assignments(tx: Transaction, **match: Any) -> list[Record]:
    """Return role assignments as they were made, those whose columns have these values."""
    return fetch(tx, tables.assignments, **match)


def implied(tx: Transaction) -> Mapping[str, list[str]]:
    """Return the roles that roles imply directly, by their ids."""
    found: dict[str, list[str]] = {}
    for row in tx.rows(tables.implications, "prior_id"):
        found.setdefault(row["prior_id"], []).append(row["implied_id"])
    return found


def grants(tx: Transaction, rows: Iterable[Record]) -> list[Grant]:
    """Return what follows from assignments: for members of groups, by implication, by inheritance.

    :param rows: the assignments.
    """
    implies, everywhere = implied(tx), _global_roles(tx).keys()
    found = []
    for row in rows:
        users = [row["user_id"]]
        if row["user_id"] is None:
            members = fetch_members(tx, row["group_id"])
            users = [member["id"] for member in members]
        targets = inheritors(tx, row["target_id"]) if row["inherited"] else [row["target_id"]]
        for role, prior in _closure(implies, row["role_id"]).items():
            if role in everywhere:
                found += [
                    Grant(row, one, role, prior, target) for one in users for target in targets
                ]
    return found


def with_implied(tx: Transaction, roles: Iterable[str]) -> list[str]:
    """Return the ids of roles, and of those that they imply."""
    implies = implied(tx)
    return list(dict.fromkeys(one for role in roles for one in _closure(implies, role)))


def _closure(implies: Mapping[str, list[str]], role: str) -> dict[str, str | None]:
    """Return a role and those that it implies, each with the one that does."""
    found: dict[str, str | None] = {role: None}
    waiting = [role]
    while waiting:
        prior = waiting.pop()
        for ident in implies.get(prior, ()):
            if ident not in found:
                found[ident] = prior
                waiting.append(ident)
    return found


def inheritors(tx: Transaction, target_id: str) -> list[str]:
    """Return the projects below a domain or a project."""
    table = tables.projects
    if (target := find(tx, table, target_id)) and target["is_domain"]:
        return [row["id"] for row in fetch(tx, table, domain_id=target_id)]
    return hierarchy.below(tx, target_id)


def roles_of(
    tx: Transaction, user_id: str, target_id: str | None, *, allowed: Iterable[str] | None = None
) -> dict[str, str]:
    """Return the roles of a user on a project, a domain, or the system, with those they include.

    :param allowed: the ids of the roles, beside those they include, that count; all by default.
    :returns: ids by names, the most powerful first.
    """
    found = effective_roles(tx, user_id, target_id)
    if allowed is not None:
        found &= {*with_implied(tx, allowed)}
    return named_roles(tx, found)


def effective_roles(tx: Transaction, user_id: str, target_id: str | None) -> set[str]:
    """Return the ids of the roles of a user on a project, a domain, or the system.

    Those that they include are among them, and those of domains.
    """
    implies = implied(tx)
    found: set[str] = set()
    for row in tx.ask(_ASSIGNED, user_id=user_id):
        given_on = row["target_id"]
        if row["inherited"]:
            applies = target_id is not None and given_on in hierarchy.above(tx, target_id)
        else:
            applies = given_on == target_id
        if applies:
            found |= _closure(implies, row["role_id"]).keys()
    return found


def named_roles(tx: Transaction, idents: set[str]) -> dict[str, str]:
    """Return ids of roles by their names, the most powerful first, without those of domains."""
    if not idents:
        return {}
    names = {name: ident for ident, name in _global_roles(tx).items() if ident in idents}
    return {name: names[name] for name in role_names.in_order(set(names))}


def _global_roles(tx: Transaction) -> dict[str, str]:
    """Return the names by the ids of the roles that count: those of a domain only imply others."""
    rows = tx.rows(tables.roles, "name", domain_id=tables.NO_DOMAIN)
    return {row["id"]: row["name"] for row in rows}


def targets_of(tx: Transaction, user_id: str, *, domains: bool) -> list[Record]:
    """Return the projects, or the domains, that a user has a role on."""
    found: set[str | None] = set()
    implies, everywhere = implied(tx), _global_roles(tx).keys()
    for row in tx.ask(_ASSIGNED, user_id=user_id):
        if everywhere.isdisjoint(_closure(implies, row["role_id"])):
            continue
        given_on = row["target_id"]
        found |= {*inheritors(tx, given_on)} if row["inherited"] else {given_on}
    return [row for row in fetch(tx, tables.projects, is_domain=domains) if row["id"] in found]


def fetch_members(tx: Transaction, group_id: str) -> list[Record]:
    """Return the users in a group."""
    users, member = tables.users, tables.memberships.c
    having = sa.select(member.user_id).where(member.group_id == group_id)
    return tx.all(sa.select(users).where(users.c.id.in_(having)).order_by(users.c.name))


def fetch_groups(tx: Transaction, user_id: str) -> list[Record]:
    """Return the groups that a user is in."""
    groups, member = tables.groups, tables.memberships.c
    having = sa.select(member.group_id).where(member.user_id == user_id)
    return tx.all(sa.select(groups).where(groups.c.id.in_(having)).order_by(groups.c.name))


def revoke_tokens(tx: Transaction, user_id: str) -> None:
    """Revoke the tokens of a user, and those of others by a trust that the user gives.

    The latter are kept: of one whose trust is no good Keystone says that first.
    """
    given = sa.select(tables.trusts.c.id).where(tables.trusts.c.trustor_user_id == user_id)
    tx.remove(tables.tokens, user_id=user_id)
    tx.update(tables.tokens, [tables.tokens.c.trust_id.in_(given)], {"revoked": True})


def delete_credentials_with(tx: Transaction, role: str) -> None:
    """Remove the application credentials of users for the projects that they have a role on."""
    table = tables.application_credentials
    for row in assignments(tx, role_id=role):
        if row["user_id"] is not None and row["target_id"] is not None:
            tx.remove(table, user_id=row["user_id"], project_id=row["target_id"])


def new_id() -> str:
    """Return the id of something new."""
    return randomness.hexadecimal(16)


def hashed(secret: str) -> str:
    """Return a salted digest of a password; a quick one, as these guard nothing but tests."""
    salt = secrets.token_hex(8)
    return f"{salt}${_digest(salt, secret)}"


def proves(secret: str, stored: str | None) -> bool:
    """Return whether a password is the one that was stored; where none is, no one is."""
    salt, _, digest = (stored or "").partition("$")
    return hmac.compare_digest(_digest(salt, secret), digest)


def _digest(salt: str, secret: str) -> str:
    return hashlib.sha256(f"{salt}{secret}".encode("utf-8", "surrogatepass")).hexdigest()
