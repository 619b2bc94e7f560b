"""Requests to an application in this process, as a listener would hand them over."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes

from fake_server.common.wsgi import Request


def request(method: str, path: str, body: Any = None, **more: str) -> Request:
    """Make a request; its body is bytes, nothing, or what becomes JSON.

    :param path: its path, percent-encoded, with the query.
    :param more: headers and others, by their names in the environment.
    """
    path, _, query = path.partition("?")
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    data = b"" if body is None else data
    return Request(
        {
            "REQUEST_METHOD": method,
            "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
            "QUERY_STRING": query,
            "CONTENT_TYPE": "application/json" if data else "",
            "CONTENT_LENGTH": str(len(data)),
            "wsgi.input": BytesIO(data),
            "wsgi.url_scheme": "http",
            "HTTP_HOST": "fake",
            **more,
        }
    )
