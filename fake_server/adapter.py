"""The server without sockets: a transport adapter for :mod:`requests`."""

from __future__ import annotations

import time
from io import BytesIO
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes, urlsplit

import requests
from requests.adapters import BaseAdapter, HTTPAdapter
from urllib3 import HTTPHeaderDict, HTTPResponse

from fake_server.common.wsgi import ConnectionDropped

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import requests_mock

    from fake_server.common.wsgi import Application, Environ

_PORTS = {"http": "80", "https": "443"}


class InProcessAdapter(BaseAdapter):
    """A transport adapter that passes requests to a server in the same process.

    Mount it for a URL prefix: ``session.mount("http://ironic.test", adapter)``. Faults work as
    over a network: connections are dropped and responses truncated. A response that takes longer
    than the timeout raises an error, though only when it is complete.

    :param app: the server's application, such as ``FakeServer().app``.
    """

    def __init__(self, app: Application) -> None:
        super().__init__()
        self._app = app
        self._build = HTTPAdapter().build_response

    def send(
        self,
        request: requests.PreparedRequest,
        stream: bool = False,
        timeout: float | tuple[float | None, float | None] | None = None,
        verify: bool | str = True,
        cert: Any = None,
        proxies: Mapping[str, str] | None = None,
    ) -> requests.Response:
        """Return the response to a request.

        :param timeout: maximum seconds for the response, or a tuple whose second item is that.
        :raises requests.ConnectionError: if a fault drops the connection.
        :raises requests.ReadTimeout: if the response takes too long.
        """
        began = time.monotonic()
        started: list[Any] = []
        try:
            parts = self._app(_environ(request), lambda *answer: started.extend(answer))
            content = b"".join(parts)
            if close := getattr(parts, "close", None):
                close()
        except ConnectionDropped:
            raise requests.ConnectionError("Connection aborted.", request=request) from None
        limit = timeout[1] if isinstance(timeout, tuple) else timeout
        if limit is not None and time.monotonic() - began > limit:
            raise requests.ReadTimeout(f"Read timed out. (read timeout={limit})", request=request)
        status, headers = started[:2]
        code, _, reason = status.partition(" ")
        raw = HTTPResponse(
            body=BytesIO(content),
            headers=HTTPHeaderDict(headers),
            status=int(code),
            reason=reason,
            preload_content=False,
            request_method=request.method,
        )
        response = self._build(request, raw)
        if not stream:
            # Read here, so that a truncated response raises in send(), as with other adapters.
            response.content  # noqa: B018
        return response

    def close(self) -> None:
        """Do nothing: there are no connections."""


def register(mocker: requests_mock.MockerCore, app: Application, url: str) -> None:
    """Make ``requests_mock`` pass requests for a URL to a server.

    :param mocker: a mocker or an adapter of ``requests_mock``.
    :param app: the server's application, such as ``FakeServer().app``.
    :param url: prefix of the URLs of the server.
    """
    adapter = InProcessAdapter(app)
    prefix = url.rstrip("/")

    def answer(request: Any) -> requests.Response | None:
        # requests_mock passes a wrapper of the request.
        prepared = getattr(request, "_request", request)
        address = prepared.url
        if address == prefix or address.startswith((f"{prefix}/", f"{prefix}?")):
            return adapter.send(prepared, timeout=request.timeout)
        return None

    mocker.add_matcher(answer)


def _environ(request: requests.PreparedRequest) -> Environ:
    parts = urlsplit(str(request.url))
    content = _content(request.body)
    environ: Environ = {
        "REQUEST_METHOD": request.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(parts.path or "/").decode("latin-1"),
        "QUERY_STRING": parts.query,
        "SERVER_NAME": parts.hostname or "",
        "SERVER_PORT": str(parts.port or _PORTS.get(parts.scheme, "80")),
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.url_scheme": parts.scheme,
        "wsgi.input": BytesIO(content),
        "CONTENT_LENGTH": str(len(content)),
        "HTTP_HOST": parts.netloc.rpartition("@")[2],
    }
    for name, value in request.headers.items():
        variable = name.upper().replace("-", "_")
        if variable == "CONTENT_TYPE":
            environ[variable] = _text(value)
        elif variable not in ("CONTENT_LENGTH", "TRANSFER_ENCODING"):
            environ[f"HTTP_{variable}"] = _text(value)
    return environ


def _content(body: Any) -> bytes:
    if body is None:
        return b""
    if isinstance(body, str):
        return body.encode()
    if isinstance(body, bytes | bytearray):
        return bytes(body)
    if hasattr(body, "read"):
        return _content(body.read())
    chunks: Iterable[Any] = body
    return b"".join(map(_content, chunks))


def _text(value: str | bytes) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else value
