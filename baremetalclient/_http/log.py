"""The debug log of requests and answers, without secrets."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING

from baremetalclient._http import urls
from baremetalclient._http.redact import masked, masked_headers, secrets_in, without
from baremetalclient._http.text import printable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from baremetalclient._http.transport import Raw

LOG = logging.getLogger("baremetalclient.v1.http")

_LONGEST_LOG = 20000


def log_request(method: str, url: str, headers: Mapping[str, str], data: bytes) -> None:
    """Write a request to the debug log, without its secrets."""
    if LOG.isEnabledFor(logging.DEBUG):
        LOG.debug(
            "REQ: %s %s %s %s",
            method,
            urls.without_credentials(url),
            masked_headers(headers),
            _loggable(data, set()),
        )


def log_answer(raw: Raw, secrets: set[str]) -> None:
    """Write an answer to the debug log, without its secrets and those of the request."""
    if LOG.isEnabledFor(logging.DEBUG):
        LOG.debug(
            "RESP: [%s] %s %s",
            raw.status,
            urls.without_credentials(str(masked_headers(raw.headers))),
            _loggable(raw.body, secrets),
        )


def _loggable(data: bytes, secrets: set[str]) -> str:
    if not data:
        return ""
    try:
        decoded = json.loads(data)
        text = json.dumps(masked(decoded))
    except (ValueError, RecursionError):
        return f"<{len(data)} bytes that are not JSON>"
    return printable(without(secrets | secrets_in(decoded), text))[:_LONGEST_LOG]
