"""The Bare Metal service: a WSGI request in, an answer out."""

from __future__ import annotations

import json
import logging
import re
from html import escape
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ..store import UnstorableError
from ..wsgi import Request, Response
from . import microversions
from .context import Context
from .dialects import DIALECTS
from .errors import ApiError, Invalid, RoutingError
from .handlers.root import find_route
from .models import nodes
from .session import Session

if TYPE_CHECKING:
    from ..clock import Clock
    from ..settings import Settings
    from ..store import Store

LOG = logging.getLogger(__name__)

MAX_DEPTH = 25
MAX_BODY = 1024 * 1024
MAX_PROVISION_BODY = 64 * MAX_BODY
MAX_INSPECTION_BODY = 16 * MAX_BODY
_JSON = ("Content-Type", "application/json")
_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_TEXTS = {
    404: "The resource could not be found.",
    405: "The method {method} is not allowed for this resource.",
    406: (
        "The resource could not be generated that was acceptable to your browser\n"
        "(content of type {accept}."
    ),
}


class BaremetalService:
    """Answers requests to ``/v1``.

    :param store: database with the schema of :mod:`.tables`.
    """

    def __init__(self, store: Store, clock: Clock, settings: Settings) -> None:
        self.store = store
        self.clock = clock
        self.settings = settings
        self.dialect = DIALECTS[settings.dialect]

    def answer(self, request: Request, prefix: str = "") -> Response:
        """Answer a request.

        :param prefix: where the service is mounted, before ``/v1``.
        """
        if request.method == "OPTIONS":
            return Response(200)
        refusal = _refuse_body(request)
        response = refusal or self._dispatch(request, prefix)
        request_id = f"req-{uuid4()}"
        response.headers.append(("x-openstack-request-id", request_id))
        response.headers.append(("openstack-request-id", request_id))
        return response

    def _dispatch(self, request: Request, prefix: str) -> Response:
        try:
            json_suffix = _strip_json_suffix(request)
            with self.store.transaction() as tx:
                session = Session(self.store, tx, self.clock, self.settings, self.dialect)
                ctx = Context(request, session, request.host_url + prefix)
                ctx.json_suffix = json_suffix
                ctx.minor = microversions.negotiate(request, self.settings.max_minor)
                try:
                    return self._handle(ctx)
                except ApiError as exc:
                    raise _Fault(exc, ctx) from exc
                except UnstorableError as exc:
                    refusal = Invalid(f"A value of the request can't be stored: {exc}")
                    raise _Fault(refusal, ctx) from exc
        except RoutingError as exc:
            return _render_routing_error(request, exc)
        except _Fault as fault:
            self._keep_locks(fault.ctx.session)
            return _render_fault(fault.error, self._version_headers(fault.ctx.minor))

    def _handle(self, ctx: Context) -> Response:
        handler, controller, arguments = find_route(ctx)
        _check_accept(ctx.request)
        arguments = [*ctx.routing_args, *(segment for segment in arguments if segment)]
        result = handler.call(controller, ctx, arguments)
        headers = self._version_headers(ctx.minor)
        if ctx.location is not None:
            headers.append(("Location", ctx.location))
        status = ctx.status or handler.status
        if status == HTTPStatus.NO_CONTENT or (result is None and status == HTTPStatus.ACCEPTED):
            return Response(status, headers=headers)
        headers.append(_JSON)
        return Response(status, json.dumps(result).encode(), headers)

    def _keep_locks(self, session: Session) -> None:
        """Let the locks of a request show though all else that it did was undone."""
        if session.locked:
            with self.store.transaction() as tx:
                session.tx = tx
                nodes.touch(session, session.locked)

    def _version_headers(self, minor: int) -> list[tuple[str, str]]:
        return [
            *microversions.range_headers(self.settings.max_minor),
            (microversions.HEADER, f"{microversions.MAJOR}.{minor}"),
        ]


class _Fault(Exception):
    """Carries an error out of its transaction, which is rolled back on the way."""

    def __init__(self, error: ApiError, ctx: Context) -> None:
        super().__init__(str(error))
        self.error = error
        self.ctx = ctx


def _render_fault(error: ApiError, headers: list[tuple[str, str]]) -> Response:
    fault = {"faultcode": error.faultcode, "faultstring": str(error), "debuginfo": None}
    body = json.dumps({"error_message": json.dumps(fault)}).encode()
    return Response(error.code, body, [*headers, _JSON])


def _render_routing_error(request: Request, error: RoutingError) -> Response:
    title = HTTPStatus(error.code).phrase
    if _accepts_json(request):
        text = json.dumps({"code": error.code, "title": title, "description": error.description})
    else:
        text = _page(request, error, title)
    headers = list(error.headers)
    if error.allow is not None:
        headers.append(("Allow", ", ".join(error.allow)))
    return Response(error.code, json.dumps({"error_message": text}).encode(), [*headers, _JSON])


def _page(request: Request, error: RoutingError, title: str) -> str:
    """Return the error as the page that a browser gets."""
    accept = request.header("HTTP_ACCEPT") or ""
    text = _TEXTS.get(error.code, "").format(method=request.method, accept=accept)
    return (
        f"<html>\n <head>\n  <title>{error.code} {title}</title>\n </head>\n <body>\n"
        f"  <h1>{error.code} {title}</h1>\n  {escape(text)}<br /><br />\n"
        f"{escape(error.description)}\n\n\n </body>\n</html>"
    )


def _accepts_json(request: Request) -> bool:
    accept = request.header("HTTP_ACCEPT")
    return accept is None or accept in ("", "*/*") or accept.startswith("application/json")


def _check_accept(request: Request) -> None:
    accept = request.header("HTTP_ACCEPT")
    if accept is None or "*/*" in accept or "application/" in accept or not accept:
        return
    raise RoutingError(406)


def _strip_json_suffix(request: Request) -> bool:
    """Drop ``.json`` from the path where the version asked for still does that."""
    path = request.path.rstrip("/")
    if not path.endswith(".json"):
        return False
    asked = request.header("HTTP_X_OPENSTACK_IRONIC_API_VERSION")
    try:
        minor = microversions.parse(asked)[1] if asked else None
    except ValueError:
        minor = None
    if minor and minor < microversions.DOT_JSON:
        request.path = path.removesuffix(".json")
        return True
    return False


def _refuse_body(request: Request) -> Response | None:
    """Refuse a JSON body that is too large or too deep, before anything looks at it."""
    environ = request.environ
    if "json" not in environ.get("CONTENT_TYPE", ""):
        return None
    path = request.path.strip("/")
    limit = MAX_BODY
    if path.endswith("states/provision"):
        limit = MAX_PROVISION_BODY
    elif path.endswith("continue_inspection"):
        limit = MAX_INSPECTION_BODY
    length = environ.get("CONTENT_LENGTH") or "0"
    if (length.isdigit() and int(length) > limit) or len(request.body) > limit:
        return _bare_fault(413, "Request body is too large.")
    if _depth(request.body) > MAX_DEPTH:
        return _bare_fault(400, "Request body JSON is nested too deeply.")
    return None


def _depth(body: bytes) -> int:
    """Return how deep a JSON text is nested, without parsing it."""
    depth = deepest = 0
    for byte in _STRINGS.sub(b"", body):
        if byte in b"{[":
            depth += 1
            deepest = max(deepest, depth)
        elif byte in b"}]":
            depth -= 1
    return deepest


def _bare_fault(status: int, text: str) -> Response:
    fault: dict[str, Any] = {
        "faultcode": "Client",
        "faultstring": f"{text} Please contact the service administrator.",
    }
    return Response(status, json.dumps(fault).encode(), [_JSON])
