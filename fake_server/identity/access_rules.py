"""What the access rules of an application credential let its tokens be used for.

The rules are those of keystonemiddleware: ``*`` and ``{name}`` stand for a segment of a path, and
``**`` for any number of them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fake_server.identity import models, tables
from fake_server.identity.catalog import SERVICES

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request
    from fake_server.db.store import Record, Transaction
    from fake_server.identity.tokens import Token

#: What every token may be used for: to be validated.
_OWN_TOKEN = ("identity", "GET", "/v3/auth/tokens")
_PARTS = re.compile(r"\*\*|\*|\{[^}]*\}")


def allow(tx: Transaction, token: Token, request: Request) -> bool:
    """Return whether the holder of a token may send a request to a service."""
    rules = None if token.credential is None else of(tx, token.credential)
    if rules is None:
        return True
    mount = request.mount or "baremetal"
    if (mount, request.method, request.path) == _OWN_TOKEN:
        return True
    paths = (request.path, f"/{mount}{request.path}")
    types = {kind for kind, _, path in SERVICES if path.split("/")[1] == mount}
    return any(
        rule["service"] in types
        and rule["method"] == request.method
        and any(map(_pattern(rule["path"]).fullmatch, paths))
        for rule in rules
    )


def bind(token: Token) -> bool:
    """Return whether rules restrict what a token may be used for."""
    return token.credential is not None and token.credential["access_rules"] is not None


def of(tx: Transaction, credential: Record) -> list[dict[str, Any]] | None:
    """Return the rules of an application credential as clients see them; ``None`` if none bind."""
    if credential["access_rules"] is None:
        return None
    rows = (models.find(tx, tables.access_rules, ident) for ident in credential["access_rules"])
    return [shown(row) for row in rows if row]


def shown(row: Record) -> dict[str, Any]:
    """Return a rule as clients see it."""
    return {name: row[name] for name in ("id", "path", "method", "service")}


def _pattern(path: str) -> re.Pattern[str]:
    found, position = "", 0
    for part in _PARTS.finditer(path):
        found += re.escape(path[position : part.start()])
        found += ".*" if part[0] == "**" else "[^/]+"
        position = part.end()
    return re.compile(found + re.escape(path[position:]))
