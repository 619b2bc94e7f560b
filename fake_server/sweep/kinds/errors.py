"""``unavailable``, ``too-many`` and ``error``: the service answers with an error once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.control import error_bodies

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fake_server.common.wsgi import Request, Response
    from fake_server.settings import Settings
    from fake_server.sweep.calls import Asked
    from fake_server.sweep.kinds.kind import Situation


class _Refusal:
    """An error in the format of the service, before anything was done."""

    status: int
    message: str
    headers: Sequence[tuple[str, str]] = ()

    def applies(self, asked: Asked, settings: Settings) -> bool:
        """Return True: every request can meet it."""
        return True

    def act(self, situation: Situation, proceed: Callable[[Request], Response]) -> Response:
        """Return the error."""
        response = error_bodies.fault(situation.request.path, self.status, self.message)
        response.headers += self.headers
        return response


class Unavailable(_Refusal):
    """What a load balancer answers while no server is there."""

    name = "unavailable"
    text = "one answer has status 503"
    status = 503
    message = "The service is unavailable."


class TooMany(_Refusal):
    """What a rate limit answers."""

    name = "too-many"
    text = "one answer has status 429 and says when to try again"
    status = 429
    message = "Too many requests: try again in a second."
    headers = (("Retry-After", "1"),)


class Error(_Refusal):
    """What a service answers that failed."""

    name = "error"
    text = "one answer has status 500"
    status = 500
    message = "The server has either erred or is incapable of performing the requested operation."
