"""The handlers of the controls, below ``/_fake``."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from sqlalchemy.exc import SQLAlchemyError

from fake_server.clock import MODES
from fake_server.common.parsing import parse_boolean, parse_integer
from fake_server.common.rest import Routes, decode, encode, known, number
from fake_server.common.wsgi import Response
from fake_server.control import expectations, har, overview
from fake_server.control.delays import NAMES
from fake_server.control.guard import HEALTH
from fake_server.control.resources import TakenError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_server.common.wsgi import Request
    from fake_server.control.recorded_request import RecordedRequest
    from fake_server.control.service import Control

LOG = logging.getLogger(__name__)
#: Takes the :class:`~.service.Control`, the request, and what the address names.
Handler = Callable[..., Response]
ROUTES: Routes[Handler] = Routes()
_CLOCK_FIELDS = ("mode", "factor", "now")
#: The greatest number of a fault, and the greatest limit.
_LARGEST = 10**9 - 1
_REQUEST_FILTERS = ("method", "path", "status", "node", "version", "id", "limit")
_REQUEST_FORMATS = ("json", "har")
#: What describes an expected request: the type of each value, and how errors call it.
_EXPECTATION: Mapping[str, tuple[type, str]] = {
    "method": (str, "text"),
    "path": (str, "text"),
    "times": (int, "a number"),
    "json": (object, "JSON"),
    "json_contains": (object, "JSON"),
    "headers": (dict, "an object"),
    "query": (dict, "an object"),
    "version": (str, "text"),
    "absent": (bool, "true or false"),
}
_STATUS = re.compile(r"[0-9]{1,3}|[1-5]xx")
#: How many requests the page shows.
_PAGE_REQUESTS = 100
_FILES = ("pico.classless.min.css", "page.css", "page.js", "dom.js", "lists.js", "details.js")
#: The page may load only the files of this server, and can't be shown in a frame.
_PAGE_HEADERS = (
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cache-Control", "no-store"),
)


@ROUTES.add("GET", "/_fake")
def show_page(_control: Control, _request: Request) -> Response:
    """Show the page."""
    return _file("index.html", "text/html; charset=utf-8")


@ROUTES.add("GET", "/_fake/page/{name}")
def show_file(_control: Control, _request: Request, name: str) -> Response:
    """Return a script or a style sheet of the page."""
    if name not in _FILES:
        return error(404, f"The page has no file {name!r}.")
    kind = "text/css" if name.endswith(".css") else "text/javascript"
    return _file(name, f"{kind}; charset=utf-8")


@ROUTES.add("GET", "/_fake/overview")
def show_overview(control: Control, request: Request) -> Response:
    """Return the data of the page."""
    filters = known(request.query, ("text", "state"))
    for name, value in filters.items():
        if not isinstance(value, str):
            raise ValueError(f"{name} is given more than once.")
    now = control.clock.seconds()
    found = control.inspect(lambda tx: overview.of_nodes(tx, now, **filters))
    clock = control.clock
    return encode(
        200,
        {
            **found,
            "clock": {"mode": clock.mode, "factor": clock.factor, "now": now},
            "faults": [fault.as_json() for fault in control.faults.rules()],
            "requests": [
                recorded.as_json() for recorded in control.requests.find(limit=_PAGE_REQUESTS)
            ],
            "snapshots": control.snapshots.idents(),
            "conductors": control.conductors.all(),
        },
    )


@ROUTES.add("GET", "/_fake/nodes/{ident}")
def show_node(control: Control, _request: Request, ident: str) -> Response:
    """Return all that the server holds about a node, its secrets masked."""
    found = control.inspect(lambda tx: overview.of_node(tx, ident))
    return error(404, f"Unknown node {ident!r}.") if found is None else encode(200, found)


@ROUTES.add("PATCH", "/_fake/nodes/{ident}")
def change_node(control: Control, request: Request, ident: str) -> Response:
    """Put a node into any state."""
    changes = decode(request)
    if ident in control.resources["nodes"]:
        try:
            control.resources["nodes"][ident].set(**changes)
        except TakenError as exc:
            return error(409, str(exc))
    return show_node(control, request, ident)


def _file(name: str, kind: str) -> Response:
    return Response(200, _content(name), [("Content-Type", kind), *_PAGE_HEADERS])


@cache
def _content(name: str) -> bytes:
    return files("fake_server.control").joinpath("page", name).read_bytes()


@ROUTES.add("GET HEAD", HEALTH)
def show_health(control: Control, _request: Request) -> Response:
    """Return whether the server can work."""
    try:
        control.state.check()
    except SQLAlchemyError as exc:
        LOG.error("The database can't be reached: %s", exc)
        text = "The database can't be reached."
        return encode(503, {"ready": False, "database": "unreachable", "error": text})
    return encode(200, {"ready": True, "database": "reachable"})


@ROUTES.add("GET", "/_fake/clock")
def show_clock(control: Control, _request: Request) -> Response:
    """Show the time and the mode of the clock."""
    clock = control.clock
    shown = {"mode": clock.mode, "factor": clock.factor, "now": clock.seconds()}
    return encode(200, {**shown, "modes": MODES})


@ROUTES.add("PUT", "/_fake/clock")
def set_clock(control: Control, request: Request) -> Response:
    """Change the mode, the factor or the time of the clock."""
    values = known(decode(request), _CLOCK_FIELDS)
    factor = number("factor", values.get("factor", 1.0))
    now = None if values.get("now") is None else number("now", values["now"])
    control.clock.switch(values.get("mode", control.clock.mode), factor=factor, start=now)
    return show_clock(control, request)


@ROUTES.add("POST", "/_fake/clock/advance")
def advance(control: Control, request: Request) -> Response:
    """Advance the clock."""
    seconds = number("seconds", known(decode(request), ("seconds",)).get("seconds"))
    control.clock.advance(seconds)
    return show_clock(control, request)


@ROUTES.add("GET", "/_fake/delays")
def show_delays(control: Control, _request: Request) -> Response:
    """Show how long transitions take."""
    return encode(200, {**control.delays.show(), "names": NAMES})


@ROUTES.add("PUT", "/_fake/delays")
def set_delays(control: Control, request: Request) -> Response:
    """Set how long transitions take."""
    values = decode(request)
    # So that what was shown can be sent back.
    values.pop("names", None)
    control.delays.replace(values)
    return show_delays(control, request)


@ROUTES.add("DELETE", "/_fake/delays")
def clear_delays(control: Control, _request: Request) -> Response:
    """Let transitions take as long as the server's options say."""
    control.delays.set()
    return Response(204)


@ROUTES.add("GET", "/_fake/faults")
def list_faults(control: Control, _request: Request) -> Response:
    """List the faults, with the number of times that each applied."""
    return encode(200, {"faults": [fault.as_json() for fault in control.faults.rules()]})


@ROUTES.add("POST", "/_fake/faults")
def add_fault(control: Control, request: Request) -> Response:
    """Add a fault."""
    values = known(decode(request), ("match", "do", "times", "seconds"))
    fault = control.faults.add(
        values.get("match", {}),
        values.get("do", {}),
        values.get("times"),
        seconds=values.get("seconds"),
    )
    return encode(201, fault.as_json())


@ROUTES.add("DELETE", "/_fake/faults")
def clear_faults(control: Control, _request: Request) -> Response:
    """Remove all faults."""
    control.faults.remove()
    return Response(204)


@ROUTES.add("DELETE", "/_fake/faults/{ident}")
def remove_fault(control: Control, _request: Request, ident: str) -> Response:
    """Remove a fault."""
    number = parse_integer(ident, maximum=_LARGEST, strict=True)
    if number is None or not control.faults.remove(number):
        return error(404, f"Unknown fault {ident!r}.")
    return Response(204)


@ROUTES.add("GET", "/_fake/conductors")
def list_conductors(control: Control, _request: Request) -> Response:
    """List the conductors."""
    return encode(200, {"conductors": control.conductors.all()})


@ROUTES.add("GET", "/_fake/conductors/{ident}")
def show_conductor(control: Control, _request: Request, ident: str) -> Response:
    """Show a conductor."""
    return _conductor(control, ident, {})


@ROUTES.add("PATCH", "/_fake/conductors/{ident}")
def change_conductor(control: Control, request: Request, ident: str) -> Response:
    """Take a conductor down, or start it again."""
    return _conductor(control, ident, decode(request))


def _conductor(control: Control, ident: str, changes: Mapping[str, Any]) -> Response:
    hostname = unquote(ident)
    try:
        return encode(200, control.conductors.change(hostname, changes))
    except KeyError:
        names = ", ".join(item["hostname"] for item in control.conductors.all())
        return error(404, f"Unknown conductor {hostname!r}. Known conductors: {names}.")


@ROUTES.add("GET", "/_fake/machines/{ident}")
def show_machine(control: Control, _request: Request, ident: str) -> Response:
    """Show the machine of a node."""
    return _machine(control, ident, {})


@ROUTES.add("PATCH", "/_fake/machines/{ident}")
def change_machine(control: Control, request: Request, ident: str) -> Response:
    """Change the machine of a node."""
    return _machine(control, ident, decode(request))


def _machine(control: Control, node: str, changes: Mapping[str, Any]) -> Response:
    try:
        return encode(200, control.machines.change(node, changes))
    except KeyError:
        return error(404, f"Unknown node {node!r}.")


@ROUTES.add("GET", "/_fake/requests")
def list_requests(control: Control, request: Request) -> Response:
    """List the requests."""
    query: dict[str, Any] = dict(known(request.query, (*_REQUEST_FILTERS, "format")))
    for name, value in query.items():
        if not isinstance(value, str):
            raise ValueError(f"{name} is given more than once.")
    form = query.pop("format", "json")
    if form not in _REQUEST_FORMATS:
        raise ValueError(f"format has to be one of {', '.join(_REQUEST_FORMATS)}, not {form!r}.")
    if "status" in query and not _STATUS.fullmatch(query["status"]):
        raise ValueError(f"status has to be a number, or one like 4xx, not {query['status']!r}.")
    if "limit" in query:
        limit = parse_integer(query["limit"], maximum=_LARGEST, strict=True)
        if limit is None:
            raise ValueError(f"limit has to be a number, not {query['limit']!r}.")
        query["limit"] = limit
    found = control.requests.find(**query)
    if form == "har":
        return encode(200, har.archive(found))
    return encode(200, {"requests": [recorded.as_json() for recorded in found]})


@ROUTES.add("POST", "/_fake/requests/verify")
def verify_requests(control: Control, request: Request) -> Response:
    """Check that a request was received as expected, or several in an order."""
    wanted = decode(request)
    found = control.requests.find()
    if "order" in wanted:
        steps = known(wanted, ("order",))["order"]
        if not _is_order(steps):
            raise ValueError("order has to be a list of pairs of method and path.")
        verdict = expectations.verify_order(found, steps)
    else:
        verdict = _verdict(found, wanted)
    if verdict.message is None:
        return encode(200, {"matched": verdict.matched})
    return encode(409, {"message": verdict.message, "nearest": verdict.nearest})


def _verdict(found: Sequence[RecordedRequest], wanted: Mapping[str, Any]) -> expectations.Verdict:
    values = {**known(wanted, _EXPECTATION)}
    for name, (kind, form) in _EXPECTATION.items():
        required = name in ("method", "path")
        if (required or name in values) and not isinstance(values.get(name), kind):
            raise ValueError(f"{name} has to be {form}, not {values.get(name)!r}.")
    times, absent = values.pop("times", None), values.pop("absent", False)
    if isinstance(times, bool) or (times is not None and (times < 0 or absent)):
        raise ValueError("times has to be a number from 0 on, and not together with absent.")
    return expectations.verify(found, expectations.Expectation(**values), times, absent=absent)


def _is_order(steps: Any) -> bool:
    return isinstance(steps, list) and all(
        isinstance(step, list) and len(step) == 2 and all(isinstance(text, str) for text in step)
        for step in steps
    )


@ROUTES.add("GET", "/_fake/unmet")
def show_unmet(control: Control, _request: Request) -> Response:
    """Show the faults that met nothing, and the requests whose path no service has."""
    return encode(200, control.unmet())


@ROUTES.add("DELETE", "/_fake/requests")
def clear_requests(control: Control, _request: Request) -> Response:
    """Remove all recorded requests."""
    control.requests.clear()
    return Response(204)


@ROUTES.add("GET", "/_fake/seed")
def export_seed(control: Control, _request: Request) -> Response:
    """Return what the server has, as a seed."""
    return encode(200, control.seeds.export())


@ROUTES.add("POST", "/_fake/seed")
def load_seed(control: Control, request: Request) -> Response:
    """Load a seed."""
    asked = known(request.query, ("replace",)).get("replace", "false")
    replace = parse_boolean(asked)
    if replace is None:
        raise ValueError(f"replace has to be true or false, not {asked!r}.")
    return encode(201, control.seeds.load(decode(request), replace=replace))


@ROUTES.add("POST", "/_fake/reset")
def reset(control: Control, _request: Request) -> Response:
    """Restore the first state, and remove all faults, delays and recorded requests."""
    control.reset()
    return Response(204)


@ROUTES.add("GET", "/_fake/snapshots")
def list_snapshots(control: Control, _request: Request) -> Response:
    """List the snapshots."""
    return encode(200, {"snapshots": [{"id": ident} for ident in control.snapshots.idents()]})


@ROUTES.add("POST", "/_fake/snapshots")
def take_snapshot(control: Control, request: Request) -> Response:
    """Take a snapshot of the present state."""
    ident = known(decode(request), ("id",)).get("id")
    return encode(201, {"id": control.snapshots.take(ident)})


@ROUTES.add("POST", "/_fake/snapshots/{ident}/restore")
def restore_snapshot(control: Control, _request: Request, ident: str) -> Response:
    """Restore a snapshot."""
    return _done_with(control, control.snapshots.restore, ident)


@ROUTES.add("DELETE", "/_fake/snapshots/{ident}")
def forget_snapshot(control: Control, _request: Request, ident: str) -> Response:
    """Remove a snapshot."""
    return _done_with(control, control.snapshots.forget, ident)


def _done_with(control: Control, act: Callable[[str], None], ident: str) -> Response:
    try:
        act(ident)
    except KeyError:
        kept = ", ".join(control.snapshots.idents()) or "none"
        return error(404, f"Unknown snapshot {ident!r}. Known snapshots: {kept}.")
    return Response(204)


def error(status: int, text: str) -> Response:
    """Return an error of the controls."""
    return encode(status, {"error": text})
