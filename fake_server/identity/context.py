"""One request to the Identity API."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fake_server.common import context
from fake_server.common.errors import Unauthorized
from fake_server.common.rest import encode
from fake_server.common.wsgi import Request, Response
from fake_server.identity import errors, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fake_server.clock import Clock
    from fake_server.db.store import Transaction


class Context(context.Context):
    """The context of a request, which handlers get.

    :param mounted: the segments that services answer at.
    """

    def __init__(
        self, request: Request, tx: Transaction, clock: Clock, mounted: Sequence[str]
    ) -> None:
        super().__init__(request)
        self.tx = tx
        self.clock = clock
        self.mounted = mounted

    @property
    def base(self) -> str:
        """The address of the service, without ``/v3``."""
        return self.request.base_url

    @cached_property
    def token(self) -> tokens.Token:
        """The token of the request; raises Unauthorized if there is no valid one."""
        secret = self.request.header("HTTP_X_AUTH_TOKEN")
        token = secret and tokens.find(self.tx, self.clock.seconds(), secret)
        if not token:
            raise Unauthorized
        return token

    @property
    def oversees(self) -> bool:
        """Whether the client may look at what isn't its own."""
        reads_system = self.token.row["system"] and "reader" in self.token.roles
        return reads_system or "admin" in self.token.roles

    def oversee(self, action: str) -> None:
        """Raise Forbidden, naming the action, for clients that see only what is their own."""
        if not self.oversees:
            raise errors.forbidden(action)

    def link(self, path: str) -> dict[str, str]:
        """Return the ``links`` of something."""
        return {"self": f"{self.base}/v3/{path}"}

    def listed(self, kind: str, items: Iterable[dict[str, Any]]) -> Response:
        """Answer a list, each item of which has its own links."""
        shown = [{**item, "links": self.link(f"{kind}/{item['id']}")} for item in items]
        names = ("name", "type", "interface", "service_id", "region_id", "domain_id")
        for name in names:
            wanted = self.request.query.get(name)
            if wanted is not None:
                shown = [item for item in shown if name not in item or item[name] == wanted]
        links = {**self.link(kind), "previous": None, "next": None}
        return encode(200, {kind: shown, "links": links})


Handler = Callable[..., Response]
