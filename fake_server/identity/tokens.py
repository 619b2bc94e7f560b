"""Tokens, each with a user, an expiry and a scope."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fake_server.common import randomness
from fake_server.common.caller import Caller
from fake_server.identity import models, tables

if TYPE_CHECKING:
    from fake_server.db.store import Record, Transaction

#: Seconds that a token is good for.
LIFETIME = 3600


@dataclass(frozen=True)
class Scope:
    """The scope of a token: a project, a domain, the system, or none."""

    project: Record | None = None
    domain: Record | None = None
    system: bool = False

    @property
    def target_id(self) -> str | None:
        """The id of the project or the domain."""
        target = self.project or self.domain
        return target["id"] if target else None

    @property
    def is_some(self) -> bool:
        """Whether the token is for anything."""
        return self.system or self.target_id is not None


@dataclass(frozen=True)
class Token:
    """A valid token.

    :param row: as it is stored.
    :param user: the row of its user.
    :param scope: what it is for.
    :param credential: the row of the application credential it came from, if any.
    :param roles: the ids, by name, of the roles in its scope, with those that they include.
    """

    row: Record
    user: Record
    scope: Scope
    credential: Record | None
    roles: dict[str, str]

    @property
    def project(self) -> Record | None:
        """The row of the project that it is for."""
        return self.scope.project

    @property
    def is_delegated(self) -> bool:
        """Whether it comes from an application credential."""
        return self.credential is not None

    def caller(self) -> Caller:
        """Return who holds it."""
        return Caller(
            self.user["id"],
            self.user["name"],
            frozenset(self.roles),
            self.project["id"] if self.project else None,
            self.project["name"] if self.project else None,
            self.row["system"],
            domain_id=self.row["domain_id"],
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
    if not granted and scope.is_some:
        return None
    secret = f"gAAAAA{randomness.token(120)}"
    row = {
        "digest": _digest(secret),
        "user_id": user["id"],
        "project_id": scope.project["id"] if scope.project else None,
        "domain_id": scope.domain["id"] if scope.domain else None,
        "system": scope.system,
        "application_credential_id": credential["id"] if credential else None,
        "methods": methods,
        "audit_id": randomness.token(16),
        "issued_at": now,
        "expires_at": min(now + LIFETIME, expires_at or now + LIFETIME),
    }
    tx.insert(tables.tokens, row)
    return secret, Token(row, user, scope, credential, granted)


def find(tx: Transaction, now: float, secret: str) -> Token | None:
    """Return a token by what the client holds, or ``None`` if there is none that is good."""
    row = tx.get(tables.tokens, digest=_digest(secret))
    if row is None or row["expires_at"] <= now:
        return None
    user = models.find(tx, tables.users, row["user_id"])
    project, domain = (
        models.find(tx, tables.projects, row[column]) if row[column] else None
        for column in ("project_id", "domain_id")
    )
    if user is None or not all(one["enabled"] for one in (user, project, domain) if one):
        return None
    ident = row["application_credential_id"]
    credential = ident and models.find(tx, tables.application_credentials, ident)
    scope = Scope(project, domain, row["system"])
    granted = _granted(tx, user["id"], scope, credential)
    return Token(row, user, scope, credential, granted) if granted or not scope.is_some else None


def revoke(tx: Transaction, token: Token) -> None:
    """Revoke a token."""
    tx.delete(tables.tokens, tables.tokens.c.digest == token.row["digest"])


def drop_expired(tx: Transaction, now: float) -> None:
    """Remove the tokens that have expired."""
    tx.delete(tables.tokens, tables.tokens.c.expires_at <= now)


def _granted(
    tx: Transaction, user_id: str, scope: Scope, credential: Record | None
) -> dict[str, str]:
    if not scope.is_some:
        return {}
    allowed = None if credential is None else credential["roles"]
    return models.roles_of(tx, user_id, scope.target_id, allowed=allowed)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
