"""Debug log of requests and responses, with secrets masked."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING

from baremetalclient._http import urls
from baremetalclient._http.escapes import printable
from baremetalclient._http.redact import mask_texts, masked, masked_headers, secrets_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from baremetalclient._http.response import Response

_MAX_LENGTH = 20000


def log_request(
    logger: logging.Logger, method: str, url: str, headers: Mapping[str, str], data: bytes
) -> None:
    """Log a request, with its secrets masked."""
    if logger.isEnabledFor(logging.DEBUG):
        logger.debug(
            "REQ: %s %s %s %s",
            method,
            urls.without_credentials(url),
            masked_headers(headers),
            _loggable(data, set()),
        )


def log_response(logger: logging.Logger, response: Response, secrets: set[str]) -> None:
    """Log a response, with its secrets and those of the request masked."""
    if logger.isEnabledFor(logging.DEBUG):
        logger.debug(
            "RESP: [%s] %s %s",
            response.status,
            urls.without_credentials(str(masked_headers(response.headers))),
            _loggable(response.body, secrets),
        )


def _loggable(data: bytes, secrets: set[str]) -> str:
    if not data:
        return ""
    try:
        decoded = json.loads(data)
        text = json.dumps(masked(decoded))
    except (ValueError, RecursionError):
        return f"<{len(data)} bytes that are not JSON>"
    return printable(mask_texts(secrets | secrets_in(decoded), text))[:_MAX_LENGTH]
