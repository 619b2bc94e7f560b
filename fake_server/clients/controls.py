"""An HTTP client of the controls."""

from __future__ import annotations

import json
import ssl
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import (
    BaseHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    ProxyHandler,
    Request,
    build_opener,
)

from fake_server.common import json_text

_SECONDS = 600


class ControlError(Exception):
    """The server refused a request, or there was no response."""


class _NoRedirects(HTTPRedirectHandler):
    """Follows no redirect: the controls have none, and another server would get the token."""

    def redirect_request(self, *_: Any) -> None:
        return None


class ControlClient:
    """Sends requests to the controls of a server.

    :param url: URL of the server.
    :param token: token of the controls, if they need one.
    :param cacert: file of CA certificates to verify the server's with, instead of the system's.
    :param origin: where the URL comes from, for the error if there is no response.
    :raises OSError: if that file can't be read.
    """

    def __init__(
        self, url: str, token: str | None = None, cacert: str | None = None, origin: str = ""
    ) -> None:
        self._url = url.rstrip("/")
        self._place = f"{self._url}, {origin}" if origin else self._url
        self._headers = {"Content-Type": "application/json"}
        if token:
            self._headers["X-Fake-Token"] = token
        # Proxies of the environment would see the token.
        handlers: list[BaseHandler] = [ProxyHandler({}), _NoRedirects()]
        if url.startswith("https:"):
            context = ssl.create_default_context(cafile=cacert or None)
            handlers.append(HTTPSHandler(context=context))
        self._opener = build_opener(*handlers)

    def send(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request and return the decoded response, ``None`` if it is empty.

        :param path: path below ``/_fake/``.
        :raises ControlError: if the request fails.
        """
        content = self.read(method, path, body)
        try:
            return json_text.parse(content) if content else None
        except ValueError as exc:
            raise ControlError(f"No response from {self._place}: {exc}") from exc

    def read(self, method: str, path: str, body: Any = None) -> bytes:
        """Send a request and return the response as it is; see :meth:`send`."""
        address = f"{self._url}/_fake/{path}"
        data = None if body is None else json.dumps(body).encode()
        try:
            request = Request(address, data, self._headers, method=method)  # noqa: S310 - as asked
            with self._opener.open(request, timeout=_SECONDS) as answer:
                return bytes(answer.read())
        except HTTPError as exc:
            raise ControlError(_explained(exc)) from exc
        except URLError as exc:
            raise ControlError(f"No response from {self._place}: {exc.reason}") from exc
        except (OSError, ValueError) as exc:
            raise ControlError(f"No response from {self._place}: {exc}") from exc


def _explained(exc: HTTPError) -> str:
    try:
        body = json_text.parse(exc.read())
        return str(body["message"] if "message" in body else body["error"])
    except (ValueError, KeyError, TypeError):
        return f"{exc.url} responded with {exc.code}: is it a fake server of the same version?"
