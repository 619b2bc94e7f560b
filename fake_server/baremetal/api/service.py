"""The Bare Metal service: answers requests to ``/v1``."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING

from fake_server.baremetal import microversions
from fake_server.baremetal.api import rendering
from fake_server.baremetal.api.context import Context
from fake_server.baremetal.api.handlers.root import find_route, has_route
from fake_server.baremetal.api.negotiation import takes_json
from fake_server.baremetal.api.policies import POLICIES
from fake_server.baremetal.api.response_cache import CacheKey, ResponseCache
from fake_server.baremetal.errors import ApiError, Invalid, RoutingError
from fake_server.baremetal.models import nodes
from fake_server.baremetal.session import open_session
from fake_server.common import json_text
from fake_server.common.wsgi import Request, Response
from fake_server.db.store import UnstorableError

if TYPE_CHECKING:
    from fake_server.baremetal.session import Session
    from fake_server.common.lab import Lab
    from fake_server.db.store import Transaction

#: What clients accept who say nothing special.
_PLAIN_ACCEPT = (None, "*/*", "application/json")


class BaremetalService:
    """Answers requests to ``/v1``.

    :param lab: what it shares with the other services.
    :raises ValueError: if the settings have policies that can't be.
    """

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        self._cache = ResponseCache(lab.store)
        self._policies = POLICIES.replaced(lab.settings.policies)

    def answer(self, request: Request) -> Response:
        """Answer a request."""
        response = self._refusal(request) or self._cached(request)
        if response.status == HTTPStatus.NOT_FOUND:
            request.has_route = self._has_route(request)
        if request.method == "OPTIONS" and not 200 <= response.status < 300:
            return Response(200)
        if request.method == "HEAD" and response.status >= HTTPStatus.BAD_REQUEST:
            response = rendering.bodiless(response)
        return rendering.identified(response)

    def _has_route(self, request: Request) -> bool:
        """Return whether some version has the path of a request."""
        with self.lab.store.transaction(write=False) as tx:
            return has_route(self._context(request, tx))

    def _context(self, request: Request, tx: Transaction) -> Context:
        return Context(request, open_session(self.lab, tx), request.base_url, self._policies)

    def _cached(self, request: Request) -> Response:
        key = CacheKey.of(request) if request.method == "GET" else None
        cached = None if key is None else self._cache.find(key)
        return cached or self._dispatch(request, key)

    def _dispatch(self, request: Request, key: CacheKey | None) -> Response:
        try:
            json_suffix = _strip_json_suffix(request)
            with self.lab.store.transaction(write=request.writes) as tx:
                ctx = self._context(request, tx)
                ctx.json_suffix = json_suffix
                if request.path == "/" and not _takes_json(request):
                    raise RoutingError(406)
                try:
                    ctx.minor = microversions.negotiate(request, self.lab.settings.max_minor)
                    return self._handle(ctx, key)
                except ApiError as exc:
                    if ctx.session.keeps_changes:
                        return self._fault(exc, ctx)
                    raise _Fault(exc, ctx) from exc
                except UnstorableError as exc:
                    refusal = Invalid(f"A value of the request can't be stored: {exc}")
                    raise _Fault(refusal, ctx) from exc
        except RoutingError as exc:
            if request.path == "/" and _takes_json(request):
                # The root document has no lookup: what is wrong with a version is a fault there.
                return rendering.fault(exc.code, exc.description, exc.headers)
            return rendering.routing_error(request, exc)
        except _Fault as fault:
            self._keep_locks(fault.ctx.session)
            return self._fault(fault.error, fault.ctx)

    def _fault(self, error: ApiError, ctx: Context) -> Response:
        return rendering.fault(error.code, str(error), self._version_headers(ctx.minor))

    def _handle(self, ctx: Context, key: CacheKey | None) -> Response:
        if not ctx.request.path_is_text:
            raise RoutingError(400)
        handler, controller, arguments = find_route(ctx)
        if not ctx.request.query_is_text:
            raise RoutingError(400)
        if not _takes_json(ctx.request):
            raise RoutingError(406)
        if ctx.has_broken_text:
            raise RoutingError(400)
        arguments = [*ctx.routing_args, *(segment for segment in arguments if segment)]
        if not any(arguments):
            arguments = []
        result = handler.call(controller, ctx, arguments)
        headers = self._version_headers(ctx.minor)
        if ctx.location is not None:
            headers.append(("Location", ctx.location))
        status = ctx.status or handler.status
        if status == HTTPStatus.NO_CONTENT or (result is None and status == HTTPStatus.ACCEPTED):
            return Response(status, headers=headers)
        headers.append(rendering.JSON_HEADER)
        response = Response(status, json.dumps(result).encode(), headers)
        if key is not None and handler.cacheable and not ctx.request.writes:
            self._cache.store(key, response)
        return response

    def _keep_locks(self, session: Session) -> None:
        """Update ``updated_at`` of the nodes that a failed request had locked, as Ironic does."""

        def touch(tx: Transaction) -> None:
            session.tx = tx
            nodes.touch(session, session.locked)

        if session.locked:
            self.lab.store.run(touch)

    def _refusal(self, request: Request) -> Response | None:
        """Refuse JSON that is nested too deeply, before anything parses it."""
        if "json" not in request.environ.get("CONTENT_TYPE", ""):
            return None
        if json_text.is_deeper(request.body.decode("latin-1"), self.lab.settings.json_depth):
            return rendering.bare_fault(400, "Request body JSON is nested too deeply.")
        return None

    def _version_headers(self, minor: int) -> list[tuple[str, str]]:
        return list(microversions.version_headers(self.lab.settings.max_minor, minor))


class _Fault(Exception):
    """Carries an error out of its transaction, which is rolled back."""

    def __init__(self, error: ApiError, ctx: Context) -> None:
        super().__init__(str(error))
        self.error = error
        self.ctx = ctx


def _takes_json(request: Request) -> bool:
    accept = request.header("HTTP_ACCEPT")
    return accept in _PLAIN_ACCEPT or takes_json(accept)


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
