"""A server in a Python program: what it gives back."""

from __future__ import annotations

import socket
import threading
from itertools import count
from unittest.mock import Mock

import pytest
import sqlalchemy as sa

from fake_server.httpd import readiness
from fake_server.server import FakeServer


def test_a_server_whose_port_is_taken_gives_its_database_back():
    with socket.create_server(("127.0.0.1", 0)) as other:
        server = FakeServer(port=other.getsockname()[1])
        with pytest.raises(OSError, match="Can't listen"):
            server.start()
    with pytest.raises(sa.exc.ResourceClosedError):
        server.app.store.run(lambda tx: tx.scalar(sa.select(1)))


@pytest.mark.parametrize("made", ["readiness", "workers"])
def test_a_server_whose_listener_fails_at_the_start_says_why_and_gives_all_back(monkeypatch, made):
    before = {thread.ident for thread in threading.enumerate()}
    server = FakeServer()
    server.prepare()
    port = int(server.url.rpartition(":")[2])
    if made == "readiness":
        monkeypatch.setattr(readiness, "best", Mock(side_effect=OSError("no descriptors left")))
        cause = pytest.raises(OSError, match="no descriptors left")
    else:
        start, number = threading.Thread.start, count()

        def start_some(thread):
            if thread.name == "fake-server-worker" and next(number) == 2:
                raise RuntimeError("can't start new thread")
            start(thread)

        monkeypatch.setattr(threading.Thread, "start", start_some)
        cause = pytest.raises(RuntimeError, match="can't start new thread")
    with cause:
        server.start()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))
    with pytest.raises(sa.exc.ResourceClosedError):
        server.app.store.run(lambda tx: tx.scalar(sa.select(1)))
    assert {thread.ident for thread in threading.enumerate()} == before


def test_a_server_that_stops_waits_for_its_thread():
    before = set(threading.enumerate())
    server = FakeServer()
    server.start()
    started = set(threading.enumerate()) - before
    assert started
    server.stop()
    assert not started & set(threading.enumerate())
