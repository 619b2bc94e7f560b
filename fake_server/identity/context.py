"""One request to the Identity API."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fake_server.common import context
from fake_server.common.errors import Unauthorized
from fake_server.common.rest import encode
from fake_server.common.wsgi import Request, Response
from fake_server.identity import access_rules, errors, policies, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fake_server.clock import Clock
    from fake_server.db.store import Transaction


class Context(context.Context):
    """The context of a request, which handlers get."""

    def __init__(self, request: Request, tx: Transaction, clock: Clock) -> None:
        super().__init__(request)
        self.tx = tx
        self.clock = clock

    @property
    def base(self) -> str:
        """The address of the service, without ``/v3``."""
        return self.request.base_url

    @cached_property
    def token(self) -> tokens.Token:
        """The token of the request; raises Unauthorized if there is no valid one."""
        secret = self.request.header("HTTP_X_AUTH_TOKEN")
        token = secret and tokens.find(self.tx, self.clock.seconds(), secret)
        if not token or not access_rules.allow(self.tx, token, self.request):
            raise Unauthorized
        return token

    def may(self, action: str, **target: Any) -> bool:  # type: ignore[override]
        """Return whether the client may do something; see :class:`.policies.Target`."""
        return policies.allows(self.token, action, policies.Target(**target))

    def enforce(self, action: str, **target: Any) -> None:
        """Raise Forbidden, naming the action, if the client may not do it."""
        if not self.may(action, **target):
            raise errors.forbidden(action)

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
