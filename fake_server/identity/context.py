"""One request to the Identity API."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fake_server.common import context
from fake_server.common.dialects.keystone import KEYSTONE
from fake_server.common.errors import ServiceError, Unauthorized
from fake_server.common.rest import encode
from fake_server.common.wsgi import Request, Response
from fake_server.identity import errors, tokens
from fake_server.identity.policies import POLICIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fake_server.clock import Clock
    from fake_server.common.caller import Caller
    from fake_server.db.store import Transaction
    from fake_server.identity.token_cache import TokenCache


class Context(context.ResourceContext):
    """The context of a request, which handlers get."""

    policies = POLICIES
    dialect = KEYSTONE

    def __init__(self, request: Request, tx: Transaction, clock: Clock, known: TokenCache) -> None:
        super().__init__(request, 0, tx, clock)
        self._known = known

    @property
    def base(self) -> str:
        """The address of the service, without ``/v3``."""
        return self.request.base_url

    @cached_property
    def token(self) -> tokens.Token:
        """The token of the request.

        :raises Unauthorized: if there is no good one.
        :raises NotFound: if what it depends on is missing or disabled.
        """
        secret, now = self.request.header("HTTP_X_AUTH_TOKEN") or "", self.clock.seconds()
        token = self._known.find(secret, now)
        if token is None:
            try:
                token = tokens.validate(self.tx, now, secret)
            except errors.TokenNotFound:
                raise Unauthorized from None
            self._known.keep(secret, token)
        return token

    def authenticate(self) -> None:
        """Raise Unauthorized if the request has no valid token."""
        _ = self.token

    @cached_property
    def caller(self) -> Caller:
        """Who sends the request; raises Unauthorized if that is unknown."""
        return self.token.caller()

    @cached_property
    def credentials(self) -> Mapping[str, Any]:
        """What policies know of the client: Keystone's also know the token itself."""
        project, domain = self.token.project, self.caller.domain_id
        token: dict[str, Any] = {"domain": {"id": domain}} if domain else {}
        if project is not None:
            token["project"] = {"domain": {"id": project["domain_id"]}}
        return {**self.caller.credentials(), "token": token}

    def refusal(self, policy: str) -> ServiceError:
        """Return the error for what a policy forbids."""
        return errors.forbidden(policy)

    def link(self, path: str) -> dict[str, str]:
        """Return the ``links`` of something."""
        return {"self": f"{self.base}/v3/{path}"}

    def listed(self, kind: str, items: Iterable[dict[str, Any]]) -> Response:
        """Answer a list.

        :param kind: what is listed, in the plural.
        """
        query = self.request.environ.get("QUERY_STRING", "")
        path = self.request.path.removeprefix("/v3/").rstrip("/") + (query and f"?{query}")
        links = {**self.link(path), "previous": None, "next": None}
        return encode(200, {kind: list(items), "links": links})


Handler = Callable[..., Response]
