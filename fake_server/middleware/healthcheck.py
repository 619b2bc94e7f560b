"""``/healthcheck``, which load balancers ask without authentication."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.baremetal.api import rendering
from fake_server.baremetal.api.negotiation import best
from fake_server.common.wsgi import Response

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request
    from fake_server.middleware.chain import Endpoint

_PATH = "/healthcheck"
_HTML = """<HTML>
<HEAD><TITLE>Healthcheck Status</TITLE></HEAD>
<BODY>

<H2>Result of 0 checks:</H2>
<TABLE bgcolor="#ffffff" border="1">
<TBODY>
<TR>

<TH>
Reason
</TH>
</TR>

</TBODY>
</TABLE>
<HR></HR>

</BODY>
</HTML>"""
#: Content types and bodies by media type, the one that is preferred first.
_ANSWERS = {
    "text/plain": ("text/plain; charset=UTF-8", ""),
    "text/html": ("text/html; charset=UTF-8", _HTML),
    "application/json": ("application/json", '{\n    "detailed": false,\n    "reasons": []\n}'),
}


def healthcheck(proceed: Endpoint, request: Request) -> Response:
    """Answer as a service of OpenStack that has no checks of its own configured."""
    if request.path != _PATH and not request.path.startswith(f"{_PATH}/"):
        return proceed(request)
    if request.method == "HEAD":
        return rendering.identified(Response(204))
    accept = request.header("HTTP_ACCEPT")
    media_type = "text/plain"
    if accept not in (None, "*/*"):  # which mean JSON elsewhere
        media_type = best(accept, *_ANSWERS) or media_type
    content_type, text = _ANSWERS[media_type]
    return rendering.identified(Response(200, text.encode(), [("Content-Type", content_type)]))
