"""The listener: a port, and a few threads that handle requests."""

from __future__ import annotations

import errno
import socket
import sys
import time
from contextlib import closing, suppress
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING

from fake_server.common import logs
from fake_server.common.wsgi import CAN_POSTPONE, RESUME, Postponed
from fake_server.httpd import gateway, ports, readiness
from fake_server.httpd.connections import Connection, Limits, Received
from fake_server.httpd.heads import Refusal
from fake_server.httpd.postponed import PostponedRequests
from fake_server.httpd.turns import Turns

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.common.wsgi import Application
    from fake_server.httpd.gateway import Answer
    from fake_server.httpd.heads import Environ
    from fake_server.httpd.readiness import Readiness
    from fake_server.httpd.tls import Tls

LOG = logs.logger(__name__)

_NO_DESCRIPTORS = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
#: Seconds between two looks at the clock.
_TICK = 1.0
#: Workers that there are at most, however many are held up.
_MOST_WORKERS = 256
_CUT_OFF = Refusal("400 Bad Request", "The request ends before it is complete.")
_TOO_SLOW = Refusal("408 Request Timeout", "The request took too long to arrive.")


class Listener:
    """A WSGI application on a port.

    :param app: what answers.
    :param host: address to listen on.
    :param port: port to listen on; 0 for any free one.
    :param limits: what clients may ask of their connections.
    :param tls: TLS of connections, if any.
    :param workers: requests that are answered at the same time.
    """

    def __init__(
        self,
        app: Application,
        host: str,
        port: int,
        limits: Limits,
        *,
        tls: Tls | None = None,
        workers: int = 8,
    ) -> None:
        self._app = app
        self._address = host, port
        self._limits = limits
        self._tls = tls
        self._scheme = "https" if tls else "http"
        self._number_of_workers = workers
        self._socket: socket.socket | None = None
        self._template: Environ = {}
        self._connections: set[Connection] = set()
        self._stopping = Event()
        self._turns = Turns(max(1, workers // 2))
        self._lock = Lock()
        self._woken = Event()
        self._postponed = PostponedRequests(self._woken)
        #: Workers that wait for something to do, and how often one has come to that.
        self._idle = self._handled = 0

    @property
    def url(self) -> str:
        """The address clients use, without a path; known once it is bound."""
        host, port = self._bound().getsockname()[:2]
        return f"{self._scheme}://{f'[{host}]' if ':' in host else host}:{port}"

    def bind(self) -> None:
        """Bind the port, so that connections queue up; raise OSError if that fails."""
        if self._socket is not None:
            return
        self._socket = ports.listening(*self._address)
        self._template = {
            "SCRIPT_NAME": "",
            "SERVER_NAME": self._address[0],
            "SERVER_PORT": str(self._socket.getsockname()[1]),
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": self._scheme,
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": True,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
            CAN_POSTPONE: True,
        }

    def serve(self, started: Callable[[], object] = lambda: None) -> None:
        """Answer requests until :meth:`stop` is called.

        :param started: what is called once requests are answered.
        """
        with closing(self):
            self.bind()
            with closing(readiness.best()) as ready:  # it wouldn't survive a fork after bind()
                self._serve(ready, started)

    def _serve(self, ready: Readiness, started: Callable[[], object]) -> None:
        workers: list[Thread] = []
        try:
            for _ in range(self._number_of_workers):
                workers.append(self._start_worker(ready))
            ready.watch(self._bound(), readiness.READ, self)
            started()
            while not self._stopping.is_set():
                handled = self._handled
                woken = self._woken.wait(self._resume_postponed(ready))
                self._woken.clear()
                self._check_time(ready)
                self._let_next_begin()  # if a client went away that was next
                held_up = not (woken or self._idle) and self._handled == handled
                if held_up and len(workers) < _MOST_WORKERS:
                    workers.append(self._start_worker(ready))
        finally:
            ready.stop()
            for worker in workers:
                worker.join(self._limits.lingering)
            for connection in list(self._connections):
                self._drop(connection, ready)

    def stop(self) -> None:
        """End :meth:`serve` once the requests in progress are answered."""
        self._stopping.set()
        self._woken.set()

    def close(self) -> None:
        """Give the port back; :meth:`serve` does so itself."""
        if self._socket is not None:
            self._socket.close()

    def _bound(self) -> socket.socket:
        if self._socket is None:
            raise RuntimeError("The port isn't bound yet.")
        return self._socket

    def _start_worker(self, ready: Readiness) -> Thread:
        worker = Thread(target=self._work, args=(ready,), name="fake-server-worker", daemon=True)
        worker.start()
        return worker

    def _next_event(self, ready: Readiness) -> readiness.Event | None:
        """Wait for a task; other connections are served at the same time."""
        with self._lock:
            self._idle += 1
            self._handled += 1
        try:
            return ready.wait()
        finally:
            with self._lock:
                self._idle -= 1

    def _work(self, ready: Readiness) -> None:
        """Run tasks, one after the other."""
        while (event := self._next_event(ready)) is not None:
            connection, events = event
            if connection is self:
                self._accept(ready)
                continue
            with connection.lock:
                if connection.closed:
                    continue
                try:
                    self._attend(connection, events, ready)
                except OSError:
                    self._drop(connection, ready)
                _finish(connection)

    def _accept(self, ready: Readiness) -> None:
        try:
            sock, address = self._bound().accept()
        except OSError as exc:
            if exc.errno in _NO_DESCRIPTORS:
                self._make_room(ready)
        else:
            sock.setblocking(False)
            with suppress(OSError):
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            peer = {"REMOTE_ADDR": address[0], "REMOTE_PORT": str(address[1])}
            connection = Connection(sock, {**self._template, **peer}, self._limits, self._tls)
            self._connections.add(connection)
            ready.watch(sock, readiness.READ, connection)
        if not self._stopping.is_set():
            ready.watch(self._bound(), readiness.READ, self)

    def _make_room(self, ready: Readiness) -> None:
        """Close the connection that has been idle for the longest time, for lack of descriptors."""
        idle = [connection for connection in list(self._connections) if connection.idle]
        for connection in sorted(idle, key=lambda connection: connection.deadline):
            if connection.lock.acquire(blocking=False):
                try:
                    self._drop(connection, ready)
                finally:
                    connection.lock.release()
                return
        time.sleep(0.01)  # until one of those that work is done

    def _attend(self, connection: Connection, events: int, ready: Readiness) -> None:
        """Read and answer requests of a connection, or continue to write to it."""
        if connection.handshake and not self._shake_hands(connection, ready):
            return
        if (resumed := connection.resumed()) is not None:
            if not self._answer(connection, resumed, ready):
                return
        elif events == readiness.WRITE:
            if not connection.send_on():
                ready.watch(connection.sock, readiness.WRITE, connection)
                return
            if connection.closing:
                connection.linger()
        elif not connection.read():
            refused = connection.unfinished(_CUT_OFF)
            if refused is None or connection.closing:
                self._drop(connection, ready)
            else:
                self._send(connection, gateway.refusal(refused), ready)
            return
        if not connection.closing:
            try:
                while (received := connection.received()) is not None:
                    if not self._answer(connection, received, ready):
                        return
            except Refusal as refused:
                self._send(connection, gateway.refusal(refused), ready)
                return
        ready.watch(connection.sock, readiness.READ, connection)

    def _shake_hands(self, connection: Connection, ready: Readiness) -> bool:
        """Continue the TLS handshake; return whether it is complete."""
        ready.forget(connection.sock)  # while it still has its number
        try:
            awaited = connection.shake_hands()
        except Refusal as refused:
            self._send(connection, gateway.refusal(refused), ready)
            return False
        if awaited:
            ready.watch(connection.sock, awaited, connection)
        return not awaited

    def _answer(self, connection: Connection, received: Received, ready: Readiness) -> bool:
        """Answer a request, now or later; return whether all of the response is sent."""
        kind = received.environ["REQUEST_METHOD"], received.environ["PATH_INFO"]
        takes_long = self._turns.takes_long(kind)
        if takes_long and not self._turns.begin(connection):
            connection.postpone(received)
            return False
        begun = time.thread_time()
        try:
            return self._answer_now(connection, received, ready)
        finally:
            self._turns.note(kind, time.thread_time() - begun)
            if takes_long:
                self._turns.end()
                self._let_next_begin()

    def _let_next_begin(self) -> None:
        """Resume those whose turn it is."""
        for connection in self._turns.next():
            self._postponed.add(time.monotonic(), connection)

    def _answer_now(self, connection: Connection, received: Received, ready: Readiness) -> bool:
        try:
            answer = gateway.answer(self._app, *received)
        except Postponed as postponed:
            received.environ[RESUME] = postponed.answer
            connection.postpone(received)
            self._postponed.add(time.monotonic() + postponed.seconds, connection)
            return False
        except Exception:
            LOG.exception("%s failed", received.environ["PATH_INFO"])
            answer = gateway.refusal(Refusal("500 Internal Server Error"))
        return self._send(connection, answer, ready)

    def _resume_postponed(self, ready: Readiness) -> float:
        """Hand the requests whose time has come to the workers; return the seconds to wait now."""
        while not isinstance(found := self._postponed.next(_TICK), float):
            with found.lock:
                if not found.closed:
                    # It can be written to at once, so the next free worker takes it.
                    ready.watch(found.sock, readiness.WRITE, found)
        return found

    def _send(self, connection: Connection, answer: Answer, ready: Readiness) -> bool:
        """Send an answer; return whether all is sent and the next request may come."""
        if answer.data is None:
            self._drop(connection, ready)
            return False
        connection.closing = not answer.keep
        if answer.sent is not None:
            connection.afterwards.append(answer.sent)
        if not connection.send(answer.data):
            ready.watch(connection.sock, readiness.WRITE, connection)
            return False
        if connection.closing:
            connection.linger()
            ready.watch(connection.sock, readiness.READ, connection)
            return False
        return True

    def _check_time(self, ready: Readiness) -> None:
        """Part with clients that are too slow."""
        now = time.monotonic()
        for connection in list(self._connections):
            # Who holds the lock is at work.
            if connection.deadline >= now or not connection.lock.acquire(blocking=False):
                continue
            try:
                if connection.deadline < now and not connection.closed:
                    self._give_up(connection, ready)
            except OSError:
                self._drop(connection, ready)
            finally:
                connection.lock.release()

    def _give_up(self, connection: Connection, ready: Readiness) -> None:
        refused = connection.unfinished(_TOO_SLOW)
        if refused is None or connection.closing or connection.outgoing:
            self._drop(connection, ready)
        else:
            self._send(connection, gateway.refusal(refused), ready)

    def _drop(self, connection: Connection, ready: Readiness) -> None:
        self._connections.discard(connection)
        ready.forget(connection.sock)
        connection.close()
        _finish(connection)


def _finish(connection: Connection) -> None:
    """Do what is left to do after a response, each in a thread."""
    for act in connection.finished():
        Thread(target=act, name="fake-server-afterwards", daemon=True).start()
