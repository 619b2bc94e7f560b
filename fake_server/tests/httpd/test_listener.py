"""The listener over raw sockets: what HTTP clients do wrong, and what becomes of it.

Statuses are those that a real Ironic 39 gives to the same bytes; where that one fails with 500 or
waits for ever, it is 400, and in the cases that the documentation lists.
"""

from __future__ import annotations

import json
import os
import re
import resource
import socket
import time
from contextlib import closing, contextmanager
from threading import Event, Thread

import pytest

from fake_server.common.wsgi import RESUME, ConnectionDropped, Postponed
from fake_server.httpd import listener as listeners
from fake_server.httpd import readiness
from fake_server.httpd.connections import Limits
from fake_server.httpd.listener import Listener

HOST = b"Host: x\r\n"
GET = b"GET /v1/ HTTP/1.1\r\n" + HOST + b"\r\n"
POST = b"POST /v1/nodes HTTP/1.1\r\n" + HOST
LIMIT = 1000


def application(environ, start_response):
    """Tell what it was asked; three paths misbehave."""
    path = environ["PATH_INFO"]
    if path == "/drop":
        raise ConnectionDropped
    if path == "/crash":
        raise RuntimeError("no")
    if path in ("/later", "/much-later") and RESUME not in environ:
        raise Postponed(0.01 if path == "/later" else 3600, lambda: None)
    length = int(environ.get("CONTENT_LENGTH") or 0)
    body = environ["wsgi.input"].read()
    status = "413 Request Entity Too Large" if length > LIMIT else "200 OK"
    seen = {name: value for name, value in environ.items() if isinstance(value, str)}
    data = json.dumps({**seen, "body": body.decode("latin-1")}).encode()
    if path == "/large":
        data = b"x" * 20_000_000
    missing = 10 if path == "/truncated" else 0
    start_response(status, [("Content-Length", str(len(data)))])
    return [data[: len(data) - missing]]


@contextmanager
def serving(answer=application, workers=8, **limits):
    """Serve in a thread, and yield the port."""
    found = Limits(lambda path: LIMIT, **limits)
    listener = Listener(answer, "127.0.0.1", 0, found, workers=workers)
    listener.bind()
    thread = Thread(target=listener.serve)
    thread.start()
    try:
        yield int(listener.url.rpartition(":")[2])
    finally:
        listener.stop()
        thread.join(5)
    assert not thread.is_alive()


@pytest.fixture(params=[readiness.best, readiness.Portable], ids=["best", "portable"])
def kind_of_readiness(request, monkeypatch):
    monkeypatch.setattr(readiness, "best", request.param)
    monkeypatch.setattr(listeners, "_TICK", 0.05)


@pytest.fixture
def port(kind_of_readiness):
    with serving(reading=0.5, idle=2.0, lingering=0.5) as port:
        yield port


def connect(port):
    sock = socket.create_connection(("127.0.0.1", port))
    sock.settimeout(5)
    return sock


def exchange(port, data):
    """Send bytes and no more; return all that comes back."""
    with connect(port) as sock:
        sock.sendall(data)
        sock.shutdown(socket.SHUT_WR)
        return read_all(sock)


def read_all(sock):
    answer = b""
    while piece := sock.recv(65536):
        answer += piece
    return answer


def read_until_the_end(sock):
    answer = b""
    try:
        while piece := sock.recv(65536):
            answer += piece
    except ConnectionResetError:
        pass
    return answer


def statuses(answer):
    return [int(code) for code in re.findall(rb"HTTP/1\.1 (\d\d\d) ", answer)]


def seen(answer):
    return json.loads(answer.rpartition(b"\r\n\r\n")[2])


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (GET, [200]),
        (b"\r\n" + GET, [200]),
        (GET * 3, [200, 200, 200]),
        (b"GET /v1/ HTTP/1.0\r\n\r\n", [200]),
        (b"BOGUS /v1/ HTTP/1.1\r\nHost: x\r\n\r\n", [200]),
        (b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", [200]),
        (b"GET // HTTP/1.1\r\nHost: x\r\n\r\n", [200]),
        (b"GET //v1 HTTP/1.1\r\nHost: x\r\n\r\n", [400]),
        (b"OPTIONS //v1 HTTP/1.1\r\nHost: x\r\n\r\n", [200]),
        (b"GET ?a HTTP/1.1\r\nHost: x\r\n\r\n", [400]),
        (
            b"GET /v1/ HTTP/1.1\r\nHost : x\r\nA b: c\r\n: d\r\nX: \xff\r\n folded\r\n\r\n",
            [200],
        ),
        (b"GET /v1/ HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 500_000 + b"\r\n\r\n", [200]),
        (b"GET /v1/ HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 1_100_000, [413]),
        (b"GET /v1/ HTTP/2.0\r\n\r\n", [505]),
        (b"GET /v1/ HTTP/1.2\r\n\r\n", [505]),
        (b"GET /v1/ HTTX/1.1\r\n\r\n", [400]),
        (b"GET /v1/ HTTP/1\r\n\r\n", [400]),
        (b"GET /v1/ HTTP/a.b\r\n\r\n", [400]),
        (b"GET /v1/\r\n\r\n", [400]),
        (b"get /v1/ HTTP/1.1\r\nHost: x\r\n\r\n", [400]),
        (b"GET /v1/ HTTP/1.1\nHost: x\n\n", [400]),
        (b"GET /v1/ HTTP/1.1\r\nA: b\nHost: x\r\n\r\n", [400]),
        (b"GET /v1/ HTTP/1.1\r\nNoColon\r\n\r\n", [400]),
        (b"GET http://x/v1/ HTTP/1.1\r\nHost: x\r\n\r\n", [400]),
        (b"GET //v1/ HTTP/1.1\r\nHost: x\r\n\r\n", [400]),
        (b"GET * HTTP/1.1\r\nHost: x\r\n\r\n", [400]),
        (b"OPTIONS http://x/v1/?a#b HTTP/1.1\r\nHost: x\r\n\r\n", [200]),
        (b"OPTIONS v1 HTTP/1.1\r\nHost: x\r\n\r\n", [200]),
        (b"CONNECT /v1/ HTTP/1.1\r\nHost: x\r\n\r\n", [405]),
        (b"GET /v1/ HTTP/0.9\r\n\r\n", [505]),
        (b"GET /v1/ HTTP/1.1.1\r\n\r\n", [400]),
        (b"GET v1 HTTP/1.1\r\nHost: x\r\n\r\n", [400]),
        (b"GET /v1/#f HTTP/1.1\r\nHost: x\r\n\r\n", [400]),
        (b"GET /\xc3\xa9 HTTP/1.1\r\nHost: x\r\n\r\n", [400]),
        (b"CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n", [405]),
        (b"\x16\x03\x01\x02\x00\x01\r\n\r\n", [400]),
        (b"\x16\x03\x01\x02\x00\x01", [400]),
        (b"GET /v1/ HTTP/1.1\r\n\r\n", [400]),
        (b"GET /v1/ HTTP/1.1\r\nHost:\r\n\r\n", [200]),
        (b"GET /v1/ HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n", [400]),
        (b"GET /v1/ HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n", [400]),
        (b"GET /v1/ HTTP/1.1\r\nHost: x\r\nA\0: b\r\n\r\n", [400]),
        (b"GET /v1/ HTTP/1.1\r\nHost: x\r\nA: b\rc: d\r\n\r\n", [400]),
        (b"GET /v1/ HTTP/1.1\r\nHost: x\r\nA: b\r\r\n\r\n", [400]),
        (POST + b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", [200]),
        (POST + b"Content-Length: 2\r\nContent-Length: 0\r\n\r\n{}", [400]),
        (b"GET /v1/ HT", [400]),
        (b"GET /v1/ HTTP/1.1\r\nHos", [400]),
        (b"", []),
        (POST + b"Content-Length: 2\r\n\r\n{}" + GET, [200, 200]),
        (POST + b"Content-Length: +2\r\n\r\n{}", [200]),
        (POST + b"Content-Length: abc\r\n\r\n{}", [400]),
        (POST + b"Content-Length: \r\n\r\n", [400]),
        (POST + b"Content-Length: -1\r\n\r\n{}", [400]),
        (POST + b"Content-Length: 2, 2\r\n\r\n{}", [400]),
        (POST + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n{}", [400]),
        (POST + b"Content-Length: 99999999999999999999\r\n\r\n{}", [413]),
        (POST + b"Content-Length: 10\r\n\r\n{}", [400]),
        (
            POST + b"Transfer-Encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n0\r\nX: y\r\n\r\n" + GET,
            [200, 200],
        ),
        (POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n", [400]),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n", [400]),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n" + b"f" * 18 + b"\r\n{}", [400]),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}0\r\n\r\n", [400]),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{", [400]),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n" + b"1" * 5000, [400]),
        (POST + b"Transfer-Encoding: chunked\r\n\r\nffff\r\n{", [413]),
        (POST + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n", [400]),
        (POST + b"Transfer-Encoding: gzip\r\n\r\n{}", [501]),
        (POST + b"Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}", [100, 200]),
        (b"GET /crash HTTP/1.1\r\nHost: x\r\n\r\n", [500]),
    ],
)
def test_what_clients_send_is_answered_or_refused(port, data, expected):
    assert statuses(exchange(port, data)) == expected
    assert statuses(exchange(port, GET)) == [200]


@pytest.mark.parametrize(
    "option", ["close", "Close", "close, TE", "TE,close", "TE\r\nConnection: close"]
)
def test_a_connection_is_closed_whose_client_says_so(port, option):
    with connect(port) as sock:
        sock.sendall(b"GET /v1/ HTTP/1.1\r\nHost: x\r\nConnection: %s\r\n\r\n" % option.encode())
        answer = read_all(sock)
    assert statuses(answer) == [200]
    assert b"Connection: close\r\n" in answer


@pytest.mark.parametrize("option", ["keep-alive", "TE", "closed"])
def test_a_connection_stays_open_otherwise(port, option):
    head = b"GET /v1/ HTTP/1.1\r\nHost: x\r\nConnection: %s\r\n\r\n" % option.encode()
    assert statuses(exchange(port, head + GET)) == [200, 200]


def test_a_tls_client_is_refused_at_once(port):
    with connect(port) as sock:
        sock.sendall(b"\x16\x03\x01\x00\xa5\x01")
        assert statuses(read_all(sock)) == [400]


def test_the_application_sees_what_was_sent(port):
    head = (
        b"POST /a%2Fb%20c?x=%20 HTTP/1.1\r\nHost: h\r\nAccept: a\r\nAccept: b\r\nX-One: 1\r\n"
        b"X-One: 2\r\nX_Two: no\r\nContent-Type: t\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    environ = seen(exchange(port, head + b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"))
    assert environ["PATH_INFO"] == "/a%2Fb c"
    assert environ["QUERY_STRING"] == "x=%20"
    assert environ["HTTP_ACCEPT"] == "a, b"
    assert environ["HTTP_X_ONE"] == "2"
    assert "HTTP_X_TWO" not in environ
    assert environ["CONTENT_TYPE"] == "t"
    assert environ["body"] == "abcde"
    assert environ["REMOTE_ADDR"] == "127.0.0.1"


def test_a_refused_body_is_answered_though_the_client_still_sends(port):
    with connect(port) as sock:
        sock.sendall(POST + b"Content-Length: 3000000\r\n\r\n" + b"x" * 3_000_000)
        assert statuses(read_all(sock)) == [413]


def test_a_dropped_connection_says_nothing(port):
    assert exchange(port, b"GET /drop HTTP/1.1\r\nHost: x\r\n\r\n" + GET) == b""


def test_a_truncated_answer_ends_early_and_closes(port):
    with connect(port) as sock:
        sock.sendall(b"GET /truncated HTTP/1.1\r\nHost: x\r\n\r\n")
        head, _, body = read_all(sock).partition(b"\r\n\r\n")
    announced = int(re.search(rb"Content-Length: (\d+)", head)[1])
    assert announced - len(body) == 10


def test_a_large_answer_reaches_a_reader_that_takes_its_time(port):
    with socket.socket() as sock:
        # Most of the answer has to wait until something was read.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 256 * 1024)
        sock.settimeout(5)
        sock.connect(("127.0.0.1", port))
        sock.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert len(read_all(sock)) > 20_000_000


@pytest.mark.parametrize(
    ("half", "expected"),
    [
        (b"GET /v1/ HTTP/1.1\r\nHos", [408]),
        (POST + b"Content-Length: 10\r\n\r\n{}", [408]),
        (b"", []),
    ],
)
def test_slow_clients_run_out_of_time(port, half, expected):
    with connect(port) as sock:
        sock.sendall(half)
        assert statuses(read_all(sock)) == expected


def test_a_reader_that_takes_nothing_is_left(port):
    with connect(port) as sock:
        sock.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        time.sleep(1.0)
        assert len(read_until_the_end(sock)) < 20_000_000


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


def test_any_number_of_postponed_answers_stops_nobody(port):
    waiting = [connect(port) for _ in range(40)]
    for sock in waiting:
        sock.sendall(b"GET /much-later HTTP/1.1\r\n\r\n")
    assert statuses(exchange(port, GET)) == [200]
    for sock in waiting:
        sock.close()


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


def test_a_postponed_answer_comes_before_those_to_later_requests(port):
    answer = exchange(port, b"GET /later HTTP/1.1\r\nHost: fake\r\n\r\n" + GET)
    assert statuses(answer) == [200, 200]
    assert answer.index(b"/later") < answer.index(b"/v1/")


def test_who_hangs_up_while_the_answer_is_postponed_disturbs_nobody(port):
    with connect(port) as sock:
        sock.sendall(b"GET /later HTTP/1.1\r\nHost: fake\r\n\r\n")
    assert statuses(exchange(port, b"GET /later HTTP/1.1\r\nHost: fake\r\n\r\n")) == [200]


def test_what_is_returned_is_closed_once_the_answer_was_sent():
    arrived, closed = Event(), Event()

    class Body(list):
        def close(self):
            if arrived.wait(5):
                closed.set()

    def answer(environ, start_response):
        start_response("200 OK", [])
        return Body([b"answer"])

    listener = Listener(answer, "127.0.0.1", 0, Limits(lambda path: LIMIT))
    listener.bind()
    thread = Thread(target=listener.serve)
    thread.start()
    with connect(int(listener.url.rpartition(":")[2])) as sock:
        sock.sendall(GET)
        while not sock.recv(65536).endswith(b"answer"):
            pass
        arrived.set()
        assert closed.wait(5)
    listener.stop()
    thread.join(5)


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
