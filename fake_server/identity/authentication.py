"""``POST /v3/auth/tokens``: authentication, and the scope of tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, Forbidden, Unauthorized
from fake_server.identity import models, tables, tokens

if TYPE_CHECKING:
    from fake_server.db.store import Record, Transaction

_METHODS = ("password", "token", "application_credential")


def authenticate(tx: Transaction, now: float, body: dict[str, Any]) -> tuple[str, tokens.Token]:
    """Return a token for a request; raise BadRequest if it is invalid, else Unauthorized."""
    auth = _object(body, "auth", "")
    identity = _object(auth, "identity", "auth")
    methods = identity.get("methods")
    if not isinstance(methods, list) or not methods:
        raise BadRequest("auth.identity.methods has to be a list of authentication methods.")
    unknown = [method for method in methods if method not in _METHODS]
    if unknown:
        raise Unauthorized(f"Attempted to authenticate with an unsupported method: {unknown[0]}.")
    user: Record | None = None
    credential: Record | None = None
    earlier: tokens.Token | None = None
    for method in dict.fromkeys(methods):
        details = _object(identity, method, "auth.identity")
        if method == "password":
            found = _by_password(tx, details)
        elif method == "token":
            earlier = _by_token(tx, now, details)
            found = earlier.user
        else:
            credential = _by_credential(tx, now, details)
            found = models.find(tx, tables.users, credential["user_id"]) or {}
        if user is not None and found["id"] != user["id"]:
            raise Unauthorized
        user = found
    assert user is not None  # noqa: S101 - there is a method
    scope = _scope(tx, auth.get("scope"), user, credential, earlier)
    ends = earlier.row["expires_at"] if earlier else None
    if credential is not None and credential["expires_at"] is not None:
        ends = credential["expires_at"]
    proofs = [*methods, *(earlier.row["methods"] if earlier else ())]
    tokens.drop_expired(tx, now)
    issued = tokens.issue(
        tx, now, user, scope, list(dict.fromkeys(proofs)), credential=credential, expires_at=ends
    )
    if issued is None:
        raise Unauthorized
    return issued


def _by_password(tx: Transaction, details: dict[str, Any]) -> Record:
    wanted = _object(details, "user", "auth.identity.password")
    password = wanted.get("password")
    if not isinstance(password, str):
        raise BadRequest("auth.identity.password.user.password has to be text.")
    user = _named(tx, tables.users, wanted, "auth.identity.password.user")
    if user is None or not models.proves(password, user["password"]):
        raise Unauthorized
    return user


def _by_token(tx: Transaction, now: float, details: dict[str, Any]) -> tokens.Token:
    secret = details.get("id")
    if not isinstance(secret, str):
        raise BadRequest("auth.identity.token.id has to be text.")
    token = tokens.find(tx, now, secret)
    if token is None:
        raise Unauthorized
    if token.credential is not None:
        raise Forbidden("Application credential tokens can't be exchanged for other tokens.")
    return token


def _by_credential(tx: Transaction, now: float, details: dict[str, Any]) -> Record:
    where = "auth.identity.application_credential"
    secret = details.get("secret")
    if not isinstance(secret, str):
        raise BadRequest(f"{where}.secret has to be text.")
    table = tables.application_credentials
    if isinstance(details.get("id"), str):
        found = models.find(tx, table, details["id"])
    elif isinstance(details.get("name"), str):
        user = _named(tx, tables.users, _object(details, "user", where), f"{where}.user")
        owned = user and models.fetch(tx, table, user_id=user["id"], name=details["name"])
        found = owned[0] if owned else None
    else:
        raise BadRequest(f"{where} needs an id, or a name and a user.")
    if found is None or not models.proves(secret, found["secret"]):
        raise Unauthorized
    if found["expires_at"] is not None and found["expires_at"] <= now:
        raise Unauthorized
    return found


def _scope(
    tx: Transaction,
    wanted: Any,
    user: Record,
    credential: Record | None,
    earlier: tokens.Token | None,
) -> tokens.Scope:
    if credential is not None:
        if wanted is not None:
            raise Unauthorized("Application credentials cannot request a scope.")
        return tokens.Scope(models.find(tx, tables.projects, credential["project_id"]))
    if wanted == "unscoped":
        return tokens.Scope()
    if wanted is None:
        if earlier is not None:
            row = earlier.row
            return tokens.Scope(earlier.project, row["system"], row["domain"])
        ident = user["default_project_id"]
        return tokens.Scope(models.find(tx, tables.projects, ident) if ident else None)
    if not isinstance(wanted, dict):
        raise BadRequest("auth.scope has to be an object, or 'unscoped'.")
    if "project" in wanted:
        project = _named(tx, tables.projects, _object(wanted, "project", "auth.scope"), "project")
        if project is None:
            raise Unauthorized
        return tokens.Scope(project)
    if "system" in wanted:
        if _object(wanted, "system", "auth.scope").get("all") is not True:
            raise BadRequest("auth.scope.system.all has to be true.")
        return tokens.Scope(system=True)
    if "domain" in wanted:
        if not _is_domain(_object(wanted, "domain", "auth.scope")):
            raise Unauthorized
        return tokens.Scope(domain=True)
    raise BadRequest("auth.scope has to name a project, a domain or the system.")


def _named(tx: Transaction, table: Any, wanted: dict[str, Any], where: str) -> Record | None:
    """Return a user or a project by its id, or by its name and domain."""
    if isinstance(wanted.get("id"), str):
        return models.find(tx, table, wanted["id"])
    if not isinstance(wanted.get("name"), str):
        raise BadRequest(f"{where} needs an id, or a name and a domain.")
    if not _is_domain(_object(wanted, "domain", where)):
        return None
    return models.find_by_name(tx, table, wanted["name"])


def _is_domain(wanted: dict[str, Any]) -> bool:
    ident, name = wanted.get("id"), wanted.get("name")
    if isinstance(ident, str):
        return ident == models.DOMAIN["id"]
    return isinstance(name, str) and name.lower() == models.DOMAIN["name"].lower()


def _object(holder: dict[str, Any], key: str, where: str) -> dict[str, Any]:
    value = holder.get(key)
    if not isinstance(value, dict):
        path = f"{where}.{key}" if where else key
        raise BadRequest(f"{path} has to be an object.")
    return value
