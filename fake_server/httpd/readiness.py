"""Wait for sockets in several threads, each event in exactly one of them.

A socket is watched until it is ready once; the thread that is told owns it until it is watched
again.
"""

from __future__ import annotations

import select
import selectors
import socket
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from _typeshed import FileDescriptorLike

READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE
Event = tuple[Any, int]


class Readiness(Protocol):
    """The sockets that are ready to be read or written."""

    def watch(self, sock: socket.socket, events: int, owner: Any) -> None:
        """Wait for one event of a socket.

        :param owner: what :meth:`wait` returns then.
        """

    def forget(self, sock: socket.socket) -> None:
        """Forget a socket before it is closed."""

    def wait(self) -> Event | None:
        """Return an owner and what its socket is ready for; ``None`` once it is stopped."""

    def stop(self) -> None:
        """Wake all threads that wait."""

    def close(self) -> None:
        """Give everything back."""


class Epoll:
    """Readiness by Linux's epoll, which wakes the thread that waited last: its caches are warm."""

    def __init__(self) -> None:
        self._epoll = select.epoll()
        self._owners: dict[int, Any] = {}
        self._waker, self._wakened = socket.socketpair()
        self._epoll.register(self._wakened, select.EPOLLIN)

    def watch(self, sock: socket.socket, events: int, owner: Any) -> None:
        """Wait for one event of a socket."""
        number = sock.fileno()
        mask = select.EPOLLIN if events == READ else select.EPOLLOUT
        if number in self._owners:
            self._epoll.modify(number, mask | select.EPOLLONESHOT)
        else:
            self._owners[number] = owner
            self._epoll.register(number, mask | select.EPOLLONESHOT)

    def forget(self, sock: socket.socket) -> None:
        """Forget a socket."""
        if self._owners.pop(sock.fileno(), None) is not None:
            with suppress(OSError):
                self._epoll.unregister(sock.fileno())

    def wait(self) -> Event | None:
        """Return what is ready next."""
        while True:
            try:
                found = self._epoll.poll(-1, 1)
            except ValueError:  # it was closed before this thread came here
                return None
            for number, mask in found:
                if number == self._wakened.fileno():
                    return None
                owner = self._owners.get(number)
                if owner is not None:
                    return owner, WRITE if mask & select.EPOLLOUT else READ

    def stop(self) -> None:
        """Wake all threads that wait."""
        self._waker.send(b"\0")

    def close(self) -> None:
        """Give everything back."""
        self._epoll.close()
        self._waker.close()
        self._wakened.close()


class Portable:
    """Readiness on any system: one thread waits for sockets, the others wait for it."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._turn = Lock()
        self._lock = Lock()
        self._wanted: dict[socket.socket, tuple[int, Any]] = {}
        self._stopped = False
        self._waker, self._wakened = socket.socketpair()
        self._wakened.setblocking(False)
        self._selector.register(self._wakened, READ)

    def watch(self, sock: socket.socket, events: int, owner: Any) -> None:
        """Wait for one event of a socket."""
        with self._lock:
            self._wanted[sock] = events, owner
        self._waker.send(b"\0")

    def forget(self, sock: socket.socket) -> None:
        """Forget a socket."""
        with self._lock:
            self._wanted.pop(sock, None)
            with suppress(KeyError, ValueError):
                self._selector.unregister(sock)

    def wait(self) -> Event | None:
        """Return what is ready next."""
        with self._turn:
            while not self._stopped:
                self._take_over()
                for key, mask in self._selector.select():
                    if key.fileobj is self._wakened:
                        with suppress(BlockingIOError):
                            self._wakened.recv(4096)
                        continue
                    if self._take(key.fileobj):
                        return key.data, mask
            return None

    def stop(self) -> None:
        """Wake all threads that wait."""
        self._stopped = True
        self._waker.send(b"\0")

    def close(self) -> None:
        """Give everything back."""
        self._selector.close()
        self._waker.close()
        self._wakened.close()

    def _take(self, sock: FileDescriptorLike) -> bool:
        """Wait for a socket no longer; return False if another thread has forgotten it."""
        with self._lock, suppress(KeyError, ValueError):
            self._selector.unregister(sock)
            return True
        return False

    def _take_over(self) -> None:
        with self._lock:
            for sock, (events, owner) in self._wanted.items():
                with suppress(KeyError):
                    self._selector.unregister(sock)
                self._selector.register(sock, events, owner)
            self._wanted.clear()


def best() -> Readiness:
    """Return the cheapest that the system offers."""
    return Epoll() if hasattr(select, "epoll") else Portable()
