"""``/identity``: answer requests to the Identity API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common import randomness
from fake_server.common.errors import ServiceError, Unauthorized
from fake_server.common.rest import Routes, encode
from fake_server.identity import errors, models, tokens
from fake_server.identity.context import Context
from fake_server.identity.handlers import credentials, directory
from fake_server.identity.handlers import tokens as token_handlers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from fake_server.clock import Clock
    from fake_server.common.caller import Caller
    from fake_server.common.wsgi import Request, Response
    from fake_server.db.store import Store
    from fake_server.identity.accounts import Account
    from fake_server.identity.context import Handler


_ROUTES: Routes[Handler] = Routes.joined(
    token_handlers.ROUTES, directory.ROUTES, credentials.ROUTES
)


class IdentityService:
    """Answers requests to the Identity API, and validates tokens.

    :param store: database with the schema of :mod:`.tables`.
    :param accounts: the accounts that there are from the start.
    :param mounted: tells the segments that services answer at.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        accounts: Iterable[Account],
        mounted: Callable[[], Iterable[str]],
    ) -> None:
        self.store = store
        self.clock = clock
        self._mounted = mounted
        models.install(store, accounts)

    def caller(self, secret: str | None) -> Caller | None:
        """Return who holds a token, or ``None`` if it is none that is good."""
        if not secret:
            return None
        with self.store.transaction(write=False) as tx:
            token = tokens.find(tx, self.clock.seconds(), secret)
            return token.caller() if token else None

    def answer(self, request: Request) -> Response:
        """Answer a request."""
        response = self._answer(request)
        response.headers += [
            ("Vary", "X-Auth-Token"),
            ("x-openstack-request-id", f"req-{randomness.uuid()}"),
        ]
        if request.method == "HEAD":
            response.body = b""
        return response

    def _answer(self, request: Request) -> Response:
        base = request.base_url
        if request.path in ("", "/"):
            return encode(300, {"versions": {"values": [_version(base)]}})
        if request.path.rstrip("/") == "/v3":
            return encode(200, {"version": _version(base)})
        try:
            return self._dispatch(request)
        except ServiceError as exc:
            response = errors.render(exc)
            if isinstance(exc, Unauthorized):
                response.headers.append(("WWW-Authenticate", f'Keystone uri="{base}"'))
            return response

    def _dispatch(self, request: Request) -> Response:
        handler, arguments = _ROUTES.resolve(request.method, request.path)
        with self.store.transaction(write=request.writes) as tx:
            ctx = Context(request, tx, self.clock, list(self._mounted()))
            return handler(ctx, **arguments)


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
