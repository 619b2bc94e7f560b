"""Access to the controls: not for pages of other sites, and only with the token if there is one."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request

TOKEN_HEADER = "X-Fake-Token"  # noqa: S105 - a header's name
_LOCAL = ("localhost", "127.0.0.1", "[::1]")
_READING = ("GET", "HEAD")
#: What load balancers ask by any name, and what shows nothing but whether all is well.
HEALTH = "/_fake/health"
#: The page itself, which shows nothing but what it asks for: a browser can't send a token for it.
_PAGE = ("/_fake", "/_fake/")
PAGE_FILES = "/_fake/page/"


def refusal(request: Request, token: str | None) -> tuple[int, str] | None:
    """Return status and text of what a request is refused with, or ``None``.

    A page of another site can have a browser send requests to a server on this machine. It can't
    name a media type for them, nor pretend to come from elsewhere; and a host that it makes lead
    here shows in the request.

    :param token: what the controls ask for; without one they are for this machine.
    """
    if request.path == HEALTH and request.method in _READING:
        return None
    host = request.header("HTTP_HOST") or "localhost"
    if token is not None:
        if request.path in _PAGE or request.path.startswith(PAGE_FILES):
            return None
        given = request.header("HTTP_X_FAKE_TOKEN") or ""
        if not hmac.compare_digest(given.encode(), token.encode()):
            return 403, f"The controls need the server's token in {TOKEN_HEADER}."
    else:
        name = host if host.endswith("]") else host.rpartition(":")[0] or host
        if name not in _LOCAL:
            return 403, f"The controls are at {' or '.join(_LOCAL)}, not at {name}."
    origin = request.header("HTTP_ORIGIN")
    if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
        return 403, f"The controls are not for pages of {origin}."
    if request.method not in _READING and request.content_type != "application/json":
        return 415, "Changes are sent with Content-Type: application/json, even without a body."
    return None
