"""The handlers of the page and its data, of the health, and of the description of the controls."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from fake_server.common import logs
from fake_server.common.rest import encode
from fake_server.common.wsgi import Response
from fake_server.control import openapi, overview, wall
from fake_server.control.guard import HEALTH
from fake_server.control.operations import Operations, error, query

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request
    from fake_server.control.service import Control

LOG = logs.logger(__name__)
OPERATIONS = Operations()
#: How many requests the page shows.
_MOST_REQUESTS = 100
_FILES = (
    *("pico.classless.min.css", "page.css", "timeline.css"),
    *("page.js", "dom.js", "lists.js", "details.js", "timeline.js", "views.js", "wall.js"),
)
_FILTERS = {"text": "only nodes with this text", "state": "only nodes in this provision state"}
_GROUPING = {"by": "a field of nodes, or a key in one, such as properties.rack"}
#: The page may load only the files of this server, and can't be shown in a frame.
_HEADERS = (
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cache-Control", "no-store"),
)


@OPERATIONS.add("GET", "/_fake", answers="text/html")
def show_page(_control: Control, _request: Request) -> Response:
    """Show the page."""
    return _file("index.html", "text/html; charset=utf-8")


@OPERATIONS.add("GET", "/_fake/page/{name}", answers="text/*")
def show_file(_control: Control, _request: Request, name: str) -> Response:
    """Return a script or a style sheet of the page."""
    if name not in _FILES:
        return error(404, f"The page has no file {name!r}.")
    kind = "text/css" if name.endswith(".css") else "text/javascript"
    return _file(name, f"{kind}; charset=utf-8")


@OPERATIONS.add("GET", "/_fake/overview", query=_FILTERS, answers="Overview")
def show_overview(control: Control, request: Request) -> Response:
    """Return the data of the page."""
    filters = query(request, _FILTERS)
    now = control.clock.seconds()
    found = control.inspect(lambda tx: overview.of_nodes(tx, now, **filters))
    clock, redactor = control.clock, control.requests.log().redactor
    return encode(
        200,
        {
            **found,
            "clock": {"mode": clock.mode, "factor": clock.factor, "now": now},
            "faults": [fault.as_json() for fault in control.faults.rules()],
            "requests": [
                recorded.as_json(redactor)
                for recorded in control.requests.find(limit=_MOST_REQUESTS)
            ],
            "snapshots": control.snapshots.idents(),
            "conductors": control.conductors.all(),
        },
    )


@OPERATIONS.add("GET", "/_fake/wall", query=_GROUPING, answers="Wall")
def show_wall(control: Control, request: Request) -> Response:
    """Return all nodes, in racks of those that have the same value of a field."""
    by = query(request, _GROUPING).get("by", wall.DEFAULT)
    return encode(200, control.inspect(lambda tx: wall.of_nodes(tx, by)))


@OPERATIONS.add("GET", "/_fake/timeline", answers="Timeline")
def show_timeline(control: Control, _request: Request) -> Response:
    """Return the states of the nodes since the start, and the recorded requests."""
    return encode(200, control.timeline())


@OPERATIONS.add("GET", "/_fake/report", answers="text/html")
def show_report(control: Control, _request: Request) -> Response:
    """Return the timeline in an HTML file that needs nothing else."""
    headers = [("Content-Type", "text/html; charset=utf-8"), *_HEADERS[1:]]
    return Response(200, control.report().encode(), headers)


@OPERATIONS.add("GET", HEALTH, answers="Health", otherwise={503: "Health"})
def show_health(control: Control, _request: Request) -> Response:
    """Return whether the server can work."""
    try:
        control.state.check()
    except SQLAlchemyError as exc:
        LOG.error("The database can't be reached: %s", exc)
        text = "The database can't be reached."
        return encode(503, {"ready": False, "database": "unreachable", "error": text})
    return encode(200, {"ready": True, "database": "reachable"})


@OPERATIONS.add("HEAD", HEALTH, answers="Health", otherwise={503: "Health"})
def check_health(control: Control, request: Request) -> Response:
    """Return the headers of the health."""
    return show_health(control, request)


@OPERATIONS.add("GET", "/_fake/openapi.json", answers="Description")
def describe(control: Control, _request: Request) -> Response:
    """Return the OpenAPI description of the controls."""
    return encode(200, openapi.document(control.operations))


def _file(name: str, kind: str) -> Response:
    return Response(200, _content(name), [("Content-Type", kind), *_HEADERS])


@cache
def _content(name: str) -> bytes:
    return files("fake_server.control").joinpath("page", name).read_bytes()
