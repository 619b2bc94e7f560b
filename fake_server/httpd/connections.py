"""A client's connection: parses requests, and sends responses in their order."""

from __future__ import annotations

import math
import socket
import time
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from fake_server.httpd import bodies, heads
from fake_server.httpd.heads import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.httpd.heads import Environ
    from fake_server.httpd.tls import Tls

#: Bytes that a head may have; Ironic's server takes any.
MAX_HEAD = 1024 * 1024
_PIECE = 64 * 1024
_END = b"\r\n\r\n"
#: How a client begins that expects HTTPS.
_TLS_HANDSHAKE = b"\x16\x03"


class Limits(NamedTuple):
    """The limits of a connection.

    :param body: bytes of the body of a request to a path.
    :param reading: seconds that a TLS handshake may take, a head to arrive, and a body after it,
        and seconds in which a client has to take some of its answer.
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
    """The state of a connection; only the thread that holds its ``lock`` may use it.

    :param sock: the connection, which doesn't block.
    :param template: what the environments of its requests have in common.
    :param tls: TLS of the connection, if any.
    """

    def __init__(
        self, sock: socket.socket, template: Environ, limits: Limits, tls: Tls | None = None
    ) -> None:
        self.sock = sock
        self.lock = Lock()
        #: What the TLS handshake is done with, until it is complete.
        self.handshake = tls
        #: When it has been waited for long enough, by the monotonic clock.
        self.deadline = time.monotonic() + (limits.reading if tls else limits.idle)
        #: Whether it is to be closed when all is sent.
        self.closing = False
        self.closed = False
        #: A request that is to be answered later.
        self.postponed: Received | None = None
        #: What is to be done after the response.
        self.afterwards: list[Callable[[], object]] = []
        self.outgoing = memoryview(b"")
        self._buffer = bytearray()
        self._searched = 0
        self._template = template
        self._limits = limits
        self._environ: Environ | None = None
        self._body: bodies.Body | None = None

    @property
    def idle(self) -> bool:
        """Whether it is between two requests."""
        busy = self._buffer or self._environ or self.postponed or self.outgoing
        return not (busy or self.closing)

    def shake_hands(self) -> int:
        """Begin or continue the TLS handshake.

        :returns: the event that it waits for; 0 if there is nothing to wait for.
        :raises Refusal: if the client sends HTTP without TLS.
        :raises OSError: if the handshake fails.
        """
        tls, self.handshake = self.handshake, None
        if tls is None:
            return 0
        self.sock, awaited = tls.shake_hands(self.sock)
        if awaited:
            self.handshake = tls
        else:
            self.deadline = time.monotonic() + self._limits.idle
        return awaited

    def read(self) -> bool:
        """Receive what has arrived; return whether the client is still there, or raise OSError."""
        try:
            data = self.sock.recv(_PIECE)
        except BlockingIOError:
            return True
        if not self.closing:
            self._buffer += data
        return bool(data)

    def received(self) -> Received | None:
        """Return the next request, or ``None`` if it isn't complete yet.

        :raises Refusal: for what is none.
        :raises OSError: if the connection is broken.
        """
        if not self._buffer and self._environ is None:
            return None
        if self._environ is None and not self._take_head():
            return None
        environ, body = self._environ, self._body
        assert environ is not None and body is not None  # noqa: S101, PT018 - by _take_head
        if not body.take(self._buffer):
            return None
        self._environ = self._body = None
        environ["CONTENT_LENGTH"] = str(body.length)
        return Received(environ, body.content, _keeps(environ) and not body.too_large)

    def unfinished(self, reason: Refusal) -> Refusal | None:
        """Return a reason for an answer if there is half a request, else ``None``."""
        return reason if self._environ is not None or self._buffer else None

    def send(self, data: bytes) -> bool:
        """Send as much as the socket takes at once; return whether that is all.

        :raises OSError: if the client is gone.
        """
        self.outgoing = memoryview(data)
        return self.send_on()

    def send_on(self) -> bool:
        """Send more; return whether nothing is left. Raise OSError if the client is gone."""
        with suppress(BlockingIOError):
            # TLS sends a record at a time.
            while self.outgoing:
                self.outgoing = self.outgoing[self.sock.send(self.outgoing) :]
        span = self._limits.reading if self.outgoing else self._limits.idle
        self.deadline = time.monotonic() + span
        return not self.outgoing

    def postpone(self, received: Received) -> None:
        """Keep a request that is to be answered later; no time limit holds until then."""
        self.postponed = received
        self.deadline = math.inf

    def resumed(self) -> Received | None:
        """Return the request that was kept, which is to be answered now."""
        received, self.postponed = self.postponed, None
        return received

    def finished(self) -> list[Callable[[], object]]:
        """Return what to do after the response, once all of it is sent, or nobody reads it."""
        if self.outgoing:
            return []
        found, self.afterwards = self.afterwards, []
        return found

    def linger(self) -> None:
        """Send nothing any more, and leave the client time to read what was sent.

        A connection that is closed on what it hasn't read takes the answer back.

        :raises OSError: if the client is gone.
        """
        self.closing = True
        self._buffer.clear()
        self._environ = self._body = None
        self.deadline = time.monotonic() + self._limits.lingering
        self.sock.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Close the socket, whatever is left to send."""
        self.closed = True
        self.outgoing = memoryview(b"")
        self.sock.close()

    def _take_head(self) -> bool:
        buffer = self._buffer
        if not self._searched:
            if buffer.startswith(b"\r\n"):
                del buffer[:2]
            self.deadline = time.monotonic() + self._limits.reading
        end = buffer.find(_END, max(0, self._searched - len(_END)))
        if end < 0:
            self._check_unfinished()
            self._searched = len(buffer)
            return False
        head = bytes(buffer[:end])
        del buffer[: end + len(_END)]
        self._searched = 0
        environ = heads.parse(head, self._template)
        body = bodies.expected(environ, self._limits.body(environ["PATH_INFO"]))
        self._environ, self._body = environ, body
        if environ.get("HTTP_EXPECT", "").lower() == "100-continue" and not body.too_large:
            self.sock.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        return True

    def _check_unfinished(self) -> None:
        if self._buffer.startswith(_TLS_HANDSHAKE):
            raise Refusal("400 Bad Request", "This port serves HTTP without TLS: use http://.")
        if len(self._buffer) > MAX_HEAD:
            text = "The headers sent with the request exceed the maximum allowed bytes."
            raise Refusal("413 Request Entity Too Large", text)
        line_end = self._buffer.find(b"\n")
        if line_end >= 0 and self._buffer[line_end - 1 : line_end] != b"\r":
            raise Refusal("400 Bad Request", "HTTP requires CRLF terminators")


def _keeps(environ: Environ) -> bool:
    """Return whether the client asked to keep the connection."""
    if environ["SERVER_PROTOCOL"] != "HTTP/1.1":
        return False
    options = str(environ.get("HTTP_CONNECTION", "")).lower().split(",")
    return "close" not in map(str.strip, options)
