"""The listener: many connections, postponed answers, workers, and its socket."""

from __future__ import annotations

import os
import re
import resource
import socket
import time
from contextlib import closing
from threading import Event, Lock

import pytest

from fake_server.httpd import readiness
from fake_server.httpd.connections import Limits
from fake_server.httpd.listener import Listener
from fake_server.tests.httpd.listening import (
    GET,
    LIMIT,
    application,
    connect,
    exchange,
    serving,
    statuses,
)


def test_a_thousand_idle_connections_stop_nobody(port):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
    try:
        idle = [connect(port) for _ in range(1000)]
        for sock in idle[::100]:
            sock.sendall(GET[:10])
        assert statuses(exchange(port, GET)) == [200]
        for sock in idle:
            sock.close()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_room_is_made_where_no_descriptors_are_left(kind_of_readiness):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with serving() as port, connect(port) as idle, socket.socket() as late:
        idle.sendall(GET)
        assert statuses(idle.recv(65536)) == [200]
        late.settimeout(5)
        unused = os.dup(late.fileno())
        os.close(unused)
        # New sockets only get numbers below the limit, and all of these are in use.
        resource.setrlimit(resource.RLIMIT_NOFILE, (unused, hard))
        try:
            late.connect(("127.0.0.1", port))
            late.sendall(GET)
            assert statuses(late.recv(65536)) == [200]
            assert idle.recv(65536) == b""
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_controls_get_through_though_all_workers_are_held_up():
    released = Event()

    def answer(environ, start_response):
        if environ["PATH_INFO"] == "/held-up":
            released.wait(30)
        start_response("200 OK", [])
        return [b"answer"]

    with serving(answer, workers=2) as port:
        waiting = [connect(port) for _ in range(2)]
        for sock in waiting:
            sock.sendall(b"GET /held-up HTTP/1.1\r\n\r\n")
        try:
            assert statuses(exchange(port, GET)) == [200]
        finally:
            released.set()
            for sock in waiting:
                sock.close()


def test_half_of_the_workers_do_what_takes_long_and_those_that_left_stop_nobody():
    released, lock = Event(), Lock()
    now, most = 0, 0

    def answer(environ, start_response):
        nonlocal now, most
        if environ["PATH_INFO"] == "/long":
            with lock:
                now += 1
                most = max(most, now)
            end = time.thread_time() + 0.06
            while time.thread_time() < end:
                pass
            released.wait(30)
            with lock:
                now -= 1
        start_response("200 OK", [("Content-Length", "6")])
        return [b"answer"]

    long = b"GET /long HTTP/1.1\r\nHost: x\r\n\r\n"
    with serving(answer, workers=4) as port:
        released.set()
        assert statuses(exchange(port, long)) == [200]
        released.clear()
        most = 0
        waiting = [connect(port) for _ in range(8)]
        for sock in waiting:
            sock.sendall(long)
        for _ in range(10):
            assert statuses(exchange(port, GET)) == [200]
        assert most == 2
        for sock in waiting[2:6]:
            sock.close()
        released.set()
        answered = [sock.recv(65536) for sock in waiting if sock.fileno() != -1]
        assert [statuses(each) for each in answered] == [[200]] * 4
        for sock in waiting:
            sock.close()


def test_a_postponed_answer_comes_before_those_to_later_requests(port):
    answer = exchange(port, b"GET /later HTTP/1.1\r\nHost: fake\r\n\r\n" + GET)
    assert statuses(answer) == [200, 200]
    assert answer.index(b"/later") < answer.index(b"/v1/")


def test_what_is_returned_is_closed_once_the_answer_was_sent():
    arrived, closed = Event(), Event()

    class Body(list):
        def close(self):
            if arrived.wait(5):
                closed.set()

    def answer(environ, start_response):
        start_response("200 OK", [])
        return Body([b"answer"])

    with serving(answer) as port, connect(port) as sock:
        sock.sendall(GET)
        while not sock.recv(65536).endswith(b"answer"):
            pass
        arrived.set()
        assert closed.wait(5)


def test_a_taken_port_is_said_in_one_line(port):
    other = Listener(application, "127.0.0.1", port, Limits(lambda path: LIMIT))
    with pytest.raises(OSError, match=f"Can't listen on 127.0.0.1, port {port}: "):
        other.bind()


@pytest.mark.parametrize("made", [readiness.best, readiness.Portable], ids=["best", "portable"])
def test_a_worker_that_comes_after_the_end_has_nothing_to_do(made):
    ready = made()
    ready.stop()
    ready.close()
    assert ready.wait() is None


def test_a_socket_that_is_closed_while_it_becomes_ready_is_nobodys(monkeypatch):
    ready = readiness.Portable()
    one, other = socket.socketpair(), socket.socketpair()
    select = ready._selector.select

    def selected():
        found = select()
        if any(key.fileobj is one[0] for key, _ in found):
            # As another worker does for a client that ran out of time.
            ready.forget(one[0])
            one[0].close()
            ready.watch(other[0], readiness.READ, "other")
        return found

    monkeypatch.setattr(ready._selector, "select", selected)
    for _, remote in (one, other):
        remote.send(b"x")
    ready.watch(one[0], readiness.READ, "one")
    assert ready.wait() == ("other", readiness.READ)
    ready.close()
    for sock in (*one, *other):
        sock.close()


def test_the_url_of_an_ipv6_address_has_brackets():
    with closing(Listener(application, "::1", 0, Limits(lambda path: LIMIT))) as listener:
        try:
            listener.bind()
        except OSError as error:
            pytest.skip(f"IPv6 is not available here: {error}")
        assert re.fullmatch(r"http://\[::1\]:\d+", listener.url)


def test_a_listener_has_no_url_before_it_is_bound():
    listener = Listener(application, "127.0.0.1", 0, Limits(lambda path: LIMIT))
    with pytest.raises(RuntimeError) as caught:
        _ = listener.url
    assert str(caught.value) == "The port isn't bound yet."


def test_a_failure_of_the_application_is_logged(port, caplog):
    assert statuses(exchange(port, b"GET /crash HTTP/1.1\r\nHost: x\r\n\r\n")) == [500]
    (record,) = caplog.records
    assert (record.name, record.levelname) == ("fake_server.httpd.listener", "ERROR")
    assert record.getMessage() == "/crash failed"
    assert record.exc_text.endswith("\nRuntimeError: no")
