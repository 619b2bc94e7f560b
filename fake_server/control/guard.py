"""Access to the controls: pages of other sites are refused, and requests without the token."""

from __future__ import annotations

import hmac
import secrets
from ipaddress import ip_address
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request

TOKEN_HEADER = "X-Fake-Token"  # noqa: S105 - a header's name
_LOCAL = ("localhost", "127.0.0.1", "[::1]")
_READING = ("GET", "HEAD")
#: Load balancers request this by any host name; it shows only whether the server works.
HEALTH = "/_fake/health"
#: The page itself, for which a browser can't send a token; it contains no data.
_PAGE = ("/_fake", "/_fake/")
PAGE_FILES = "/_fake/page/"


def token_for(host: str, token: str | None) -> str | None:
    """Return the token of a server: the one that was chosen, or a new one if others can reach it.

    :param host: the address that the server listens on.
    :param token: the token that was chosen, if any.
    """
    try:
        local = host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        local = False
    return token or (None if local else secrets.token_urlsafe(16))


def refusal(request: Request, token: str | None) -> tuple[int, str] | None:
    """Return the status and message with which a request is refused, or ``None``.

    A page of another site can make a browser send requests to a server on this machine. But it
    can neither set their media type nor forge their origin, and if it resolves its own host name
    to this machine, the request has that name.

    :param token: token that the controls require; without one, only this machine has access.
    """
    if request.path == HEALTH and request.method in _READING:
        return None
    host = request.header("HTTP_HOST") or "localhost"
    if token is not None:
        if request.path in _PAGE or request.path.startswith(PAGE_FILES):
            return None
        given = request.header("HTTP_X_FAKE_TOKEN") or ""
        if not hmac.compare_digest(given.encode(), token.encode()):
            return 403, f"The controls need the server's token in the header {TOKEN_HEADER}."
    else:
        name = host if host.endswith("]") else host.rpartition(":")[0] or host
        if name not in _LOCAL:
            return 403, f"The controls can only be used at {' or '.join(_LOCAL)}, not at {name}."
    if origin := foreign_origin(request):
        return 403, f"Pages of {origin} cannot use the controls."
    # Browsers ask before they send anything else to another site, and forms only send POST.
    if request.method == "POST" and request.content_type != "application/json":
        return 415, "Send Content-Type: application/json with each POST, even without a body."
    return None


def foreign_origin(request: Request) -> str | None:
    """Return the origin of the page that makes a browser send a request, if it isn't the server's.

    Browsers name it in each request that may change something; other programs don't.
    """
    origin = request.header("HTTP_ORIGIN")
    host = request.header("HTTP_HOST") or "localhost"
    return None if origin in (None, f"http://{host}", f"https://{host}") else origin
