"""The HTTP server: a port, a thread that listens, and workers that answer.

One thread waits for all connections together and takes requests out of what arrives, so idle and
slow clients cost nobody else anything; complete requests go to a few workers, which ask the
application and send its answer. It was written because none of the servers that can be embedded
in a thread does all of this: cheroot takes three times the CPU time of the application itself,
waitress as much, uvicorn has no time limit for a head and runs no WSGI application, granian
can't be embedded.

What an application has to know beside WSGI:

* It may raise :class:`~fake_server.wsgi.ConnectionDropped`, before or after it stored something:
  the connection is closed without a word.
* A body that is shorter than its ``Content-Length`` says is sent as it is, and the connection
  closed: a truncated answer.
* A body that is larger than it may be isn't read: the application gets its ``CONTENT_LENGTH`` and
  nothing to read, and answers 413; the connection is closed afterwards.
* It may take its time: it is called in a worker, of which there are eight.
"""

from __future__ import annotations

import errno
import logging
import selectors
import socket
import sys
import time
from collections import deque
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING

from .http import gateway
from .http.connections import MAX_WAITING, Connection, Limits, Received
from .http.heads import Refusal

if TYPE_CHECKING:
    from .http.gateway import Answer
    from .http.heads import Environ
    from .wsgi import Application

LOG = logging.getLogger(__name__)

_BACKLOG = 1024
_PIECE = 64 * 1024
_NO_DESCRIPTORS = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
#: Seconds between two looks at the clock.
_TICK = 1.0
_READ, _WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE


class Listener:
    """A WSGI application on a port.

    :param app: what answers.
    :param host: address to listen on.
    :param port: port to listen on; 0 for any free one.
    :param limits: what clients may ask of their connections.
    :param workers: requests that are answered at the same time.
    """

    def __init__(
        self, app: Application, host: str, port: int, limits: Limits, *, workers: int = 8
    ) -> None:
        self._app = app
        self._address = host, port
        self._limits = limits
        self._number_of_workers = workers
        self._socket: socket.socket | None = None
        self._template: Environ = {}
        self._requests: SimpleQueue[tuple[Connection, Received] | None] = SimpleQueue()
        self._handed_back: deque[Connection] = deque()
        self._connections: set[Connection] = set()
        self._waker: socket.socket | None = None
        self._stopping = False

    @property
    def url(self) -> str:
        """The address clients use, without a path; known once it is bound."""
        if self._socket is None:
            raise RuntimeError("The port isn't bound yet.")
        host, port = self._socket.getsockname()[:2]
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    def bind(self) -> None:
        """Take the port, so that connections queue up.

        :raises OSError: if it isn't free, or there is no such address.
        """
        if self._socket is not None:
            return
        host, port = self._address
        try:
            family, kind, protocol, _, address = socket.getaddrinfo(
                host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )[0]
            sock = socket.socket(family, kind, protocol)
            try:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                sock.bind(address)
                sock.listen(_BACKLOG)
            except BaseException:
                sock.close()
                raise
        except OSError as exc:
            raise OSError(
                exc.errno, f"Can't listen on {host}, port {port}: {exc.strerror}"
            ) from exc
        sock.setblocking(False)
        self._socket = sock
        self._template = {
            "SCRIPT_NAME": "",
            "SERVER_NAME": host,
            "SERVER_PORT": str(sock.getsockname()[1]),
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": True,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
        }

    def serve(self) -> None:
        """Answer requests until :meth:`stop` is called, in this thread and the workers'."""
        self.bind()
        # Made here, since neither survives a fork between bind() and serve().
        self._selector = selectors.DefaultSelector()
        self._waker, self._wakened = socket.socketpair()
        workers = [
            Thread(target=self._work, name=f"fake-server-{number}", daemon=True)
            for number in range(self._number_of_workers)
        ]
        for worker in workers:
            worker.start()
        try:
            self._listen()
        finally:
            for _ in workers:
                self._requests.put(None)
            for worker in workers:
                worker.join(self._limits.lingering)
            self._close()

    def stop(self) -> None:
        """End :meth:`serve` once what is being answered is answered."""
        self._stopping = True
        self._wake()

    def close(self) -> None:
        """Give the port back; :meth:`serve` does so itself."""
        if self._socket is not None:
            self._socket.close()

    def _listen(self) -> None:
        sock = self._socket
        assert sock is not None  # noqa: S101 - bound by serve()
        selector = self._selector
        self._wakened.setblocking(False)
        selector.register(sock, _READ, self._accept)
        selector.register(self._wakened, _READ, self._take_back)
        checked = time.monotonic()
        while not self._stopping:
            for key, mask in selector.select(_TICK):
                if isinstance(key.data, Connection):
                    self._attend(key.data, mask)
                else:
                    key.data()
            if time.monotonic() - checked >= _TICK:
                checked = time.monotonic()
                self._check_time(checked)

    def _accept(self) -> None:
        assert self._socket is not None  # noqa: S101 - bound by serve()
        try:
            sock, address = self._socket.accept()
        except OSError as exc:
            if exc.errno in _NO_DESCRIPTORS:
                self._make_room()
            return
        sock.setblocking(False)
        with suppress(OSError):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        template = {**self._template, "REMOTE_ADDR": address[0], "REMOTE_PORT": str(address[1])}
        connection = Connection(sock, template, self._limits)
        self._connections.add(connection)
        self._selector.register(sock, _READ, connection)

    def _make_room(self) -> None:
        """Close the connection that has been idle for the longest time, for lack of descriptors."""
        idle = [connection for connection in self._connections if connection.idle]
        if idle:
            self._drop(min(idle, key=lambda connection: connection.deadline))
        else:
            time.sleep(0.01)  # until one of those that work is done

    def _attend(self, connection: Connection, mask: int) -> None:
        """Read from a connection, or write to it."""
        try:
            if mask & _WRITE:
                if connection.send_on():
                    self._answered(connection)
                return
            data = connection.sock.recv(_PIECE)
        except BlockingIOError:
            return
        except OSError:
            self._drop(connection)
            return
        with connection.lock:
            connection.ended = connection.ended or not data
            if connection.closing and not connection.busy:
                if not data:
                    self._drop(connection)
                return
            connection.waiting += data
            if connection.busy:
                if connection.ended or len(connection.waiting) > MAX_WAITING:
                    self._selector.unregister(connection.sock)
                return
        self._advance(connection)

    def _advance(self, connection: Connection) -> None:
        """Hand the next request of a connection to a worker, if it is there."""
        try:
            received = connection.received()
            if received is not None:
                connection.busy = True
                self._requests.put((connection, received))
            elif connection.ended:
                refused = connection.cut_off()
                if refused is not None:
                    raise refused
                self._drop(connection)
        except Refusal as refused:
            self._refuse(connection, refused)
        except OSError:
            self._drop(connection)

    def _work(self) -> None:
        """Answer requests, one after the other."""
        while (item := self._requests.get()) is not None:
            connection, received = item
            answer = self._ask(received)
            try:
                sent = connection.send(answer)
            except OSError:
                answer = gateway.DROPPED
            connection.wait_for_request()
            with connection.lock:
                if answer.data is None:
                    connection.ended = True
                elif sent and answer.keep and not connection.waiting and not connection.ended:
                    connection.busy = False
                    continue
                connection.closing = not answer.keep
            self._handed_back.append(connection)
            self._wake()

    def _ask(self, received: Received) -> Answer:
        try:
            return gateway.answer(self._app, *received)
        except Exception:
            LOG.exception("%s failed", received.environ["PATH_INFO"])
            return gateway.refusal(Refusal("500 Internal Server Error"))

    def _take_back(self) -> None:
        """Go on with the connections whose workers have left something to do."""
        with suppress(BlockingIOError):
            self._wakened.recv(_PIECE)
        while self._handed_back:
            connection = self._handed_back.popleft()
            if connection.outgoing:
                connection.wait_for_reading()
                self._watch(connection, _WRITE)
            elif connection.closing and connection.ended:
                self._drop(connection)
            else:
                self._answered(connection)

    def _answered(self, connection: Connection) -> None:
        """Go on after an answer: to the next request, or to the end."""
        if connection.closing:
            try:
                connection.say_goodbye()
            except OSError:
                self._drop(connection)
            else:
                self._watch(connection, _READ)
            return
        connection.busy = False
        if not connection.ended:
            connection.wait_for_request()
            self._watch(connection, _READ)
        self._advance(connection)

    def _refuse(self, connection: Connection, refused: Refusal) -> None:
        connection.closing = True
        try:
            sent = connection.send(gateway.refusal(refused))
        except OSError:
            self._drop(connection)
            return
        if sent:
            self._answered(connection)
        else:
            connection.wait_for_reading()
            self._watch(connection, _WRITE)

    def _watch(self, connection: Connection, events: int) -> None:
        try:
            self._selector.modify(connection.sock, events, connection)
        except KeyError:
            self._selector.register(connection.sock, events, connection)

    def _check_time(self, now: float) -> None:
        """Part with clients that are too slow."""
        for connection in [one for one in self._connections if one.deadline < now]:
            if connection.busy and not connection.outgoing:
                continue
            refused = None if connection.closing or connection.busy else connection.out_of_time()
            if refused is None:
                self._drop(connection)
            else:
                self._refuse(connection, refused)

    def _drop(self, connection: Connection) -> None:
        self._connections.discard(connection)
        with suppress(KeyError, ValueError):
            self._selector.unregister(connection.sock)
        connection.sock.close()

    def _wake(self) -> None:
        if self._waker is not None:
            with suppress(OSError):
                self._waker.send(b"\0")

    def _close(self) -> None:
        for connection in list(self._connections):
            self._drop(connection)
        self._selector.close()
        assert self._waker is not None  # noqa: S101 - made by serve()
        self._waker.close()
        self._wakened.close()
        self.close()
