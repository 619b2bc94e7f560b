"""Unexpected exceptions become answers with status 500 or 503."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from fake_server.common.rest import encode
from fake_server.common.wsgi import ConnectionDropped, Postponed
from fake_server.control import error_bodies
from fake_server.db.errors import out_of_order

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request, Response
    from fake_server.middleware.chain import Endpoint

LOG = logging.getLogger(__name__)


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
