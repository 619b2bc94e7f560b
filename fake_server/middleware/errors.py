"""Unexpected exceptions become answers with status 500."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from fake_server.common.rest import encode
from fake_server.common.wsgi import ConnectionDropped, Postponed

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request, Response
    from fake_server.middleware.chain import Endpoint

LOG = logging.getLogger(__name__)


def answer_errors(proceed: Endpoint, request: Request) -> Response:
    """Answer a request; log an exception and answer it with status 500."""
    try:
        return proceed(request)
    except (ConnectionDropped, Postponed):
        raise
    except Exception:
        LOG.exception("%s %s failed", request.method, request.path)
        return encode(
            500,
            {"error_message": "The fake server failed at this request. The reason is in its log."},
        )
