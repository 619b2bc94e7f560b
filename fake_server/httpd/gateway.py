"""Call a WSGI application for a request, and build the bytes of the response."""

from __future__ import annotations

import time
from email.utils import formatdate
from http import HTTPStatus
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

from fake_server.common.wsgi import ConnectionDropped

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.common.wsgi import Application
    from fake_server.httpd.heads import Environ, Refusal

#: What calls itself so on the wire.
SERVER = "ironic_api"
_BODILESS = frozenset({HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED})


class Answer(NamedTuple):
    """A response.

    :param data: the bytes; ``None`` to close the connection without a word.
    :param keep: whether the connection stays open afterwards.
    :param sent: called after it was sent.
    """

    data: bytes | None
    keep: bool
    sent: Callable[[], object] | None = None


#: The answer that is none.
DROPPED = Answer(None, False)


def answer(app: Application, environ: Environ, content: bytes, keep: bool) -> Answer:
    """Return the response of the application.

    :param content: the body of the request.
    :param keep: whether the connection stays open.
    :raises Postponed: if it is to be asked again later.
    """
    environ["wsgi.input"] = BytesIO(content)
    started: list[Any] = []
    late: list[bytes] = []

    def start_response(
        status: str, headers: list[tuple[str, str]], exc_info: Any = None
    ) -> Callable[[bytes], object]:
        started[:] = [status, headers]
        return late.append

    try:
        parts = app(environ, start_response)
        body = b"".join([*late, *parts])
    except ConnectionDropped:
        return DROPPED
    found = _assembled(started[0], started[1], body, environ["REQUEST_METHOD"], keep)
    return found._replace(sent=getattr(parts, "close", None))


def refusal(refused: Refusal) -> Answer:
    """Return the response to an invalid request."""
    headers = [("Content-Type", "text/plain")]
    return _assembled(refused.status, headers, refused.text.encode(), "", False)


def _assembled(
    status: str, headers: list[tuple[str, str]], body: bytes, method: str, keep: bool
) -> Answer:
    lines = [f"HTTP/1.1 {status}\r\n"]
    announced = None
    for name, value in headers:
        lines.append(f"{name}: {value}\r\n")
        if name == "Content-Length":
            announced = int(value)
    if method != "HEAD" and int(status[:3]) not in _BODILESS:
        if announced is None:
            lines.append(f"Content-Length: {len(body)}\r\n")
        elif announced != len(body):
            keep = False
    lines.append(_date.line())
    if not keep:
        lines.append("Connection: close\r\n")
    lines.append("\r\n")
    return Answer("".join(lines).encode("latin-1", "replace") + body, keep)


class _Date:
    """The header ``Date`` and the server's name, made anew once a second."""

    def __init__(self) -> None:
        self._current = (0, "")

    def line(self) -> str:
        now = int(time.time())
        second, text = self._current
        if second != now:
            text = f"Date: {formatdate(now, usegmt=True)}\r\nServer: {SERVER}\r\n"
            self._current = (now, text)
        return text


_date = _Date()
