"""Tokens, each with a user, an expiry and a scope."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fake_server.common import randomness
from fake_server.common.caller import Caller
from fake_server.identity import models, roles, tables

if TYPE_CHECKING:
    from fake_server.db.store import Record, Transaction

#: Seconds that a token is good for.
LIFETIME = 3600


@dataclass(frozen=True)
class Scope:
    """The scope of a token: a project, the system, the domain, or none."""

    project: Record | None = None
    system: bool = False
    domain: bool = False


@dataclass(frozen=True)
class Token:
    """A valid token.

    :param row: as it is stored.
    :param user: the row of its user.
    :param project: the row of its project, if it is for one.
    :param credential: the row of the application credential it came from, if any.
    :param roles: the roles in its scope, with those that they include.
    """

    row: Record
    user: Record
    project: Record | None
    credential: Record | None
    roles: list[str]

    def caller(self) -> Caller:
        """Return who holds it."""
        return Caller(
            self.user["id"],
            self.user["name"],
            frozenset(self.roles),
            self.project["id"] if self.project else None,
            self.project["name"] if self.project else None,
            self.row["system"],
        )


def issue(
    tx: Transaction,
    now: float,
    user: Record,
    scope: Scope,
    methods: list[str],
    *,
    credential: Record | None = None,
    expires_at: float | None = None,
) -> tuple[str, Token] | None:
    """Make a token.

    :param now: seconds since the epoch.
    :param methods: the methods by which the user authenticated.
    :param credential: the application credential that was used.
    :param expires_at: when it ends at the latest.
    :returns: what the client gets, and the token; ``None`` if the user has no role in the scope.
    """
    granted = _granted(tx, user["id"], scope, credential)
    if not granted and (scope.project or scope.system or scope.domain):
        return None
    secret = f"gAAAAA{randomness.token(120)}"
    row = {
        "digest": _digest(secret),
        "user_id": user["id"],
        "project_id": scope.project["id"] if scope.project else None,
        "system": scope.system,
        "domain": scope.domain,
        "application_credential_id": credential["id"] if credential else None,
        "methods": methods,
        "audit_id": randomness.token(16),
        "issued_at": now,
        "expires_at": min(now + LIFETIME, expires_at or now + LIFETIME),
    }
    tx.insert(tables.tokens, row)
    return secret, Token(row, user, scope.project, credential, granted)


def find(tx: Transaction, now: float, secret: str) -> Token | None:
    """Return a token by what the client holds, or ``None`` if there is none that is good."""
    row = tx.get(tables.tokens, digest=_digest(secret))
    if row is None or row["expires_at"] <= now:
        return None
    user = models.find(tx, tables.users, row["user_id"])
    if user is None:
        return None
    project = row["project_id"] and models.find(tx, tables.projects, row["project_id"])
    ident = row["application_credential_id"]
    credential = ident and models.find(tx, tables.application_credentials, ident)
    scope = Scope(project or None, row["system"], row["domain"])
    granted = _granted(tx, user["id"], scope, credential or None)
    return Token(row, user, project or None, credential or None, granted)


def revoke(tx: Transaction, token: Token) -> None:
    """Revoke a token."""
    tx.delete(tables.tokens, tables.tokens.c.digest == token.row["digest"])


def drop_expired(tx: Transaction, now: float) -> None:
    """Remove the tokens that have expired."""
    tx.delete(tables.tokens, tables.tokens.c.expires_at <= now)


def _granted(tx: Transaction, user_id: str, scope: Scope, credential: Record | None) -> list[str]:
    if scope.project:
        granted = models.roles_of(tx, user_id, scope.project["id"])
        if credential is not None:
            wanted = roles.with_implied(credential["roles"])
            return [role for role in granted if role in wanted]
        return granted
    if scope.system or scope.domain:
        return models.roles_of(tx, user_id, None)
    return []


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
