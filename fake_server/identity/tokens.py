"""Tokens, each with a user, an expiry and a scope."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fake_server.common import randomness
from fake_server.common.caller import Caller
from fake_server.common.errors import Forbidden, NotFound
from fake_server.identity import errors, models, tables, trusts

if TYPE_CHECKING:
    from fake_server.db.store import Record, Transaction

#: Seconds that a token is good for.
LIFETIME = 3600
#: Seconds after which an expired token isn't even good for what a service does for its user.
LATE = 2 * 24 * 3600
#: What every token begins with.
_PREFIX = "gAAAA"
#: What is said of a token that was one.
_FAILED = "Failed to validate token"


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
    :param user: the row of its user: of the one who gave a trust that lets the other pass as such.
    :param scope: what it is for.
    :param credential: the row of the application credential it came from, if any.
    :param trust: the row of the trust that it came from, if any.
    :param roles: the ids, by name, of the roles in its scope, with those that they include.
    """

    row: Record
    user: Record
    scope: Scope
    credential: Record | None
    trust: Record | None
    roles: dict[str, str]

    @property
    def project(self) -> Record | None:
        """The row of the project that it is for."""
        return self.scope.project

    @property
    def first_audit_id(self) -> str:
        """The id of the first of the tokens that were exchanged for each other, for audits."""
        return str(self.row["parent_audit_id"] or self.row["audit_id"])

    @property
    def is_delegated(self) -> bool:
        """Whether it comes from an application credential or a trust."""
        return self.credential is not None or self.trust is not None

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
    trust: Record | None = None,
    expires_at: float | None = None,
    earlier: Token | None = None,
) -> tuple[str, Token] | None:
    """Make a token.

    :param now: seconds since the epoch.
    :param methods: the methods by which the user authenticated.
    :param credential: the application credential that was used.
    :param trust: the trust that was used.
    :param expires_at: when it ends at the latest.
    :param earlier: the token that was exchanged for it.
    :returns: what the client gets, and the token; ``None`` if the user has no role in the scope.
    :raises NotFound: if the project is disabled, or a domain.
    :raises Forbidden: if the trust is not for the user, or the one who gave it can't any more.
    """
    _check_project(tx, scope.project)
    holder = _holder(tx, user, trust)
    granted = _granted(tx, now, user["id"], scope, credential, trust)
    if not granted and scope.is_some:
        return None
    secret = f"{_PREFIX}A{randomness.token(120)}"
    row = {
        "digest": _digest(secret),
        "user_id": user["id"],
        "project_id": scope.project["id"] if scope.project else None,
        "domain_id": scope.domain["id"] if scope.domain else None,
        "system": scope.system,
        "application_credential_id": credential["id"] if credential else None,
        "trust_id": trust["id"] if trust else None,
        "methods": methods,
        "audit_id": randomness.token(16),
        "parent_audit_id": earlier and earlier.first_audit_id,
        "issued_at": now,
        "expires_at": min(now + LIFETIME, expires_at or now + LIFETIME),
        "revoked": False,
    }
    tx.insert(tables.tokens, row)
    return secret, Token(row, holder, scope, credential, trust, granted)


def find(tx: Transaction, now: float, secret: str) -> Token | None:
    """Return a token by what the client holds, or ``None`` if there is none that is good."""
    try:
        return validate(tx, now, secret)
    except (Forbidden, NotFound):
        return None


def validate(tx: Transaction, now: float, secret: str) -> Token:
    """Return a token by what the client holds.

    :param now: the moment at which it has to be good.
    :raises TokenNotFound: if there is none that is good.
    :raises NotFound: if what it depends on is missing or disabled.
    :raises Forbidden: if it comes from a trust that is no good any more.
    """
    row = tx.get(tables.tokens, digest=_digest(secret))
    if row is None or row["expires_at"] <= now:
        known = secret.startswith(_PREFIX)
        raise errors.TokenNotFound(_FAILED if known else "Could not recognize Fernet token")
    project = row["project_id"] and place(tx, "project", row["project_id"])
    user = models.find(tx, tables.users, row["user_id"])
    if user is None:
        raise errors.not_found("user", row["user_id"])
    domain = row["domain_id"] and models.find(tx, tables.projects, row["domain_id"])
    if row["domain_id"] and domain is None:
        raise errors.not_found("domain", row["domain_id"])
    scope = Scope(project, domain, row["system"])
    _check_project(tx, project)
    ident = row["application_credential_id"]
    credential = ident and models.find(tx, tables.application_credentials, ident)
    if ident and credential is None:
        raise errors.not_found("Application Credential", ident)
    trust = row["trust_id"] and trusts.find(tx, now, row["trust_id"])
    holder = _holder(tx, user, trust)
    granted = _granted(tx, now, user["id"], scope, credential, trust)
    if row["revoked"]:
        raise errors.TokenNotFound(_FAILED)
    if not user["enabled"] or (scope.is_some and not granted):
        raise errors.TokenNotFound(f"Could not find token: {secret}.")
    return Token(row, holder, scope, credential, trust, granted)


def _check_project(tx: Transaction, project: Record | None) -> None:
    """Raise NotFound if the project of a token is disabled, or its domain is."""
    if project is not None:
        if not project["enabled"]:
            raise NotFound(f"Unable to validate token because project {project['id']} is disabled")
        _check_domain(tx, project["domain_id"])


def _check_domain(tx: Transaction, ident: str) -> None:
    if not place(tx, "domain", ident)["enabled"]:
        raise NotFound(f"Unable to validate token because domain {ident} is disabled")


def place(tx: Transaction, kind: str, ident: str) -> Record:
    """Return a project or a domain that a token depends on; raise NotFound if it is missing."""
    found = models.find(tx, tables.projects, ident)
    if found is None:
        raise errors.not_found(kind, ident)
    return found


def default_project(tx: Transaction, user: Record) -> Record | None:
    """Return the project of a user's tokens that are asked for without a scope, if it is good."""
    ident = user["default_project_id"]
    project = ident and models.find(tx, tables.projects, ident)
    if not project or project["is_domain"] or not models.roles_of(tx, user["id"], ident):
        return None
    try:
        _check_project(tx, project)
        _check_domain(tx, user["domain_id"])
    except NotFound:
        return None
    return project


def revoke(tx: Transaction, token: Token, *, cascade: bool) -> None:
    """Revoke a token.

    :param cascade: whether those that were issued for it are revoked as well.
    """
    column, audit = tables.tokens.c, token.row["audit_id"]
    where = column.digest == token.row["digest"]
    tx.delete(tables.tokens, where | (column.parent_audit_id == audit) if cascade else where)


def drop_expired(tx: Transaction, now: float) -> None:
    """Remove the tokens that have expired, even for services."""
    tx.delete(tables.tokens, tables.tokens.c.expires_at <= now - LATE)


def _holder(tx: Transaction, user: Record, trust: Record | None) -> Record:
    """Return the user that a token of another one stands for: a trust may let it pass as its giver.

    :raises TokenNotFound: if the domain of one of the two whom a trust is between is disabled.
    :raises NotFound: if that of the user is.
    :raises Forbidden: if the trust isn't for the user, or the one who gave it is disabled.
    """
    if trust is None:
        _check_domain(tx, user["domain_id"])
        return user
    trustor = models.find(tx, tables.users, trust["trustor_user_id"])
    if trustor is None or trust["trustee_user_id"] != user["id"]:
        raise trusts.hidden()
    for name, agent in (("Trustor", trustor), ("Trustee", user)):
        if not place(tx, "domain", agent["domain_id"])["enabled"]:
            raise errors.TokenNotFound(f"{name} domain is disabled.")
    if not trustor["enabled"]:
        raise trusts.hidden()
    return trustor if trust["impersonation"] else user


def _granted(
    tx: Transaction,
    now: float,
    user_id: str,
    scope: Scope,
    credential: Record | None,
    trust: Record | None,
) -> dict[str, str]:
    if trust is not None:
        return trusts.roles(tx, now, trust)
    if not scope.is_some:
        return {}
    allowed = None if credential is None else credential["roles"]
    return models.roles_of(tx, user_id, scope.target_id, allowed=allowed)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
