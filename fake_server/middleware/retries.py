"""Requests whose transaction has to be repeated are handled again from the start."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from fake_server.control import error_bodies
from fake_server.db.errors import (
    ConflictError,
    UnstorableError,
    WriteNeededError,
    out_of_order,
    run_with_retries,
)

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request, Response
    from fake_server.middleware.chain import Endpoint

#: The maximum number of attempts for a request that conflicts with others, and of their seconds.
_ATTEMPTS = 100
_SECONDS = 10.0


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


def _once(proceed: Endpoint, request: Request, path: str) -> Response:
    request.restart(path)
    try:
        return proceed(request)
    except WriteNeededError:
        request.restart(path)
        request.writes = True
        return proceed(request)
