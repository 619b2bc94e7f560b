"""``/identity``: answer requests to the Identity API."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fake_server.common.dialects.keystone import KEYSTONE
from fake_server.common.errors import Unauthorized
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.common.rest import encode
from fake_server.common.service import TransactionalService
from fake_server.identity import access_rules, tokens
from fake_server.identity.context import Context
from fake_server.identity.handlers import (
    application_credentials,
    assignments,
    grants,
    implied_roles,
    users,
)
from fake_server.identity.handlers import tokens as token_handlers
from fake_server.identity.resources.catalog import ENDPOINT, REGION, SERVICE
from fake_server.identity.resources.credentials import CREDENTIAL
from fake_server.identity.resources.limits import LIMIT, REGISTERED_LIMIT
from fake_server.identity.resources.projects import DOMAIN, PROJECT
from fake_server.identity.resources.roles import ROLE
from fake_server.identity.resources.trusts import TRUST
from fake_server.identity.resources.users import GROUP, USER
from fake_server.identity.token_cache import TokenCache

if TYPE_CHECKING:
    from fake_server.common.caller import Caller
    from fake_server.common.lab import Lab
    from fake_server.common.wsgi import Request, Response
    from fake_server.db.store import Transaction
    from fake_server.identity.context import Handler
    from fake_server.identity.tokens import Token


#: The kinds of resources.
KINDS = (
    *(PROJECT, DOMAIN, USER, GROUP, ROLE, SERVICE, REGION, ENDPOINT, CREDENTIAL),
    *(REGISTERED_LIMIT, LIMIT, TRUST),
)
_ROUTES: GuardedRoutes[Handler] = GuardedRoutes.joined(
    token_handlers.ROUTES,
    *(kind.routes() for kind in KINDS),
    users.ROUTES,
    assignments.ROUTES,
    grants.ROUTES,
    implied_roles.ROUTES,
    application_credentials.ROUTES,
)


class IdentityService(TransactionalService):
    """Answers requests to the Identity API, and validates tokens."""

    dialect = KEYSTONE
    routes = _ROUTES

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab)
        self._tokens = TokenCache(lab.store)

    def caller(self, request: Request) -> Caller | None:
        """Return who holds the token of a request, or ``None`` if it isn't good for the request."""
        secret = (request.header("HTTP_X_AUTH_TOKEN") or "").strip()
        of_service = (request.header("HTTP_X_SERVICE_TOKEN") or "").strip()
        now = self.lab.clock.seconds()
        token = None if of_service else self._known(secret, now)
        if token is not None:
            return token.caller()
        with self.lab.store.transaction(write=False) as tx:
            service = tokens.find(tx, now, of_service) if of_service else None
            if of_service and service is None:
                return None
            # What a service does for a user may take longer than the user's token lasts.
            is_late = service is not None and "service" in service.roles
            token = tokens.find(tx, now - (tokens.LATE if is_late else 0), secret)
            if token is None or not access_rules.allow(tx, token, request):
                return None
            self._tokens.keep(secret, token)
        caller = token.caller()
        return replace(caller, service_roles=frozenset(service.roles)) if service else caller

    def serve(self, request: Request, minor: int) -> Response:
        """Have a handler answer a request, or tell the versions of the service."""
        base = request.base_url
        if request.path in ("", "/"):
            return encode(300, {"versions": {"values": [_version(base)]}})
        if request.path.rstrip("/") == "/v3":
            return encode(200, {"version": _version(base)})
        self._check_access_rules(request)
        return super().serve(request, minor)

    def _check_access_rules(self, request: Request) -> None:
        """Raise Unauthorized if the token isn't good for the request, even if that is a bad one."""
        secret = request.header("HTTP_X_AUTH_TOKEN")
        if not secret:
            return
        now = self.lab.clock.seconds()
        if self._known(secret, now) is not None:
            return
        with self.lab.store.transaction(write=False) as tx:
            token = tokens.find(tx, now, secret)
            if token is None:
                return
            self._tokens.keep(secret, token)
            if not access_rules.allow(tx, token, request):
                raise Unauthorized

    def _known(self, secret: str, now: float) -> Token | None:
        """Return a token that is good for all requests, or ``None`` if that is not known."""
        token = self._tokens.find(secret, now)
        return None if token is None or access_rules.bind(token) else token

    def context(self, request: Request, minor: int, tx: Transaction) -> Context:
        """Return what the handler of a request gets."""
        return Context(request, tx, self.lab.clock, self._tokens)


def _version(base: str) -> dict[str, Any]:
    return {
        "id": "v3.14",
        "status": "stable",
        "updated": "2020-04-07T00:00:00Z",
        "links": [{"rel": "self", "href": f"{base}/v3/"}],
        "media-types": [
            {"base": "application/json", "type": "application/vnd.openstack.identity-v3+json"}
        ],
    }
