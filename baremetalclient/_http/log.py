"""Debug log of requests and responses, with secrets masked."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING

from baremetalclient._http import urls
from baremetalclient._http.escapes import printable
from baremetalclient._http.redact import (
    mask_log,
    masked,
    masked_headers,
    secrets_in,
    secrets_of_headers,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from baremetalclient._http.response import Response

_MAX_LENGTH = 20000


def log_request(
    logger: logging.Logger, method: str, url: str, headers: Mapping[str, str], data: bytes
) -> None:
    """Log a request, with its secrets masked, and those of requests before it."""
    if logger.isEnabledFor(logging.DEBUG):
        shown = f"{method} {urls.without_credentials(url)}"
        logger.debug("REQ: %s", _line(shown, headers, data, secrets_in(url)))


def log_response(logger: logging.Logger, response: Response, secrets: set[str]) -> None:
    """Log a response, with its secrets masked, and those of requests and responses before it.

    :param secrets: those of its request.
    """
    if logger.isEnabledFor(logging.DEBUG):
        shown = f"[{response.status}]"
        logger.debug("RESP: %s", _line(shown, response.headers, response.body, secrets))


def _line(start: str, headers: Mapping[str, str], data: bytes, secrets: set[str]) -> str:
    body = ""
    if data:
        try:
            decoded = json.loads(data)
            body = json.dumps(masked(decoded))
            secrets = secrets | secrets_in(decoded)
        except (ValueError, RecursionError):
            body = f"<{len(data)} bytes that are not JSON>"
    shown = urls.without_credentials(str(masked_headers(headers)))
    line = f"{start} {shown} {body}"
    return printable(mask_log(secrets | secrets_of_headers(headers), line))[:_MAX_LENGTH]
