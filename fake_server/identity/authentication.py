"""``POST /v3/auth/tokens``: authentication, and the scope of tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, NotFound, Unauthorized
from fake_server.common.schemas import Checker
from fake_server.identity import errors, models, tables, tokens, trusts

if TYPE_CHECKING:
    from fake_server.db.store import Record, Transaction

#: What Keystone says that it supports.
_METHODS = (
    *("external", "password", "token", "oauth1", "mapped", "application_credential"),
    "ec2credential",
)
_TEXT = {"type": "string"}
_OBJECT = {"type": "object"}
_NAMED = {"type": "object", "properties": {"id": _TEXT, "name": _TEXT}}
_OWNED = {
    "type": "object",
    "properties": {"id": _TEXT, "name": _TEXT, "domain": _NAMED, "password": _TEXT},
}
_CHECKER = Checker(
    {
        "type": "object",
        "properties": {
            "identity": {
                "type": "object",
                "properties": {
                    "methods": {"type": "array", "items": _TEXT},
                    "password": {"type": "object", "properties": {"user": _OWNED}},
                    "token": {
                        "type": "object",
                        "properties": {"id": _TEXT},
                        "required": ["id"],
                    },
                    "application_credential": {
                        "type": "object",
                        "properties": {
                            "id": _TEXT,
                            "name": _TEXT,
                            "secret": _TEXT,
                            "user": _OWNED,
                        },
                        "required": ["secret"],
                    },
                },
                "required": ["methods"],
            },
            "scope": {
                "type": ["object", "string"],
                "properties": {
                    "project": _OWNED,
                    "domain": _NAMED,
                    "OS-TRUST:trust": {"type": "object", "properties": {"id": _TEXT}},
                    "system": {"type": "object", "properties": {"all": {"type": "boolean"}}},
                },
            },
        },
        "required": ["identity"],
    }
)
#: What a scope may be for.
_SCOPES = ("system", "project", "domain", "OS-TRUST:trust", "unscoped")


def authenticate(tx: Transaction, now: float, body: dict[str, Any]) -> tuple[str, tokens.Token]:
    """Return a token for a request; raise BadRequest if it is invalid, else Unauthorized."""
    if "auth" not in body:
        raise errors.malformed("Expecting to find auth in request body.")
    auth = body["auth"]
    if problem := _CHECKER.best(auth):
        where = "/".join(map(str, problem.path))
        field = f"Invalid input for field '{where}': " if where else ""
        raise BadRequest(field + problem.message)
    identity = auth["identity"]
    methods = list(dict.fromkeys(identity["methods"]))
    if not methods:
        raise Unauthorized
    for method in methods:
        if method not in ("password", "token", "application_credential"):
            text = "Attempted to authenticate with an unsupported method."
            raise Unauthorized(text, identity={"methods": list(_METHODS)})
        if method not in identity:
            raise errors.malformed(f"Expecting to find {method} in identity.")
    scope = _scope(tx, auth.get("scope"))
    trust = _trust(tx, now, auth.get("scope"))
    if trust is not None and trust["project_id"] is not None:
        scope = _project_scope(tx, {"id": trust["project_id"]})
    user: Record | None = None
    found: Record | None
    credential: Record | None = None
    earlier: tokens.Token | None = None
    for method in methods:
        details = identity[method]
        if method == "password":
            found = _by_password(tx, details)
        elif method == "token":
            earlier = _by_token(tx, now, details["id"], auth.get("scope") or {})
            found = earlier.user
        else:
            credential = _by_credential(tx, now, details)
            found = models.find(tx, tables.users, credential["user_id"])
        if found is None or (user is not None and found["id"] != user["id"]):
            raise Unauthorized
        if not found["enabled"] or not _is_open(tx, found["domain_id"]):
            raise Unauthorized
        user = found
    assert user is not None  # noqa: S101 - there is a method
    if credential is not None:
        scope = _own_scope(tx, credential, scope)
    elif scope is None:
        scope = tokens.Scope(tokens.default_project(tx, user))
    ends = earlier.row["expires_at"] if earlier else None
    if credential is not None and credential["expires_at"] is not None:
        ends = credential["expires_at"]
    if trust is not None and trust["expires_at"] is not None:
        ends = min(ends or trust["expires_at"], trust["expires_at"])
    proofs = [*methods, *(earlier.row["methods"] if earlier else ())]
    tokens.drop_expired(tx, now)
    issued = tokens.issue(
        tx,
        now,
        user,
        scope,
        list(dict.fromkeys(proofs)),
        credential=credential,
        trust=trust,
        expires_at=ends,
        earlier=earlier,
    )
    if issued is None:
        raise Unauthorized
    if trust is not None:
        trusts.use(tx, trust)
    return issued


def _by_password(tx: Transaction, details: dict[str, Any]) -> Record:
    if "user" not in details:
        raise errors.malformed("Expecting to find user in password.")
    wanted = details["user"]
    user = _named(tx, tables.users, wanted, "user")
    if user is None or not models.proves(wanted.get("password", ""), user["password"]):
        raise Unauthorized
    return user


def _by_token(tx: Transaction, now: float, secret: str, wanted: Any) -> tokens.Token:
    token = tokens.validate(tx, now, secret)
    if token.trust is not None:
        raise errors.forbidden(
            "Using trust-scoped token to create another token. Create a new trust-scoped token "
            "instead"
        )
    if token.scope.system and ("project" in wanted or "domain" in wanted):
        raise errors.forbidden(
            "Using a system-scoped token to create a project-scoped or domain-scoped token is not "
            "allowed."
        )
    if token.is_delegated:
        raise errors.forbidden("Using a delegated token to create another token is not allowed.")
    return token


def _by_credential(tx: Transaction, now: float, details: dict[str, Any]) -> Record:
    table = tables.application_credentials
    if "id" in details:
        found = models.find(tx, table, details["id"])
        if found is None:
            raise errors.not_found("Application Credential", details["id"])
    elif "name" in details:
        if "user" not in details:
            raise errors.malformed("Expecting to find user in application_credential.")
        user = _named(tx, tables.users, details["user"], "user")
        found = user and tx.get(table, user_id=user["id"], name=details["name"])
    else:
        raise errors.malformed("Expecting to find id in application_credential.")
    if found is None or not models.proves(details["secret"], found["secret"]):
        raise Unauthorized
    if found["expires_at"] is not None and found["expires_at"] <= now:
        raise Unauthorized
    return found


def _own_scope(tx: Transaction, credential: Record, wanted: tokens.Scope | None) -> tokens.Scope:
    """Return the scope of an application credential; raise Unauthorized if another is wanted."""
    if wanted is not None:
        text = (
            "Error authenticating with application credential: Application credentials cannot "
            "request a scope."
        )
        raise Unauthorized(text, identity={})
    ident = credential["project_id"]
    return tokens.Scope(tokens.place(tx, "project", ident) if ident else None)


def _scope(tx: Transaction, wanted: Any) -> tokens.Scope | None:
    """Return the scope that a request names, or ``None`` if it names none."""
    if wanted is None:
        return None
    if wanted == "unscoped":
        return tokens.Scope()
    if not isinstance(wanted, dict) or sum(name in wanted for name in _SCOPES) != 1:
        names = ", ".join(_SCOPES[:-1])
        raise errors.malformed(f"Expecting to find {names} or {_SCOPES[-1]} in scope.")
    if "unscoped" in wanted or "OS-TRUST:trust" in wanted:
        return tokens.Scope()
    if "system" in wanted:
        if wanted["system"].get("all") is not True:
            raise errors.malformed("Expecting to find all in system.")
        return tokens.Scope(system=True)
    (kind,) = wanted
    if kind == "project":
        return _project_scope(tx, wanted["project"])
    place = _domain(tx, wanted["domain"])
    if place is None or not place["enabled"]:
        raise Unauthorized
    return tokens.Scope(domain=place)


def _project_scope(tx: Transaction, wanted: dict[str, Any]) -> tokens.Scope:
    place = _named(tx, tables.projects, wanted, "project")
    if place is None or not place["enabled"] or not _is_open(tx, place["domain_id"]):
        raise Unauthorized
    return tokens.Scope(place)


def _trust(tx: Transaction, now: float, wanted: Any) -> Record | None:
    """Return the trust that a request for a token names, or ``None`` if it names none."""
    if not isinstance(wanted, dict) or "OS-TRUST:trust" not in wanted:
        return None
    if not wanted["OS-TRUST:trust"].get("id"):
        raise errors.malformed("Expecting to find trust_id in trust.")
    try:
        return trusts.find(tx, now, wanted["OS-TRUST:trust"]["id"])
    except NotFound:
        raise Unauthorized from None


def _is_open(tx: Transaction, domain_id: str) -> bool:
    """Return whether there is such a domain, and it is enabled."""
    return tx.get(tables.projects, id=domain_id, is_domain=True, enabled=True) is not None


def _named(tx: Transaction, table: Any, wanted: dict[str, Any], where: str) -> Record | None:
    """Return a user or a project by its id, or by its name and domain."""
    if "id" in wanted:
        return models.find(tx, table, wanted["id"])
    for name, holder in (("name", where), ("domain", where)):
        if name not in wanted:
            raise errors.malformed(f"Expecting to find {name} in {holder}.")
    domain = _domain(tx, wanted["domain"])
    if domain is None or not domain["enabled"]:
        return None
    return tx.get(table, name=wanted["name"], domain_id=domain["id"])


def _domain(tx: Transaction, wanted: dict[str, Any]) -> Record | None:
    """Return a domain by its id or its name."""
    if not {"id", "name"} & set(wanted):
        raise errors.malformed("Expecting to find id or name in domain.")
    name = next(name for name in ("id", "name") if name in wanted)
    return tx.get(tables.projects, is_domain=True, **{name: wanted[name]})
