"""One client's connection: requests out of what it sends, answers in their order."""

from __future__ import annotations

import socket
import time
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from . import bodies, heads
from .heads import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from .gateway import Answer
    from .heads import Environ

#: Bytes that a head may have; Ironic's server takes any.
MAX_HEAD = 1024 * 1024
#: Bytes that may wait behind the request that is being answered.
MAX_WAITING = 256 * 1024
_END = b"\r\n\r\n"


class Limits(NamedTuple):
    """What a client may ask of a connection.

    :param body: bytes of the body of a request to a path.
    :param reading: seconds that a head may take to arrive, and a body after it, and seconds in
        which a client has to take some of its answer.
    :param idle: seconds that nothing may happen between two requests.
    :param lingering: seconds that a client is given to notice that it is refused.
    """

    body: Callable[[str], int]
    reading: float = 30.0
    idle: float = 120.0
    lingering: float = 2.0


class Received(NamedTuple):
    """A request that has arrived.

    :param environ: its WSGI environment, without the body.
    :param content: its body; nothing of one that is beyond the limit.
    :param keep: whether the connection is to stay open.
    """

    environ: Environ
    content: bytes
    keep: bool


class Connection:
    """What is known about a connection.

    The listener's thread reads from it, one of the listener's workers at a time answers on it.

    :param sock: the connection, which doesn't block.
    :param template: what the environments of its requests have in common.
    """

    def __init__(self, sock: socket.socket, template: Environ, limits: Limits) -> None:
        self.sock = sock
        self.deadline = time.monotonic() + limits.idle
        #: Held by whoever looks at or changes ``busy``, ``ended`` and ``waiting``.
        self.lock = Lock()
        self.busy = False
        #: Whether the client has sent all it is going to.
        self.ended = False
        self.closing = False
        self.waiting = bytearray()
        self.outgoing = memoryview(b"")
        self._template = template
        self._limits = limits
        self._searched = 0
        self._environ: Environ | None = None
        self._body: bodies.Body | None = None

    @property
    def idle(self) -> bool:
        """Whether it is between two requests."""
        return not (self.busy or self.waiting or self._environ or self.outgoing or self.closing)

    def received(self) -> Received | None:
        """Return the next request, or ``None`` if it isn't complete yet.

        :raises Refusal: for what is none.
        """
        if self._environ is None and not self._take_head():
            return None
        environ, body = self._environ, self._body
        assert environ is not None and body is not None  # noqa: S101, PT018 - by _take_head
        if not body.take(self.waiting):
            return None
        self._environ = self._body = None
        self.wait_for_request()
        if body.too_large:
            environ["CONTENT_LENGTH"] = str(body.length)
            return Received(environ, b"", False)
        if "HTTP_TRANSFER_ENCODING" in environ:
            environ["CONTENT_LENGTH"] = str(body.length)
        return Received(environ, body.content, _keeps(environ))

    def cut_off(self) -> Refusal | None:
        """Return what to answer to a request that won't be complete any more, if there is one."""
        if self._environ is not None:
            return Refusal("400 Bad Request", "The body is shorter than announced.")
        return Refusal("400 Bad Request", "Illegal end of headers.") if self.waiting else None

    def out_of_time(self) -> Refusal | None:
        """Return what to answer to a request that took too long to arrive, if there is one."""
        if self._environ is None and not self.waiting:
            return None
        return Refusal("408 Request Timeout", "The request took too long to arrive.")

    def send(self, answer: Answer) -> bool:
        """Send as much of an answer as goes at once; tell whether that is all of it.

        :raises OSError: if the client is gone.
        """
        data = answer.data or b""
        try:
            sent = self.sock.send(data) if data else 0
        except BlockingIOError:
            sent = 0
        if sent == len(data):
            return True
        self.outgoing = memoryview(data)[sent:]
        return False

    def send_on(self) -> bool:
        """Send more of the answer; tell whether that was all of it.

        :raises OSError: if the client is gone.
        """
        self.outgoing = self.outgoing[self.sock.send(self.outgoing) :]
        self.deadline = time.monotonic() + self._limits.reading
        return not self.outgoing

    def wait_for_request(self) -> None:
        """Give the client its time to send something."""
        self.deadline = time.monotonic() + self._limits.idle

    def wait_for_reading(self) -> None:
        """Give the client its time to take its answer."""
        self.deadline = time.monotonic() + self._limits.reading

    def say_goodbye(self) -> None:
        """Send nothing any more, and leave the client time to read what was sent.

        A connection that is closed on what it hasn't read takes the answer back.
        """
        self.busy = False
        self.closing = True
        self.waiting.clear()
        self.deadline = time.monotonic() + self._limits.lingering
        self.sock.shutdown(socket.SHUT_WR)

    def _take_head(self) -> bool:
        waiting = self.waiting
        if not self._searched:
            if waiting.startswith(b"\r\n"):
                del waiting[:2]
            if waiting:
                self.deadline = time.monotonic() + self._limits.reading
        end = waiting.find(_END, max(0, self._searched - len(_END)))
        if end < 0:
            self._check_unfinished()
            self._searched = len(waiting)
            return False
        head = bytes(waiting[:end])
        del waiting[: end + len(_END)]
        self._searched = 0
        self._environ = heads.parse(head, self._template)
        limit = self._limits.body(self._environ["PATH_INFO"])
        self._body = bodies.expected(self._environ, limit)
        self.deadline = time.monotonic() + self._limits.reading
        expects = self._environ.get("HTTP_EXPECT", "").lower()
        if expects == "100-continue" and not self._body.too_large:
            self.sock.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        return True

    def _check_unfinished(self) -> None:
        waiting = self.waiting
        if len(waiting) > MAX_HEAD:
            text = "The headers sent with the request exceed the maximum allowed bytes."
            raise Refusal("413 Request Entity Too Large", text)
        line_end = waiting.find(b"\n")
        if line_end >= 0 and waiting[line_end - 1 : line_end] != b"\r":
            raise Refusal("400 Bad Request", "HTTP requires CRLF terminators")


def _keeps(environ: Environ) -> bool:
    """Tell whether the client wants to go on using the connection."""
    if environ["SERVER_PROTOCOL"] != "HTTP/1.1":
        return False
    return str(environ.get("HTTP_CONNECTION", "")).lower() != "close"
