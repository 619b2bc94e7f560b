"""The chain of handlers around every request, and those that are small."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from typing import TYPE_CHECKING, TypeAlias

from fake_server.baremetal.api import rendering
from fake_server.common import logs
from fake_server.common.rest import encode
from fake_server.common.wsgi import ConnectionDropped, Postponed, Request, Response
from fake_server.control import error_bodies, guard
from fake_server.control.service import PREFIX
from fake_server.db.errors import ConflictError, UnstorableError, WriteNeededError, out_of_order
from fake_server.db.store import run_with_retries

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from fake_server.control.service import Control

LOG = logs.logger(__name__)
#: Answers a request.
Endpoint: TypeAlias = Callable[[Request], Response]
#: Answers a request itself, or has it answered by what comes next in the chain.
Handler: TypeAlias = Callable[[Endpoint, Request], Response]
#: The limit of the body of a seed: a lab of 100,000 nodes has some 100 MB.
_SEED_PATH, _SEED_LIMIT = f"{PREFIX}/seed", 256 * 1024 * 1024
#: How many times as much as elsewhere fits into a body, by the end of the path.
_LARGER = {"states/provision": 64, "continue_inspection": 16, "/file": 64, "/stage": 64}
#: What a browser says that it makes a page of.
_DOCUMENTS = ("document", "embed", "frame", "iframe", "object")
#: The maximum number of attempts for a request that conflicts with others, and of their seconds.
_ATTEMPTS = 100
_SECONDS = 10.0


def chain(handlers: Sequence[Handler], endpoint: Endpoint) -> Endpoint:
    """Return an endpoint with handlers around it, the first one outermost."""
    return reduce(lambda inner, handler: partial(handler, inner), reversed(handlers), endpoint)


def answer_errors(proceed: Endpoint, request: Request) -> Response:
    """Answer a request; log an exception and answer it with status 500, or 503 of the database."""
    try:
        return proceed(request)
    except (ConnectionDropped, Postponed):
        raise
    except Exception as exc:
        if reason := out_of_order(exc):
            text = f"The database can't be used at the moment: {reason}"
            LOG.error("%s %s: %s", request.method, request.path, text)
            return error_bodies.fault(request.path, 503, text)
        LOG.exception("%s %s failed", request.method, request.path)
        return encode(
            500,
            {"error_message": "The fake server failed at this request. The reason is in its log."},
        )


class BodyLimits:
    """Refuse bodies that are larger than their path allows.

    :param ordinary: bytes of a body on a path that has no limit of its own.
    """

    def __init__(self, ordinary: int) -> None:
        self._ordinary = ordinary

    def __call__(self, proceed: Endpoint, request: Request) -> Response:
        """Answer a request, with 413 if its body is too large."""
        if _is_too_large(request, self.of(request.path)):
            if request.path.startswith("/image/"):
                return error_bodies.fault(request.path, 413, "The incoming image is too large.")
            return rendering.bare_fault(413, "Request body is too large.")
        return proceed(request)

    def of(self, path: str) -> int:
        """Return how many bytes the body of a request to a path may have."""
        path = path.rstrip("/")
        if path == _SEED_PATH:
            return max(_SEED_LIMIT, self._ordinary)
        if path.startswith("/object-store/"):
            return self._ordinary * _LARGER["/file"]
        factors = (_LARGER[end] for end in _LARGER if path.endswith(end))
        return self._ordinary * next(factors, 1)


class Controls:
    """Answer requests below ``/_fake``; follow the state of the controls for all others.

    :param note: is told of each request that may change something; see :class:`~.waits.Waits`.
    """

    def __init__(self, control: Control, note: Callable[[Request, str, None], object]) -> None:
        self._control = control
        self._note = note

    def __call__(self, proceed: Endpoint, request: Request) -> Response:
        """Answer a request."""
        path = request.path
        if path.startswith(PREFIX) and path[len(PREFIX) :][:1] in ("", "/"):
            response = self._control.answer(request)
            if request.method != "GET":
                self._note(request, path, None)
            return response
        self._control.state.refresh()
        return proceed(request)


class Origins:
    """Refuse what pages of other sites make a browser send, if it may change something.

    What a service keeps, such as an object, can be a page itself: a browser that shows it takes it
    for one of another site.

    :param allowed: the origins that may send it nevertheless; ``*`` stands for all.
    """

    def __init__(self, allowed: Container[str]) -> None:
        self._allowed = allowed

    def __call__(self, proceed: Endpoint, request: Request) -> Response:
        """Answer a request, with 403 if its origin may not send it."""
        origin = guard.foreign_origin(request) if request.writes else None
        if origin is None or origin in self._allowed or "*" in self._allowed:
            response = proceed(request)
            # Only browsers say what they ask for it.
            if request.header("HTTP_SEC_FETCH_DEST") in _DOCUMENTS:
                response.headers.append(("Content-Security-Policy", "sandbox"))
            return response
        return error_bodies.fault(
            request.path,
            403,
            f"Pages of {origin} cannot change anything here. To allow it, start the server with "
            f"--allowed-origins {origin}.",
        )


def retry(proceed: Endpoint, request: Request) -> Response:
    """Answer a request; repeat it after a conflict, and as one that writes if it has to."""
    path = request.path
    try:
        attempt = partial(_once, proceed, request, path)
        return run_with_retries(attempt, turns=_ATTEMPTS, seconds=_SECONDS)
    except ConflictError as exc:
        if exc.__cause__ is not None and out_of_order(exc.__cause__):
            raise exc.__cause__ from None  # another program keeps SQLite locked
        return error_bodies.fault(
            path, 409, "Too many requests change the same data. Repeat the request."
        )
    except UnstorableError as exc:
        return error_bodies.fault(path, 400, f"A value of the request can't be stored: {exc}")


class Mounts:
    """Move the segment of a service from the path of a request to ``mount``.

    :param mounted: the segments.
    """

    def __init__(self, mounted: Container[str]) -> None:
        self._mounted = mounted

    def __call__(self, proceed: Endpoint, request: Request) -> Response:
        """Answer a request; what comes next sees ``mount`` and the path below it."""
        segment, slash, rest = request.path[1:].partition("/")
        if segment in self._mounted:
            request.mount, request.path = segment, slash + rest or "/"
        return proceed(request)


def _is_too_large(request: Request, limit: int) -> bool:
    """Return whether the body of a request is longer than a number of bytes."""
    announced = request.environ.get("CONTENT_LENGTH") or "0"
    if announced == "0" and "HTTP_TRANSFER_ENCODING" not in request.environ:
        return False
    if announced.isdecimal() and int(announced[:20]) > limit:
        return True
    return len(request.body) > limit


def _once(proceed: Endpoint, request: Request, path: str) -> Response:
    request.restart(path)
    try:
        return proceed(request)
    except WriteNeededError:
        request.restart(path)
        request.writes = True
        return proceed(request)
