"""``/_fake/``: the controls of a server, over HTTP."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..clock import MODES
from ..rest import BadBodyError, Routes, decode, encode
from ..wsgi import Request, Response
from .faults import Faults
from .recorder import Recorder
from .snapshots import Snapshots

if TYPE_CHECKING:
    from ..clock import Clock
    from ..settings import Settings
    from ..store import Store

PREFIX = "/_fake"
TOKEN_HEADER = "X-Fake-Token"  # noqa: S105 - a header's name
_LOCAL = ("localhost", "127.0.0.1", "[::1]")
_CLOCK = ("mode", "factor", "now")


class Control:
    """What tests can do to a server; its parts are for Python, :meth:`answer` for HTTP.

    :param store: what the server keeps everything in.
    :param clock: the time that it lives in.
    """

    def __init__(self, store: Store, clock: Clock, settings: Settings) -> None:
        self.clock = clock
        self.faults = Faults(settings.host)
        self.requests = Recorder()
        self.snapshots = Snapshots(store)
        #: Why there is nothing to control over HTTP, if so.
        self.unavailable: str | None = None
        self._token = settings.control_token

    def answer(self, request: Request) -> Response:
        """Answer a request below ``/_fake``."""
        refusal = self._refusal(request)
        if refusal is not None:
            return refusal
        match = ROUTES.find(request.method, request.path)
        if match is None:
            return _error(
                404, f"There is no {request.path}; there is: {', '.join(ROUTES.addresses())}."
            )
        if self.unavailable is not None:
            return _error(409, self.unavailable)
        if match.handler is None:
            return _error(405, f"{request.path} takes {' and '.join(match.allowed)} only.")
        try:
            return match.handler(self, request, **match.arguments)
        except (BadBodyError, ValueError) as exc:
            return _error(400, str(exc))

    def _refusal(self, request: Request) -> Response | None:
        """Refuse what may be a web page that knows of a server on this machine."""
        if self._token is not None:
            given = request.header("HTTP_X_FAKE_TOKEN") or ""
            if not hmac.compare_digest(given.encode(), self._token.encode()):
                return _error(403, f"The controls need the server's token in {TOKEN_HEADER}.")
        else:
            host = (request.header("HTTP_HOST") or "localhost").rpartition("@")[2]
            name = host if host.endswith("]") else host.rpartition(":")[0] or host
            if name not in _LOCAL:
                return _error(403, f"The controls are at {' or '.join(_LOCAL)}, not at {name}.")
        if request.method != "GET" and request.body and request.content_type != "application/json":
            return _error(415, "Changes are sent as JSON, with Content-Type: application/json.")
        return None


Handler = Callable[..., Response]
ROUTES: Routes[Handler] = Routes()


@ROUTES.add("GET", "/_fake/clock")
def show_clock(control: Control, _request: Request) -> Response:
    """Show the time and how it passes."""
    clock = control.clock
    return encode(
        200,
        {"mode": clock.mode, "factor": clock.factor, "now": clock.seconds(), "modes": MODES},
    )


@ROUTES.add("PUT", "/_fake/clock")
def set_clock(control: Control, request: Request) -> Response:
    """Let time pass otherwise."""
    values = _known(decode(request), _CLOCK)
    factor, now = values.get("factor", 1.0), values.get("now")
    for name, value in (("factor", factor), ("now", 0 if now is None else now)):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(f"{name} has to be a number, not {value!r}.")
    control.clock.switch(values.get("mode", control.clock.mode), factor=factor, start=now)
    return show_clock(control, request)


@ROUTES.add("POST", "/_fake/clock/advance")
def advance(control: Control, request: Request) -> Response:
    """Move the clock forward."""
    seconds = _known(decode(request), ("seconds",)).get("seconds")
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise ValueError(f"seconds has to be a number, not {seconds!r}.")
    control.clock.advance(seconds)
    return show_clock(control, request)


@ROUTES.add("GET", "/_fake/faults")
def list_faults(control: Control, _request: Request) -> Response:
    """List the rules, and how often each acted."""
    return encode(200, {"faults": [rule.as_json() for rule in control.faults.rules()]})


@ROUTES.add("POST", "/_fake/faults")
def add_fault(control: Control, request: Request) -> Response:
    """Make a rule."""
    values = _known(decode(request), ("match", "do", "times"))
    rule = control.faults.add(values.get("match", {}), values.get("do", {}), values.get("times"))
    return encode(201, rule.as_json())


@ROUTES.add("DELETE", "/_fake/faults")
def clear_faults(control: Control, _request: Request) -> Response:
    """Remove all rules."""
    control.faults.remove()
    return Response(204)


@ROUTES.add("DELETE", "/_fake/faults/{ident}")
def remove_fault(control: Control, _request: Request, ident: str) -> Response:
    """Remove a rule."""
    if not ident.isascii() or not ident.isdigit() or not control.faults.remove(int(ident)):
        return _error(404, f"There is no fault {ident!r}.")
    return Response(204)


@ROUTES.add("GET", "/_fake/requests")
def list_requests(control: Control, request: Request) -> Response:
    """List what was asked."""
    query = _known(request.query, ("method", "path", "status"))
    status = query.get("status")
    if status is not None and not str(status).isdigit():
        raise ValueError(f"status has to be a number, not {status!r}.")
    found = control.requests.find(
        method=query.get("method"),
        path=query.get("path"),
        status=None if status is None else int(status),
    )
    return encode(200, {"requests": [entry.as_json() for entry in found]})


@ROUTES.add("DELETE", "/_fake/requests")
def clear_requests(control: Control, _request: Request) -> Response:
    """Forget what was asked."""
    control.requests.clear()
    return Response(204)


@ROUTES.add("POST", "/_fake/reset")
def reset(control: Control, _request: Request) -> Response:
    """Go back to the beginning: the state, no faults, no requests."""
    control.snapshots.reset()
    control.faults.remove()
    control.requests.clear()
    return Response(204)


@ROUTES.add("GET", "/_fake/snapshots")
def list_snapshots(control: Control, _request: Request) -> Response:
    """List the states that are kept."""
    return encode(200, {"snapshots": [{"id": ident} for ident in control.snapshots.idents()]})


@ROUTES.add("POST", "/_fake/snapshots")
def take_snapshot(control: Control, _request: Request) -> Response:
    """Keep the present state."""
    return encode(201, {"id": control.snapshots.take()})


@ROUTES.add("POST", "/_fake/snapshots/{ident}/restore")
def restore_snapshot(control: Control, _request: Request, ident: str) -> Response:
    """Go back to a state."""
    try:
        control.snapshots.restore(ident)
    except KeyError:
        kept = ", ".join(control.snapshots.idents()) or "none"
        return _error(404, f"There is no snapshot {ident!r}; kept are: {kept}.")
    return Response(204)


def _known(values: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    unknown = [name for name in values if name not in names]
    if unknown:
        raise ValueError(f"There is no {', '.join(unknown)}; known are: {', '.join(names)}.")
    return values


def _error(status: int, text: str) -> Response:
    return encode(status, {"error": text})
