"""``/_fake/``: a page that shows the state of the server."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.control import overview
from fake_server.control.routing import ROUTES, known

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request
    from fake_server.control.service import Control

_REQUESTS = 50
_HEADERS = (
    # Nothing but the files of this server, and no one's frame: a page that can't be misused.
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "img-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cache-Control", "no-store"),
)


@ROUTES.add("GET", "/_fake")
def show_page(_control: Control, _request: Request) -> Response:
    """Show the page."""
    return _file("index.html", "text/html; charset=utf-8")


@ROUTES.add("GET", "/_fake/page.js")
def show_script(_control: Control, _request: Request) -> Response:
    """Return the script of the page."""
    return _file("page.js", "text/javascript; charset=utf-8")


@ROUTES.add("GET", "/_fake/page.css")
def show_style(_control: Control, _request: Request) -> Response:
    """Return the style sheet of the page."""
    return _file("page.css", "text/css; charset=utf-8")


@ROUTES.add("GET", "/_fake/overview")
def show_overview(control: Control, request: Request) -> Response:
    """Return the data of the page."""
    text = known(request.query, ("text",)).get("text", "")
    if not isinstance(text, str):
        raise ValueError("text is there more than once.")
    now = control.clock.seconds()
    found = control.inspect(lambda tx: overview.of_nodes(tx, now, text))
    clock = control.clock
    return encode(
        200,
        {
            **found,
            "clock": {"mode": clock.mode, "factor": clock.factor, "now": now},
            "faults": [fault.as_json() for fault in control.faults.rules()],
            "requests": [recorded.as_json() for recorded in control.requests.find(limit=_REQUESTS)],
            "snapshots": control.snapshots.idents(),
        },
    )


def _file(name: str, kind: str) -> Response:
    return Response(200, _content(name), [("Content-Type", kind), *_HEADERS])


@cache
def _content(name: str) -> bytes:
    return files("fake_server.control").joinpath("page", name).read_bytes()
