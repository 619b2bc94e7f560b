"""``token-expired``: Keystone's middleware refuses the token of one request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.control import error_bodies

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.common.wsgi import Request, Response
    from fake_server.settings import Settings
    from fake_server.sweep.calls import Asked
    from fake_server.sweep.kinds.kind import Situation


class TokenExpired:
    """A token is refused although it was good a moment ago."""

    name = "token-expired"
    text = "one answer has status 401, as the token has expired (with Keystone)"

    def applies(self, asked: Asked, settings: Settings) -> bool:
        """Return whether the request has a token."""
        return settings.auth == "keystone" and asked.has_token

    def act(self, situation: Situation, proceed: Callable[[Request], Response]) -> Response:
        """Refuse the token."""
        request = situation.request
        response = error_bodies.fault(
            request.path, 401, "The request you have made requires authentication."
        )
        identity = f"{request.host_url}/identity"
        response.headers.append(("WWW-Authenticate", f'Keystone uri="{identity}"'))
        return response
